package connection

import (
	"context"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"regexp"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// CallbackPath is where Google sends people back to; it is registered with the OAuth client.
const CallbackPath = "/oauth/google/callback"

//go:embed callback.html
var callbackSource string

var callbackTemplate = template.Must(template.New("callback").Parse(callbackSource))

// callbackTime bounds the exchange of a code, which a person waits for.
const callbackTime = 45 * time.Second

// MountPublic registers the page that people come back to.
func (c *Connections) MountPublic(mux *http.ServeMux) {
	mux.HandleFunc("GET "+CallbackPath, c.serveCallback)
}

type callbackPage struct{ Title, Text string }

func (c *Connections) serveCallback(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), callbackTime)
	defer cancel()
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address holds the code
	page, err := c.comeBack(ctx, r)
	var known *errs.Error
	var refused *provider.Error
	switch {
	case err == nil:
	case errors.As(err, &known) && known.Code == errs.Invalid:
		page = callbackPage{"Nothing was connected", known.Message}
		w.WriteHeader(http.StatusBadRequest)
	case errors.As(err, &refused):
		page = callbackPage{"Nothing was connected", refused.Message + " Ask for a new link and try again."}
		w.WriteHeader(http.StatusBadGateway)
	default:
		httpapi.From(ctx).Fault = err
		page = callbackPage{"Nothing was connected", "Something failed here. Ask for a new link and try again in a few minutes."}
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = callbackTemplate.Execute(w, page) // the client has gone
}

var errorName = regexp.MustCompile(`^[a-z_]{1,40}$`)

// comeBack keeps what a person has allowed.
func (c *Connections) comeBack(ctx context.Context, r *http.Request) (page callbackPage, err error) {
	param := r.URL.Query().Get
	const most = 2 << 10 // characters of a code or a state
	state, code, refused := param("state"), param("code"), param("error")
	if state == "" || len(state) > most || len(code) > most {
		return page, errs.New(errs.Invalid, "Google sends people to this page with a state and a code; it cannot be opened by itself. Ask for a link with POST %s/connections.", httpapi.AccountPrefix)
	}
	visitor, err := httpapi.Visitor(r, c.accounts)
	if err != nil {
		return page, err
	}
	allowed, err := c.take(ctx, state, visitor)
	switch {
	case err != nil:
		return page, err
	case refused == "access_denied":
		return page, errs.New(errs.Invalid, "Access to %s was not allowed. If that was a mistake, ask for a new link and choose Allow.", allowed.service.Title())
	case errorName.MatchString(refused):
		return page, errs.New(errs.Invalid, "Google refused with %s. Check the OAuth client: its redirect URI must be %s, and the scope %s enabled.", refused, c.google.redirectURL, allowed.service.scope())
	case code == "":
		return page, errs.New(errs.Invalid, "Google sent no code. Ask for a new link and try again.")
	}
	if _, err := c.finish(ctx, allowed, code); err != nil {
		return page, err
	}
	who, err := c.accounts.Principal(ctx, allowed.accountID)
	return callbackPage{allowed.service.Title() + " is connected", "It is connected with the account of " + who.Email + ". You can close this page."}, err
}
