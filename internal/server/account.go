package server

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// describeTokens adds what lies outside of the account's base path to its document.
func (s *Server) describeTokens(a *httpapi.Area) {
	document := a.API.OpenAPI()
	schemas := document.Components.Schemas
	answers := func(description string, kind reflect.Type, example any) *huma.Response {
		return &huma.Response{Description: description, Content: map[string]*huma.MediaType{
			"application/json": {Schema: schemas.Schema(kind, true, kind.Name()), Example: example},
		}}
	}
	refused := func(description, code, words string) *huma.Response {
		return answers(description, reflect.TypeFor[TokenRefusal](), TokenRefusal{code, words})
	}
	request := reflect.TypeFor[TokenRequest]()
	document.Paths["/oauth2/token"] = &huma.PathItem{
		Servers: []*huma.Server{{URL: s.options.PublicURL}},
		Post: &huma.Operation{
			OperationID: "issue-token", Method: http.MethodPost, Path: "/oauth2/token", Tags: []string{"Tokens"},
			Summary:     "Get an access token",
			Description: "The client-credentials grant of RFC 6749: an API key for an access token of seven days. The client may sign in with HTTP Basic instead of the body. Revoking the key ends its tokens. The path stands at the root of the server, not below the base path.",
			Security:    []map[string][]string{{}},
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/x-www-form-urlencoded": {Schema: schemas.Schema(request, true, request.Name())}}},
			Responses: map[string]*huma.Response{
				"200": answers("OK", reflect.TypeFor[TokenAnswer](), TokenAnswer{"tpt_…", "Bearer", 604800}),
				"400": refused("Bad Request", "invalid_request", "grant_type must be client_credentials."),
				"401": refused("Unauthorized", "invalid_client", "client_id must be an account's id or email and client_secret one of its API keys."),
				"429": refused("Too Many Requests", "slow_down", "Too many requests."),
				"503": refused("Service Unavailable", "temporarily_unavailable", "Try again."),
			},
		},
	}
}

// TokenRequest asks for an access token.
type TokenRequest struct {
	GrantType    string `json:"grant_type" enum:"client_credentials" doc:"The one grant that is served."`
	ClientID     string `json:"client_id,omitempty" doc:"The account's id or email." example:"you@example.com"`
	ClientSecret string `json:"client_secret,omitempty" doc:"An API key of the account." example:"tpk_…"`
}

// TokenAnswer is an access token.
type TokenAnswer struct {
	AccessToken string `json:"access_token" doc:"For the Authorization header of area B." example:"tpt_…"`
	TokenType   string `json:"token_type" enum:"Bearer" doc:"The word before it in that header."`
	ExpiresIn   int    `json:"expires_in" doc:"Seconds until it ends." example:"604800"`
}

// TokenRefusal is an error of RFC 6749.
type TokenRefusal struct {
	Error       string `json:"error" doc:"Name of the problem." example:"invalid_client"`
	Description string `json:"error_description" doc:"What to change." example:"grant_type must be client_credentials."`
}
