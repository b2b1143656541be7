package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// installErrors makes huma answer every failure through the area of the request. huma keeps this hook in
// a package variable; it is set to a function without state, once. So is that an array is never null.
var installErrors = sync.OnceFunc(func() {
	huma.DefaultArrayNullable = false
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, problems ...error) huma.StatusError {
		req := From(ctx.Context())
		e := classify(status, message, problems, req.problems)
		if e.Code == errs.Internal || e.Code == errs.Unavailable {
			req.Fault = e
		}
		return req.Area.failure(req, e, ctx.SetHeader)
	}
})

type failure struct {
	status int
	body   any
}

func (f *failure) Error() string  { return http.StatusText(f.status) }
func (f *failure) GetStatus() int { return f.status }

func (f *failure) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := jsonFormat.Marshal(&b, f.body)
	return b.Bytes(), err
}

// maxDetails keeps the answer to a huge broken request readable.
const maxDetails = 100

func (a *Area) failure(req *Request, e *errs.Error, setHeader func(name, value string)) *failure {
	status := a.Errors.Status(e.Code)
	if e.Code == errs.Unauthorized {
		challenge := a.Scheme.Word
		if challenge == "" {
			challenge = "ApiKey"
		}
		setHeader("WWW-Authenticate", challenge+` realm="trigpoint"`)
	}
	if status == http.StatusServiceUnavailable && e.RetryAfter == 0 {
		e.RetryAfter = 2 * time.Second
	}
	if more := len(e.Details) - maxDetails; more > 0 {
		e.Details = append(e.Details[:maxDetails:maxDetails], errs.Detail{Status: errs.TooMany, Message: fmt.Sprintf("There are %d more problems.", more)})
	}
	if e.RetryAfter > 0 {
		setHeader("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
	}
	return &failure{status: status, body: a.Errors.Body(req.ID, status, e)}
}

// Fail answers a request with an error outside an operation: an unknown path, or a panic.
func (a *Area) Fail(w http.ResponseWriter, req *Request, err error) {
	f := a.failure(req, asError(err), w.Header().Set)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.status)
	_ = jsonFormat.Marshal(w, f)
}

// asError makes any error one that may be shown; what is not ours keeps its text for the log only.
func asError(err error) *errs.Error {
	var e *errs.Error
	switch {
	case errors.As(err, &e):
		return e
	case db.IsFull(err):
		return errs.New(errs.Unavailable, "The disk of the store is full: nothing can be written until its operator has made room. Reading goes on.").Because(err)
	case db.IsUnavailable(err):
		return errs.New(errs.Unavailable, "The store cannot be reached at the moment; try again.").Because(err)
	case errors.Is(err, context.Canceled):
		return errs.New(errs.Unavailable, "The request was cancelled.").Because(err)
	}
	return errs.New(errs.Internal, "Internal error; the request id helps to find it in the log.").Because(err)
}

// classify turns what huma found wrong with a request, or what a handler returned, into one error.
func classify(status int, message string, problems []error, found []errs.Detail) *errs.Error {
	if status >= 500 && len(problems) > 0 {
		return asError(problems[0])
	}
	switch status {
	case http.StatusRequestEntityTooLarge:
		return errs.New(errs.TooLarge, "The request body is too large.")
	case http.StatusUnsupportedMediaType:
		return errs.New(errs.MediaType, "The request body must be application/json.")
	case http.StatusRequestTimeout:
		return errs.New(errs.Invalid, "The request body did not arrive in time.")
	}
	e := &errs.Error{Code: errs.Invalid, Message: "Invalid request.", Details: found}
	for _, problem := range problems {
		var own *errs.Error
		var schema *huma.ErrorDetail
		switch {
		case errors.As(problem, &own) && own.Code == errs.Invalid:
			e.Details = append(e.Details, own.Details...)
		case errors.As(problem, &own):
			return own
		case errors.As(problem, &schema):
			if slices.ContainsFunc(found, func(d errs.Detail) bool { return "query."+d.Field == schema.Location }) {
				continue // said already, and better
			}
			if schema.Location == "body" { // not decodable; the rules see only what could be decoded
				e.Code = errs.Malformed
			}
			e.Details = append(e.Details, fromSchema(schema))
		}
	}
	if len(e.Details) == 0 { // no body where one is needed
		e.Details = []errs.Detail{{Status: errs.InvalidBody, Message: sentence(message)}}
	}
	return e
}

func fromSchema(d *huma.ErrorDetail) errs.Detail {
	where, field, _ := strings.Cut(d.Location, ".")
	status := errs.InvalidParameter
	switch {
	case where == "body":
		status = errs.InvalidBody
	case strings.HasPrefix(d.Message, "required"):
		status = errs.NotSpecified
	}
	message := sentence(d.Message)
	switch {
	case strings.HasPrefix(d.Message, "invalid date/time for format"): // a layout of Go's tells nobody what to send
		message = fmt.Sprintf("%s: %s.", field, noTime(fmt.Sprint(d.Value)))
	case field != "":
		message = field + ": " + d.Message + "."
	}
	return errs.Detail{Field: field, Status: status, Message: message}
}

// noTime says of a text that it is not a time.
func noTime(text string) string {
	return fmt.Sprintf("%.60q is not a time such as 2026-11-16T08:00:00Z", text)
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}
