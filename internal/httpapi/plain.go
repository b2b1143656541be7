package httpapi

import (
	"math"
	"net/http"
	"slices"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// PlainFailure is the body of a refused request of area C.
type PlainFailure struct {
	Error PlainReason `json:"error"`
}

// PlainReason says what went wrong.
type PlainReason struct {
	Type       string   `json:"type"`
	Message    string   `json:"message"`
	Errors     []string `json:"errors,omitempty" doc:"Every problem found."`
	RetryAfter int      `json:"retry_after,omitempty" doc:"Seconds."`
}

// PlainErrors is the error shape of area C.
var PlainErrors = ErrorShape{
	Status: func(code errs.Code) int { status, _ := plainStatus(code); return status },
	Body: func(_ string, _ int, e *errs.Error) any {
		_, kind := plainStatus(e.Code)
		if e.Code == errs.Invalid && len(e.Details) > 0 && !slices.ContainsFunc(e.Details, func(d errs.Detail) bool { return d.Status != errs.URLInvalid }) {
			kind = "InvalidInput"
		}
		reason := PlainReason{Type: kind, Message: e.Message, RetryAfter: int(math.Ceil(e.RetryAfter.Seconds()))}
		for _, d := range e.Details {
			reason.Errors = append(reason.Errors, d.Message)
		}
		return &PlainFailure{reason}
	},
	Sample: PlainFailure{},
	Words: Words{
		"error":       {Doc: "What went wrong."},
		"type":        {Doc: "Kind.", Example: "ValidationError"},
		"message":     {Doc: "What is wrong and what to change.", Example: "domain is not specified."},
		"errors":      {Doc: "Every problem found.", Example: []any{"domain is not specified."}},
		"retry_after": {Doc: "Seconds to wait before the next try.", Example: 1},
	},
}

func plainStatus(code errs.Code) (status int, kind string) {
	switch code {
	case errs.Invalid:
		return http.StatusUnprocessableEntity, "ValidationError"
	case errs.Malformed:
		return http.StatusBadRequest, "InvalidInput"
	case errs.Unauthorized:
		return http.StatusUnauthorized, "AuthError"
	case errs.Quota:
		return http.StatusTooManyRequests, "CreditLimit"
	case errs.RateLimited:
		return http.StatusTooManyRequests, "RateLimit"
	case errs.Conflict:
		return http.StatusConflict, "Conflict"
	case errs.Dependency:
		return http.StatusFailedDependency, "FailedDependency"
	}
	return envelopeStatus(code), "Error"
}
