package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// SessionCookie names the cookie that holds the token of a person who has signed in. Every area takes it where no
// credential header is sent. Where people come by https its prefix has browsers keep it for this very host, so that no
// other one of the same domain can plant a session.
func SessionCookie(https bool) string {
	if https {
		return "__Host-trigpoint_session"
	}
	return "trigpoint_session"
}

func sessionScheme(https bool) *huma.SecurityScheme {
	return &huma.SecurityScheme{
		Type: "apiKey", In: "cookie", Name: SessionCookie(https),
		Description: "A person who has signed in to the dashboard. What changes something must come from a page of the same site.",
	}
}

// IsHTTPS tells whether people come by https to a public URL.
func IsHTTPS(publicURL string) bool { return strings.HasPrefix(publicURL, "https://") }

// sessionToken is the token of a request's cookie, or "".
func sessionToken(r *http.Request) string {
	cookie, err := r.Cookie(SessionCookie(From(r.Context()).HTTPS))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Visitor finds who is signed in where a request outside of the areas comes from; nobody is no error.
func Visitor(r *http.Request, accounts *account.Accounts) (account.Principal, error) {
	token := sessionToken(r)
	if token == "" {
		return account.Principal{}, nil
	}
	who, err := accounts.AuthenticateSession(r.Context(), token)
	if errs.CodeOf(err) == errs.Unauthorized {
		return account.Principal{}, nil
	}
	return who, err
}

// SetSession has the browser that the request of ctx comes from keep a session's token for so many seconds; below 0 it
// takes it away.
func SetSession(ctx context.Context, token string, seconds int) {
	req := From(ctx)
	cookie := &http.Cookie{ //nolint:gosec // not Secure over plain http: it would never come back
		Name: SessionCookie(req.HTTPS), Value: token, Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: req.HTTPS,
	}
	req.answer.Add("Set-Cookie", cookie.String())
}

// Browser is where the request that ctx belongs to comes from.
func Browser(ctx context.Context) account.Browser { return From(ctx).browser }

// Guess runs a try of what strangers might guess, such as a password. Those that are refused count for the client's
// network; one with too many of them is refused without a try.
func Guess(ctx context.Context, try func() error) error {
	req := From(ctx)
	return req.Area.edge.Limits.guess(req.Client, req.Area.edge.Clock.Now(), req.answer, try)
}

// Spend counts what strangers might do too often, such as making accounts, as Guess counts a try in vain.
func Spend(ctx context.Context) error {
	req := From(ctx)
	return req.Area.edge.Limits.spend(req.Client, req.Area.edge.Clock.Now(), req.answer)
}
