package webhook

import "github.com/trigpoint/trigpoint/internal/httpapi"

// Words say what the names of webhooks and events mean.
var Words = httpapi.Words{
	"Webhook.url":            {Doc: "Where messages are posted.", Example: "https://example.com/hooks/trigpoint"},
	"MadeWebhook.url":        {Doc: "Where messages are posted.", Example: "https://example.com/hooks/trigpoint"},
	"ReceiverInput.url":      {Doc: "Where messages are posted, http(s), at most 2,000 characters. It must lead to a public address.", Example: "https://example.com/hooks/trigpoint"},
	"kinds":                  {Doc: "Kinds of events that it is told of; empty is all.", Example: []any{"report.collected", "listing.changed"}},
	"paused":                 {Doc: "Whether it is told of nothing for the time being.", Example: false},
	"paused_at":              {Doc: "Since when it is told of nothing; absent while it is."},
	"Webhook.detail":         {Doc: "Why it was paused, where it was not by its owner.", Example: ""},
	"MadeWebhook.detail":     {Doc: "Why it was paused, where it was not by its owner.", Example: ""},
	"MadeWebhook.secret":     {Doc: "Signs the messages, as Standard Webhooks says. It cannot be shown again.", Example: "whsec_…"},
	"Webhook.created_at":     {Doc: "When it was made.", Example: "2026-11-15T12:00:00Z"},
	"event_id":               {Doc: "The event; also the webhook-id of its message.", Example: "0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"},
	"Delivery.kind":          {Doc: "What has happened.", Example: "report.collected"},
	"Event.kind":             {Doc: "What has happened.", Example: "report.collected"},
	"list-events.kind":       {Doc: "Only events of this kind.", Example: "report.collected"},
	"at":                     {Doc: "When it happened.", Example: "2026-11-15T12:00:00Z"},
	"Delivery.status":        {Doc: "pending: it will be tried, again or for the first time; delivered: the receiver has it; failed: given up."},
	"list-deliveries.status": {Doc: "Only messages of this status."},
	"attempts":               {Doc: "How often it was tried.", Example: 1},
	"tried_at":               {Doc: "When it was last tried.", Example: "2026-11-15T12:00:01Z"},
	"next_at":                {Doc: "When it is tried next; absent when it is not."},
	"took_ms":                {Doc: "How long the receiver took to answer, in milliseconds.", Example: 34.2},
	"code":                   {Doc: "HTTP status of the answer; absent when there was none.", Example: 200},
	"answer":                 {Doc: "First 200 characters of the answer, or why there was none.", Example: "ok"},
	"Event.data":             {Doc: "To what, and the figures that matter; by kind, as Events in this document says."},
	"Replayed.events":        {Doc: "How many events it is told again.", Example: 42},
	"until":                  {Doc: "When the newest of them happened; null when there were none.", Example: "2026-11-15T12:00:00Z"},
	"replay-events.since":    {Doc: "All events from this instant on.", Example: "2026-11-14T00:00:00Z"},
	"list-events.since":      {Doc: "Only events from this instant on.", Example: "2026-11-14T00:00:00Z"},

	"CreateWebhookRequest.url":    {Doc: "Where messages are posted, http(s), at most 2,000 characters. It must lead to a public address. Required.", Example: "https://example.com/hooks/trigpoint"},
	"ReplayEventsInputBody.since": {Doc: "All events from this instant on.", Example: "2026-11-14T00:00:00Z"},
	"ReplayEventsRequest.since":   {Doc: "All events from this instant on.", Example: "2026-11-14T00:00:00Z"},
}
