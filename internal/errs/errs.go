// Package errs owns the one error type whose text may reach a user. Any other error is internal:
// it is logged at the edge and answered as "internal error".
package errs

import (
	"errors"
	"fmt"
	"time"
)

// Code says what kind of failure it is; each area maps it to its own status and shape.
type Code int

// The kinds of failure.
const (
	Internal     Code = iota // a fault of ours; its text never leaves the process
	Invalid                  // the request is wrong; Details name each problem
	Malformed                // the body is not JSON at all
	Unauthorized             // no valid credential
	Forbidden                // a valid credential that may not do this
	Quota                    // the plan's limit or the credits are used up
	NotFound                 // unknown, or another account's
	Method                   // known path, wrong method
	Conflict                 // the record's state does not allow it
	TooLarge                 // body over its limit
	MediaType                // body is not of an accepted type
	RateLimited              // too many requests; RetryAfter says when
	Dependency               // a data provider failed
	Unavailable              // the store is unreachable or the process is stopping
)

// Detail is one problem of a request.
type Detail struct {
	Field   string `json:"field,omitempty" doc:"Name of the field or parameter, with its path inside the body."`
	Status  Status `json:"error_status" doc:"Stable name of the problem."`
	Message string `json:"message" doc:"What is wrong and what to change."`
}

// Error is a failure that a user may read.
type Error struct {
	Code       Code
	Message    string
	Details    []Detail
	RetryAfter time.Duration
	cause      error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// New makes an error of the given kind.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// With makes an error with a single named problem.
func With(code Code, status Status, format string, args ...any) *Error {
	message := fmt.Sprintf(format, args...)
	return &Error{Code: code, Message: message, Details: []Detail{{Status: status, Message: message}}}
}

// Problems collects what is wrong with a request, so that its sender learns all of it at once.
type Problems []Detail

// Add notes a problem of a field.
func (p *Problems) Add(field string, status Status, format string, args ...any) {
	*p = append(*p, Detail{Field: field, Status: status, Message: fmt.Sprintf(format, args...)})
}

// Err is an Invalid error with all problems, or nil when there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return &Error{Code: Invalid, Message: "Invalid request.", Details: p}
}

// Resolved is Err as a resolver of an input returns it: its problems are reported together with those that the schema has
// found.
func (p Problems) Resolved() []error {
	if err := p.Err(); err != nil {
		return []error{err}
	}
	return nil
}

// Because keeps the cause for the log; the user sees only the message.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// CodeOf tells the kind of any error; what is not an *Error is Internal.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}
