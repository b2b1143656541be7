package recipient

import (
	"context"
	_ "embed"
	"errors"
	"html/template"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// page is what a recipient is shown: words, and buttons that each post to an address.
type page struct {
	Title, Text string
	Buttons     []button
}

type button struct{ Label, Action string }

// MountPublic registers the pages where recipients say yes or no. A GET decides nothing: programs that look at mail open its links.
func (s *Service) MountPublic(mux *http.ServeMux, limits *httpapi.Limiter) {
	for pattern, decide := range map[string]func(context.Context, string) (page, error){
		"GET " + account.ConfirmPath:  s.askToConfirm,
		"POST " + account.ConfirmPath: s.confirm,
		"GET " + account.StopPath:     s.askToStop,
		"POST " + account.StopPath:    s.stop, // also by mail programs, as List-Unsubscribe-Post says
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Content-Type", "text/html; charset=utf-8")
			h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
			h.Set("Cache-Control", "no-store")
			h.Set("Referrer-Policy", "no-referrer") // the address holds the token
			h.Set("X-Robots-Tag", "noindex")
			var shown page
			err := limits.Visit(httpapi.From(r.Context()).Client, s.Clock.Now(), h)
			if err == nil {
				shown, err = decide(r.Context(), r.URL.Query().Get("token"))
			}
			if err != nil {
				shown = fail(w, r, err)
			}
			_ = pageTemplate.Execute(w, shown) // the client has gone
		})
	}
}

// fail says what is wrong, without internals.
func fail(w http.ResponseWriter, r *http.Request, err error) page {
	var known *errs.Error
	switch {
	case errors.As(err, &known) && known.Code == errs.Forbidden:
		w.WriteHeader(http.StatusForbidden)
		return page{Title: "This link does not work", Text: "It has been used or is too old. Whoever wants to send you mail may ask you again."}
	case errors.As(err, &known) && known.Code == errs.RateLimited:
		w.WriteHeader(http.StatusTooManyRequests)
		return page{Title: "One moment", Text: known.Message}
	}
	httpapi.From(r.Context()).Fault = err
	w.WriteHeader(http.StatusServiceUnavailable)
	return page{Title: "Something failed here", Text: "Try again in a few minutes."}
}

func (s *Service) askToConfirm(ctx context.Context, token string) (page, error) {
	r, err := s.Accounts.FindAsked(ctx, token)
	if err != nil {
		return page{}, err
	}
	asker, err := s.Accounts.AskerOf(ctx, r)
	return page{"Do you want these mails?", asker.Name() + " wants to mail reports and alerts on local search to " + r.Email + ". You can end that at any time, with a link in each mail.", []button{
		{"Yes, send them", account.MailLink("", account.ConfirmPath, token)}, {"No", account.MailLink("", account.StopPath, r.StopToken)},
	}}, err
}

func (s *Service) confirm(ctx context.Context, token string) (page, error) {
	r, err := s.decide(ctx, func(tx *db.Tx) (account.Recipient, error) { return s.Accounts.ConfirmRecipient(ctx, tx, token) })
	return page{Title: "Confirmed", Text: "Reports and alerts now come to " + r.Email + ". Each has a link that ends them."}, err
}

func (s *Service) askToStop(ctx context.Context, token string) (page, error) {
	r, err := s.Accounts.FindRecipient(ctx, s.DB, token)
	if err != nil {
		return page{}, err
	}
	asker, err := s.Accounts.AskerOf(ctx, r)
	return page{"No more mail?", asker.Name() + " then sends no more reports and alerts to " + r.Email + ", and cannot ask you again for 30 days.", []button{
		{"Send me no more", account.MailLink("", account.StopPath, token)},
	}}, err
}

func (s *Service) stop(ctx context.Context, token string) (page, error) {
	r, err := s.decide(ctx, func(tx *db.Tx) (account.Recipient, error) { return s.Accounts.EndRecipient(ctx, tx, token) })
	return page{Title: "No more mail", Text: r.Email + " gets no more reports and alerts from this sender."}, err
}

func (s *Service) decide(ctx context.Context, fn func(*db.Tx) (account.Recipient, error)) (r account.Recipient, err error) {
	err = s.DB.Tx(ctx, func(tx *db.Tx) error {
		r, err = fn(tx)
		return err
	})
	return r, err
}
