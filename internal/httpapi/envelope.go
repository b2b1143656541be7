package httpapi

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// Meta heads every answer of areas A and B.
type Meta struct {
	Success      bool     `json:"success"`
	StatusCode   int      `json:"status_code"`
	RequestID    string   `json:"request_id"`
	ValidateOnly *bool    `json:"validate_only,omitempty"`
	UpdateMask   []string `json:"update_mask,omitempty"`
	Limit        *int     `json:"limit,omitempty"`
	Offset       *int     `json:"offset,omitempty"`
	Total        *int64   `json:"total,omitempty"`
}

// Empty is the data of an answer that has none.
type Empty struct{}

// Envelope is the body of an answer of areas A and B.
type Envelope[T any] struct {
	Meta Meta `json:"meta"`
	Data T    `json:"data"`
}

// Failure is the body of a refused request of areas A and B.
type Failure struct {
	Meta  Meta          `json:"meta"`
	Error FailureReason `json:"error"`
	Data  Empty         `json:"data"`
}

// FailureReason says what went wrong.
type FailureReason struct {
	Code      int           `json:"code" doc:"HTTP status."`
	Message   string        `json:"message"`
	Retryable bool          `json:"retryable" doc:"Whether the same request may succeed later."`
	Details   []errs.Detail `json:"details,omitempty" doc:"Every problem found."`
}

// TransformSchema documents every name that error_status may have.
func (FailureReason) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	detail := r.SchemaFromRef(s.Properties["details"].Items.Ref)
	status := detail.Properties["error_status"]
	status.Enum = nil
	for _, name := range errs.Statuses {
		status.Enum = append(status.Enum, string(name))
	}
	return s
}

// EnvelopeErrors is the error shape of areas A and B.
var EnvelopeErrors = ErrorShape{
	Status: envelopeStatus,
	Body: func(requestID string, status int, e *errs.Error) any {
		return &Failure{
			Meta: Meta{StatusCode: status, RequestID: requestID},
			Error: FailureReason{
				Code: status, Message: e.Message, Details: e.Details,
				Retryable: status == http.StatusTooManyRequests || status >= 500,
			},
		}
	},
	Sample: Failure{},
	Words: Words{
		"meta":          {Doc: "About the answer."},
		"data":          {Doc: "The result; empty when there is none."},
		"error":         {Doc: "What went wrong."},
		"success":       {Doc: "Whether the request was carried out.", Example: true},
		"status_code":   {Doc: "HTTP status of the answer.", Example: 200},
		"request_id":    {Doc: "Identifier of the request, for the log.", Example: "0199d8a4c3f07c1e9b2a5d6e7f801234"},
		"validate_only": {Doc: "Whether everything was checked and nothing stored.", Example: false},
		"update_mask":   {Doc: "Names of the fields that may change.", Example: []any{"website_url"}},
		"limit":         {Doc: "Records on a page, at most.", Example: 50},
		"offset":        {Doc: "Records before the page.", Example: 0},
		"total":         {Doc: "Records that match, on all pages.", Example: 1},
		"code":          {Doc: "HTTP status.", Example: 400},
		"message":       {Doc: "What is wrong and what to change.", Example: "Phone number is not specified."},
		"details":       {Doc: "Every problem found."},
		"error_status":  {Doc: "Stable name of the problem.", Example: "PHONE_NOT_SPECIFIED"},
		"field":         {Doc: "Name of the field or parameter, with its path inside the body.", Example: "phone_number"},
		"retryable":     {Doc: "Whether the same request may succeed later.", Example: false},

		// In meta of some answers only, so that the examples of all do not show them.
		"Meta.validate_only": {Doc: "Echoed when a location is created."},
		"Meta.update_mask":   {Doc: "Echoed when a location is updated."},
		"Meta.limit":         {Doc: "Of lists of area A: records on a page, at most."},
		"Meta.offset":        {Doc: "Of lists of area A: records before the page."},
		"Meta.total":         {Doc: "Of lists of area A: records that match, on all pages."},
	},
}

func envelopeStatus(code errs.Code) int {
	switch code {
	case errs.Invalid, errs.Malformed:
		return http.StatusBadRequest
	case errs.Unauthorized:
		return http.StatusUnauthorized
	case errs.Forbidden, errs.Quota:
		return http.StatusForbidden
	case errs.NotFound:
		return http.StatusNotFound
	case errs.Method:
		return http.StatusMethodNotAllowed
	case errs.Conflict:
		return http.StatusConflict
	case errs.TooLarge:
		return http.StatusRequestEntityTooLarge
	case errs.MediaType:
		return http.StatusUnsupportedMediaType
	case errs.RateLimited:
		return http.StatusTooManyRequests
	case errs.Unavailable, errs.Dependency:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
