package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// SessionCookie holds the token of a person who has signed in. Every area takes it where no credential header is sent.
const SessionCookie = "trigpoint_session"

var sessionScheme = &huma.SecurityScheme{
	Type: "apiKey", In: "cookie", Name: SessionCookie,
	Description: "A person who has signed in to the dashboard. What changes something must come from a page of the same site.",
}

// sessionToken is the token of a request's cookie, or "".
func sessionToken(r *http.Request) string {
	cookie, err := r.Cookie(SessionCookie)
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

// SetCookie adds a cookie to the answer of the request that ctx belongs to.
func SetCookie(ctx context.Context, cookie *http.Cookie) {
	From(ctx).answer.Add("Set-Cookie", cookie.String())
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
