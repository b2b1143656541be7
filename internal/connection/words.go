package connection

import "github.com/trigpoint/trigpoint/internal/httpapi"

// Words say what the names of connections mean.
var Words = httpapi.Words{
	"service":       {Doc: "The service: search-console or business-profile.", Example: "search-console"},
	"kind":          {Doc: "What opens it: a person's consent, or a service account."},
	"identity":      {Doc: "Email of the service account.", Example: "reader@project.iam.gserviceaccount.com"},
	"scopes":        {Doc: "What Google allows.", Example: "https://www.googleapis.com/auth/webmasters.readonly"},
	"status":        {Doc: "Whether it works."},
	"status_detail": {Doc: "Why it works no more.", Example: "Token has been expired or revoked."},
	"connected_at":  {Doc: "When it was connected.", Example: "2026-11-15T12:00:00Z"},
	"consent_url":   {Doc: "Where a person allows access.", Example: "https://accounts.google.com/o/oauth2/v2/auth?client_id=…"},
	"expires_at":    {Doc: "Until when it can be used.", Example: "2026-11-15T12:10:00Z"},
}
