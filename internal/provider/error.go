package provider

import (
	"errors"
	"fmt"
	"time"
)

// Kind says what a failure means for whoever asked.
type Kind int

// The kinds.
const (
	Unknown      Kind = iota // not a failure of a provider: cancelled, or a fault of ours
	RateLimited              // too many requests; RetryAfter says when to come back, if the vendor did
	Unauthorized             // the credential is missing or refused; asking again is useless
	BadQuery                 // the vendor will never answer this question
	QuotaSpent               // the account at the vendor has no credits left
	NotFound                 // the vendor answered: there is no such thing
	Transient                // the vendor or the way to it failed; the same question may work later
	OverBudget               // the answer might cost more than is left of a budget of ours; the vendor was not asked
	Pending                  // the vendor works on it; RetryAfter says when to ask again
)

func (k Kind) String() string {
	switch k {
	case RateLimited:
		return "rate limited"
	case Unauthorized:
		return "unauthorized"
	case BadQuery:
		return "bad query"
	case QuotaSpent:
		return "quota spent"
	case NotFound:
		return "not found"
	case Transient:
		return "transient"
	case OverBudget:
		return "over budget"
	case Pending:
		return "pending"
	default:
		return "unknown"
	}
}

// Retryable tells whether the same question may be answered later.
func (k Kind) Retryable() bool { return k == RateLimited || k == Transient }

// Error is a failure of a provider. Message is a sentence for a person and never holds a credential.
type Error struct {
	Kind       Kind
	Provider   string // title; "" when no provider was asked
	Message    string
	Status     int           // of HTTP, or what the body says in its place; 0 without an answer
	RetryAfter time.Duration // 0 when the vendor did not say
	cause      error
	resting    bool // the vendor was not asked, because it keeps failing
	unsent     bool // the request has not left this machine
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + " (" + e.cause.Error() + ")"
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// Errorf makes an error of the given kind. The message is a whole sentence.
func Errorf(kind Kind, provider, format string, args ...any) *Error {
	return &Error{Kind: kind, Provider: provider, Message: fmt.Sprintf(format, args...)}
}

// Because keeps the cause for the log. It must not hold a credential.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// KindOf tells the kind of any error; what is not an *Error is Unknown.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Unknown
}

// Resting tells whether a question was not asked because the vendor keeps failing.
func Resting(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.resting
}

// Unsent tells whether the vendor has certainly not seen the question.
func Unsent(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.unsent || e.resting)
}

// retryAfter is how long the vendor asked to wait, or 0.
func retryAfter(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}
