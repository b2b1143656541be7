package spending

import "github.com/trigpoint/trigpoint/internal/httpapi"

// Words say what the names of costs mean.
var Words = httpapi.Words{
	"month":       {Doc: "A month of UTC; all months when it is left out of a request.", Example: "2026-11"},
	"budget_usd":  {Doc: "Most that may be spent for the account in a month, in US dollars; null is no limit. The operator sets it.", Example: 50},
	"spent_usd":   {Doc: "What was spent for the account in that month, or in this one, in US dollars.", Example: 1.236},
	"costs":       {Doc: "By month, provider and what was asked for."},
	"provider":    {Doc: "Who was asked.", Example: "serper"},
	"campaign_id": {Doc: "The campaign that it was asked for.", Example: "0198f1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"},
	"tracking_id": {Doc: "The tracking that it was asked for.", Example: "0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"},
	"name":        {Doc: "Name of the campaign, or domain of the tracking, as long as it exists.", Example: "Pizza in Decatur"},
	"requests":    {Doc: "Requests that the provider bills.", Example: 412},
	"cost_usd":    {Doc: "What they have cost, in US dollars.", Example: 1.236},
}
