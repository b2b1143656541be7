package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// admit is the one gate that every operation passes: credential, rate, rights, and what holds for every
// query and body.
func (a *Area) admit(op Op, writes bool) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(ctx)
		req := From(r.Context())
		defer req.release()
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(op.bodyTime() + op.time() + answerTime))
		req.time = op.time()
		req.Area, req.Operation, req.HTML = a, op.ID, prefersHTML(r.Header.Get("Accept"))
		if err := a.enter(op, writes, req, r, w, ctx.Operation().Parameters); err != nil {
			if req.Principal.AccountID != "" {
				op.drain(r, w)
			}
			a.refuse(ctx, err)
			return
		}
		next(ctx)
	}
}

// refuse answers with a failure.
func (a *Area) refuse(ctx huma.Context, err error) {
	req := From(ctx.Context())
	f := a.failure(req, asError(err), ctx.SetHeader)
	if f.status >= 500 {
		req.Fault = err
	}
	ctx.SetHeader("Content-Type", jsonMedia)
	ctx.SetStatus(f.status)
	_ = jsonFormat.Marshal(ctx.BodyWriter(), f) // the client has gone
}

// drain reads the body of a request that is refused, and keeps none of it: a client that is still sending
// would see its connection break in place of the answer. One that waits to be asked for it is not asked.
func (op Op) drain(r *http.Request, w http.ResponseWriter) {
	if r.Header.Get("Expect") != "" || r.ContentLength > op.maxBody() {
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(op.bodyTime()))
	_, _ = io.CopyN(io.Discard, r.Body, op.bodySize(r)) // what does not arrive is not missed
}

func (a *Area) enter(op Op, writes bool, req *Request, r *http.Request, w http.ResponseWriter, params []*huma.Param) error {
	req.browser = account.Browser{UserAgent: r.UserAgent(), Address: req.Client.String()}
	req.answer = w.Header()
	payer, err := a.signIn(op, req, r, w.Header())
	if err != nil {
		return err
	}
	who := req.Principal
	if err := a.edge.Limits.Take(who, a.edge.Clock.Now(), w.Header()); err != nil {
		return err
	}
	if op.Session && !who.Session {
		return errs.With(errs.Forbidden, errs.SessionRequired, "This is done by a person: sign in to the dashboard. A key or token is not enough.")
	}
	req.memory, req.payer = a.edge.Memory, payer
	if err := Hold(r.Context(), requestCost+bodyCost*op.bodySize(r)); err != nil {
		return err
	}
	if writes && who.ReadOnly {
		return errs.With(errs.Forbidden, errs.ReadOnlyKey, "This credential is read-only.")
	}
	if req.problems, err = checkQuery(r, params); err != nil {
		return err
	}
	if err := checkContentType(op, req, r); err != nil {
		return err
	}
	if writes && !op.Secret && !op.Public {
		return takeIdempotencyKey(op, req, r, w)
	}
	return nil
}

// signIn finds for whom a request acts, and whom it counts for: the holder of its credential, or all who follow
// links of the owner of the record that its share token opens. Where no credential is needed it may be nobody.
func (a *Area) signIn(op Op, req *Request, r *http.Request, h http.Header) (payer string, err error) {
	ctx, cancel := context.WithTimeout(r.Context(), signInTime)
	defer cancel()
	now := a.edge.Clock.Now()
	secret, given := a.Scheme.secret(r.Header)
	if secret != "" {
		who, err := a.edge.Limits.SignIn(req.Client, secret, now, h, func() (account.Principal, error) {
			return a.edge.Accounts.Authenticate(ctx, a.Scheme.Kind, secret)
		})
		req.Principal = who
		return who.AccountID, err
	}
	session := sessionToken(r)
	if !given && (session != "" || op.Public) { // a browser sends its cookie whoever made the request
		if err := a.edge.CrossOrigin.Check(r); err != nil {
			return "", errs.With(errs.Forbidden, errs.CrossOrigin, "This request was sent by a page of another site. Send it from the dashboard, or with a key in the %s header.", a.Scheme.Header).Because(err)
		}
	}
	if !given && session != "" {
		who, err := a.edge.Limits.SignIn(req.Client, session, now, h, func() (account.Principal, error) {
			return a.edge.Accounts.AuthenticateSession(ctx, session)
		})
		if errs.CodeOf(err) != errs.Unauthorized {
			req.Principal = who
			return who.AccountID, err
		}
	}
	token := r.URL.Query().Get(ShareToken)
	switch {
	case given: // another kind of credential
	case op.Public:
		return "", a.edge.Limits.Visit(req.Client, now, h)
	case op.Shared != nil && token != "":
		owner, err := a.edge.Limits.SignIn(req.Client, r.URL.Path+"?"+token, now, h, func() (account.Principal, error) {
			owner, err := op.Shared(ctx, r, token)
			if err != nil {
				return account.Principal{}, err
			}
			return a.edge.Accounts.Principal(ctx, owner)
		})
		if err != nil {
			return "", err
		}
		return visitorsOf(owner), a.edge.Limits.VisitShared(req.Client, token, owner, now, h)
	}
	return "", account.Refused() // nothing was tried: there is nothing to look up or to count
}

func (s Scheme) secret(h http.Header) (string, bool) {
	value := h.Get(s.Header)
	if s.Word == "" {
		return value, value != ""
	}
	word, secret, _ := strings.Cut(value, " ")
	if !strings.EqualFold(word, s.Word) {
		return "", value != ""
	}
	return strings.TrimSpace(secret), true
}

// checkQuery joins repeated parameters with commas, so that a=1&a=2 and a=1,2 mean the same, and finds
// what no store can keep and values that do not fit their type. These problems are reported together
// with those of the other parameters.
func checkQuery(r *http.Request, params []*huma.Param) (problems errs.Problems, err error) {
	if r.URL.RawQuery == "" {
		return nil, nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		problems.Add("", errs.InvalidParameter, "The query is not URL-encoded: %v.", err)
		return nil, problems.Err()
	}
	repeated := false
	for name, values := range query {
		for _, v := range values {
			if !utf8.ValidString(v) || strings.ContainsRune(v, 0) {
				problems.Add(strings.ToValidUTF8(name, "?"), errs.InvalidParameter, "The parameter is not valid UTF-8 text.")
			}
		}
		if len(values) > 1 {
			repeated = true
			query[name] = []string{strings.Join(values, ",")}
		}
	}
	for _, p := range params {
		if v, sent := query[p.Name]; sent && p.In == "query" {
			if must := misfit(p.Schema, v[0]); must != "" {
				problems.Add(p.Name, errs.InvalidParameter, "%s must %s.", p.Name, must)
			}
		}
	}
	if repeated {
		r.URL.RawQuery = query.Encode()
	}
	return problems, nil
}

// misfit says what a value that is no value of its type must be; "" when it is one.
func misfit(s *huma.Schema, value string) string {
	if value == "" {
		return "have a value, or be left out"
	}
	switch s.Type {
	case huma.TypeBoolean:
		if value != "true" && value != "false" {
			return "be true or false"
		}
	case huma.TypeInteger:
		bits := 64
		if s.Format == "int32" {
			bits = 32
		}
		if _, err := strconv.ParseInt(value, 10, bits); err != nil {
			return fmt.Sprintf("be a whole number of at most %d bits", bits)
		}
	case huma.TypeNumber:
		if f, err := strconv.ParseFloat(value, 64); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return "be a number"
		}
	}
	return ""
}

func checkContentType(op Op, req *Request, r *http.Request) error {
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != jsonMedia && !slices.Contains(op.Media, kind) {
		accepted := append([]string{jsonMedia}, op.Media...)
		return errs.New(errs.MediaType, "The request body must be sent with Content-Type: %s.", strings.Join(accepted, " or "))
	}
	req.Media = kind
	return nil
}

// takeIdempotencyKey reads the body ahead to know it again when the key comes back.
func takeIdempotencyKey(op Op, req *Request, r *http.Request, w http.ResponseWriter) error {
	req.Key = r.Header.Get("Idempotency-Key")
	if req.Key == "" || (r.Method != http.MethodPost && r.Method != http.MethodPut) {
		req.Key = ""
		return nil
	}
	if len(req.Key) > 255 || !printable(req.Key) {
		var problems errs.Problems
		problems.Add("Idempotency-Key", errs.InvalidParameter, "Idempotency-Key must be 1 to 255 printable ASCII characters.")
		return problems.Err()
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(op.bodyTime()))
	body, err := io.ReadAll(io.LimitReader(r.Body, op.maxBody()+1))
	if err != nil {
		return errs.New(errs.Invalid, "The request body could not be read.").Because(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s?%s\n", r.Method, r.URL.Path, r.URL.RawQuery)
	sum.Write(body)
	sum.Sum(req.Body[:0])
	return nil
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}
