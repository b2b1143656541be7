package server

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// issueToken is the client-credentials grant of RFC 6749: an API key for an access token.
func (s *Server) issueToken(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	refuse := func(status int, code, description string) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(TokenRefusal{code, description})
	}
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	if err := r.ParseForm(); err != nil {
		refuse(http.StatusBadRequest, "invalid_request", "The body must be application/x-www-form-urlencoded.")
		return
	}
	if grant := r.PostForm.Get("grant_type"); grant != "client_credentials" {
		code := "unsupported_grant_type"
		if grant == "" {
			code = "invalid_request"
		}
		refuse(http.StatusBadRequest, code, "grant_type must be client_credentials.")
		return
	}
	token, life, err := s.exchange(r, w.Header())
	var known *errs.Error
	switch errors.As(err, &known); {
	case err == nil:
	case known != nil && known.Code == errs.Unauthorized:
		w.Header().Set("WWW-Authenticate", `Basic realm="trigpoint"`)
		refuse(http.StatusUnauthorized, "invalid_client", "client_id must be an account's id or email and client_secret one of its API keys.")
		return
	case known != nil && known.Code == errs.RateLimited:
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(known.RetryAfter.Seconds()))))
		refuse(http.StatusTooManyRequests, "slow_down", known.Message)
		return
	default:
		httpapi.From(r.Context()).Fault = err
		w.Header().Set("Retry-After", "2")
		refuse(http.StatusServiceUnavailable, "temporarily_unavailable", "Try again.")
		return
	}
	_ = json.NewEncoder(w).Encode(TokenAnswer{token, "Bearer", int(life.Seconds())})
}

// exchange gives a token to a client that signs in, within the limits of its account or its address.
func (s *Server) exchange(r *http.Request, h http.Header) (token string, life time.Duration, err error) {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	client, key := clientCredentials(r)
	now := s.options.Clock.Now()
	who, err := s.limits.SignIn(httpapi.From(ctx).Client, key, now, h, func() (account.Principal, error) {
		return s.options.Accounts.Client(ctx, client, key)
	})
	if err != nil {
		return "", 0, err
	}
	if err := s.limits.Take(who, now, h); err != nil {
		return "", 0, err
	}
	return s.options.Accounts.Exchange(ctx, who)
}

// clientCredentials come in the form or, as the RFC prefers, as HTTP Basic with encoded parts.
func clientCredentials(r *http.Request) (client, key string) {
	if user, password, ok := r.BasicAuth(); ok {
		client, errClient := url.QueryUnescape(user)
		key, errKey := url.QueryUnescape(password)
		if errClient == nil && errKey == nil {
			return client, key
		}
	}
	return r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
}
