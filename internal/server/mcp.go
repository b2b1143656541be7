package server

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// serveMCP answers assistants, which send an API key as a Bearer token: that is the header their settings know.
func (s *Server) serveMCP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	// Pages of other sites have no key, and no cookie counts here; the protocol has them refused all the same, and a browser would not
	// let them read the answer.
	if err := s.origins.Check(r); err != nil {
		s.fail(w, r, errs.With(errs.Forbidden, errs.CrossOrigin, "This request was sent by a page of another site. Assistants ask from their own program or server.").Because(err))
		return
	}
	word, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if key = strings.TrimSpace(key); !strings.EqualFold(word, "Bearer") || key == "" {
		s.fail(askingForBearer{w}, r, account.Refused())
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	req := httpapi.From(r.Context())
	who, err := s.limits.SignIn(req.Client, key, s.options.Clock.Now(), w.Header(), func() (account.Principal, error) {
		return s.options.Accounts.Authenticate(ctx, account.Key, key)
	})
	if err == nil {
		req.Principal = who
		err = s.limits.Take(who, s.options.Clock.Now(), w.Header())
	}
	if err == nil {
		err = s.assistants.Serve(w, r, key, !who.ReadOnly)
	}
	if err != nil {
		s.fail(askingForBearer{w}, r, err)
	}
}

// askingForBearer answers 401 with the scheme that assistants use, in place of the area's.
type askingForBearer struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w askingForBearer) WriteHeader(status int) {
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="trigpoint"`)
	}
	w.ResponseWriter.WriteHeader(status)
}
