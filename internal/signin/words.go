package signin

import "github.com/trigpoint/trigpoint/internal/httpapi"

// Words say what the names of signing in mean.
var Words = httpapi.Words{
	"account":         {Doc: "Who is signed in; null is nobody."},
	"account_id":      {Doc: "Identifier of the account.", Example: "0199d8a4c3f07c1e9b2a5d6e7f801234"},
	"email":           {Doc: "Email address, which names the account.", Example: "you@example.com"},
	"plan":            {Doc: "Plan of the account.", Example: "agency"},
	"password":        {Doc: "10 to 200 characters; neither the email address nor one of the most common ones.", Example: "correct horse battery staple"},
	"current":         {Doc: "The password until now.", Example: "correct horse battery"},
	"token":           {Doc: "From the link.", Example: "tpl_…"},
	"invitation":      {Doc: "From the link of an invitation.", Example: "tpl_…"},
	"revoke_keys":     {Doc: "Whether to revoke every key and token of the account, too. Programs that use them stop; say so when somebody else may have been signed in.", Example: false},
	"link":            {Doc: "For the person who is invited; shown once.", Example: "https://trigpoint.example.com/signup?invitation=tpl_…&email=you%40example.com"},
	"Start.read_only": {Doc: "Whether the credential of this request may only read.", Example: false},
	"setup_required":  {Doc: "Whether there is no account yet: the program prints a link that makes the first one.", Example: false},
	"signup":          {Doc: "Who may make an account: nobody, who is invited, or anybody."},
	"demo":            {Doc: "Whether anybody may sign in to a demo account.", Example: false},
	"mail":            {Doc: "Whether mail is configured, so that a forgotten password can be reset, and an address proved, by mail.", Example: true},
	"map":             {Doc: "The map under the grids."},
	"brand":           {Doc: "How the account shows itself; null is as Trigpoint."},
	"version":         {Doc: "Of the program.", Example: "4c38b9c0e1f2"},
	"id":              {Doc: "Identifier.", Example: "0199d8a4c3f07c1e9b2a5d6e7f801234"},
	"created_at":      {Doc: "When it was made.", Example: "2026-11-15T12:00:00Z"},
	"last_seen_at":    {Doc: "When a request last came with it, to ten minutes.", Example: "2026-11-15T12:30:00Z"},
	"used_at":         {Doc: "When an account was made with it.", Example: "2026-11-16T09:00:00Z"},
	"user_agent":      {Doc: "The browser, as it names itself; at most 200 characters.", Example: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0"},
	"address":         {Doc: "The network address that it was begun from.", Example: "203.0.113.7"},
	"Session.current": {Doc: "Whether it is the session that asks.", Example: true},
}
