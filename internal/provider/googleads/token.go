package googleads

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// tokenTime bounds one exchange with the token endpoint.
const tokenTime = 15 * time.Second

// tokens gets access tokens for the refresh token, and uses each as long as it is valid.
type tokens struct {
	config  oauth2.Config
	refresh string
	client  *http.Client
	turn    chan struct{} // taken by the one who asks for a token
	current *oauth2.Token
}

func newTokens(o Options) *tokens {
	return &tokens{
		config: oauth2.Config{
			ClientID: o.ClientID, ClientSecret: o.ClientSecret,
			Endpoint: oauth2.Endpoint{TokenURL: o.TokenURL, AuthStyle: oauth2.AuthStyleInParams},
		},
		refresh: o.RefreshToken,
		client: &http.Client{
			Timeout:   tokenTime,
			Transport: http.DefaultTransport.(*http.Transport).Clone(),
			// Following would hand the credential to wherever the answer points.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		turn: make(chan struct{}, 1),
	}
}

func (t *tokens) close() { t.client.CloseIdleConnections() }

// get is a token that is valid for some time yet.
func (t *tokens) get(ctx context.Context) (*oauth2.Token, error) {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if t.current.Valid() {
		return t.current, nil
	}
	source := t.config.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, t.client), &oauth2.Token{RefreshToken: t.refresh})
	token, err := source.Token()
	if err != nil {
		return nil, err
	}
	t.current = token
	return token, nil
}

// authorize adds the access token to a request. Errors of the token endpoint may quote the credential: only their
// code is kept.
func (p *Provider) authorize(r *http.Request) error {
	if err := r.Context().Err(); err != nil {
		return err
	}
	token, err := p.tokens.get(r.Context())
	if err == nil {
		token.SetAuthHeader(r)
		return nil
	}
	if r.Context().Err() != nil {
		return r.Context().Err()
	}
	d := p.Describe()
	var refused *oauth2.RetrieveError
	switch {
	case !errors.As(err, &refused):
		return provider.Errorf(provider.Transient, d.Title, "Google's token endpoint could not be reached.")
	case refused.Response.StatusCode == http.StatusTooManyRequests:
		return provider.Errorf(provider.RateLimited, d.Title, "Google's token endpoint asks for fewer requests.")
	case refused.Response.StatusCode >= 500 || refused.ErrorCode == "":
		return provider.Errorf(provider.Transient, d.Title, "Google's token endpoint failed to answer (status %d).", refused.Response.StatusCode)
	case refused.ErrorCode == "invalid_grant":
		return provider.Errorf(provider.Unauthorized, d.Title, "Google no longer accepts the refresh token: allow access again and set %s.", d.Env("refresh_token"))
	default:
		return provider.Errorf(provider.Unauthorized, d.Title, "Google refused to give an access token%s: check %s and %s.",
			code(refused.ErrorCode), d.Env("client_id"), d.Env("client_secret"))
	}
}

// code is an error code of OAuth in brackets; anything else in its place may quote the credential, and is left out.
func code(word string) string {
	if len(word) > 40 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return ""
	}
	return " (" + word + ")"
}
