package connection

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/jwt"

	"github.com/trigpoint/trigpoint/internal/provider"
)

const googleTitle = "Google"

// tokenTime bounds one exchange with the token endpoint.
const tokenTime = 15 * time.Second

// google is the authorization server.
type google struct {
	client                       *http.Client
	clientID, clientSecret       string
	authURL, tokenURL, revokeURL string
	redirectURL                  string
}

func newGoogle(o Options) (*google, error) {
	g := &google{
		clientID: o.ClientID, clientSecret: o.ClientSecret,
		authURL:     cmp.Or(o.AuthURL, "https://accounts.google.com/o/oauth2/v2/auth"),
		tokenURL:    cmp.Or(o.TokenURL, "https://oauth2.googleapis.com/token"),
		revokeURL:   cmp.Or(o.RevokeURL, "https://oauth2.googleapis.com/revoke"),
		redirectURL: o.PublicURL + CallbackPath,
	}
	for setting, text := range map[string]string{"google-auth-url": g.authURL, "google-token-url": g.tokenURL, "google-revoke-url": g.revokeURL} {
		if u, err := url.Parse(text); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return nil, fmt.Errorf("%s is not an http(s) URL", setting)
		}
	}
	g.client = &http.Client{
		Timeout: tokenTime,
		// Following would hand the credential to wherever the answer points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return g, nil
}

func (g *google) config(s Service) *oauth2.Config {
	return &oauth2.Config{
		ClientID: g.clientID, ClientSecret: g.clientSecret, RedirectURL: g.redirectURL, Scopes: []string{s.scope()},
		Endpoint: oauth2.Endpoint{AuthURL: g.authURL, TokenURL: g.tokenURL, AuthStyle: oauth2.AuthStyleInParams},
	}
}

// consentURL is where a person allows access. Scopes that were granted before are not included: ending one
// connection at Google must not end the other.
func (g *google) consentURL(s Service, state, verifier string) string {
	return g.config(s).AuthCodeURL(state, oauth2.AccessTypeOffline, oauth2.ApprovalForce, oauth2.S256ChallengeOption(verifier))
}

// exchange gives the tokens for the code that a person came back with.
func (g *google) exchange(ctx context.Context, s Service, code, verifier string) (*oauth2.Token, error) {
	return g.ask(ctx, Credential{}, func(ctx context.Context) (*oauth2.Token, error) {
		return g.config(s).Exchange(ctx, code, oauth2.VerifierOption(verifier))
	})
}

// token asks for an access token. RefreshToken of the answer is another one when Google has rotated it.
func (g *google) token(ctx context.Context, s Service, c Credential) (*oauth2.Token, error) {
	return g.ask(ctx, c, func(ctx context.Context) (*oauth2.Token, error) {
		if a := c.ServiceAccount; a != nil {
			signed := jwt.Config{Email: a.ClientEmail, PrivateKey: []byte(a.PrivateKey), PrivateKeyID: a.PrivateKeyID, Scopes: []string{s.scope()}, TokenURL: g.tokenURL}
			return signed.TokenSource(ctx).Token()
		}
		return g.config(s).TokenSource(ctx, &oauth2.Token{RefreshToken: c.RefreshToken}).Token()
	})
}

// ask asks again once where Google failed, as it advises.
func (g *google) ask(ctx context.Context, c Credential, request func(context.Context) (*oauth2.Token, error)) (*oauth2.Token, error) {
	withClient := context.WithValue(ctx, oauth2.HTTPClient, g.client)
	for again := true; ; again = false {
		token, err := request(withClient)
		if err == nil && token.AccessToken == "" {
			err = errors.New("there is no access_token in the answer")
		}
		if err == nil {
			return token, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", googleTitle, ctx.Err())
		}
		refused := explain(err, c)
		if refused.Kind != provider.Transient || !again {
			return nil, refused
		}
	}
}

// revoke ends a refresh token at Google.
func (g *google) revoke(ctx context.Context, c Credential) error {
	form := url.Values{"token": {c.RefreshToken}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.revokeURL, strings.NewReader(form.Encode()))
	if err != nil {
		return errors.New("google-revoke-url cannot be used")
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := g.client.Do(req)
	if err != nil {
		return errors.New("Google could not be reached") //nolint:staticcheck // a name
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}

// endedError is the cause of a refusal after which a credential works never again.
type endedError struct{ reason string }

func (e *endedError) Error() string { return e.reason }

// explain makes a sentence of a failed request for tokens. Nothing that was sent is in it.
func explain(err error, c Credential) *provider.Error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return provider.Errorf(provider.Transient, googleTitle, "Google gave no token: it could not be reached or its answer cannot be read.")
	}
	var answer struct {
		Code  string `json:"error"`
		Words string `json:"error_description"`
	}
	_ = json.Unmarshal(refused.Body, &answer) // not every refusal has a reason
	words := cmp.Or(legible(answer.Words), "Google gave no reason.")
	status := refused.Response.StatusCode
	cause := fmt.Errorf("HTTP %d %s: %s", status, legible(answer.Code), words)
	switch {
	case status == http.StatusTooManyRequests:
		return provider.Errorf(provider.RateLimited, googleTitle, "Google asks for fewer requests for tokens.").Because(cause)
	case status >= 500 || status < 400 || answer.Code == "internal_failure" || answer.Code == "":
		return provider.Errorf(provider.Transient, googleTitle, "Google failed to give a token (status %d).", status).Because(cause)
	case answer.Code == "invalid_grant" && strings.Contains(words, "reasonable timeframe"):
		return provider.Errorf(provider.Unauthorized, googleTitle, "Google refused the signature of the service account for its time: set the clock of this machine.").Because(cause)
	case answer.Code == "invalid_grant" || answer.Code == "invalid_scope":
		return provider.Errorf(provider.Unauthorized, googleTitle, "Google no longer accepts it: %s", words).Because(&endedError{words})
	case c.ServiceAccount == nil && (answer.Code == "invalid_client" || answer.Code == "unauthorized_client"):
		return provider.Errorf(provider.Unauthorized, googleTitle, "Google does not accept the OAuth client: check google-client-id and google-client-secret. %s", words).Because(cause)
	default:
		return provider.Errorf(provider.Unauthorized, googleTitle, "Google gave no token: %s", words).Because(cause)
	}
}

// legible makes words from outside fit for one line.
func legible(words string) string {
	const most = 200
	words = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(words, "?"), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if len(words) > most {
		words = strings.ToValidUTF8(words[:most], "") + "…"
	}
	return words
}
