package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is a refused request.
type Error struct {
	Status    int       // of HTTP
	Code      string    // stable name of the first problem, such as NOT_ENOUGH_CREDITS; "" when there is none
	Message   string    // what is wrong and what to change
	Problems  []Problem // every problem found
	RequestID string    // helps to find it in the server's log

	RetryAfter time.Duration // how long the server asks to wait; 0 when it does not say
}

// Problem is what is wrong with one field or parameter.
type Problem struct {
	Field   string // with its path inside the body; "" when it is none or not told
	Code    string
	Message string
}

// Error says what is wrong, with every problem.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	if b.Len() == 0 {
		fmt.Fprintf(&b, "the server answered %d %s", e.Status, http.StatusText(e.Status))
	}
	for _, p := range e.Problems {
		if p.Message == e.Message {
			continue
		}
		b.WriteByte(' ')
		if p.Field != "" {
			b.WriteString(p.Field + ": ")
		}
		b.WriteString(p.Message)
	}
	return b.String()
}

// creditLimit is the code of a month's quota that is used up, which no minute brings back.
const creditLimit = "CreditLimit"

// Temporary tells whether the same request may succeed in a moment.
func (e *Error) Temporary() bool {
	switch e.Status {
	case http.StatusTooManyRequests:
		return e.Code != creditLimit
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// refusal reads what a server says of a request that it refused: in an envelope, bare as the keywords' area does, or as
// OAuth 2 has it.
func refusal(res *http.Response, answer []byte) *Error {
	e := &Error{Status: res.StatusCode, RequestID: res.Header.Get("X-Request-Id")}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	var oauth struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if json.Unmarshal(answer, &oauth) == nil && oauth.Error != "" {
		e.Code, e.Message = oauth.Error, oauth.Description
		return e
	}
	var said struct {
		Error struct {
			Type    string   `json:"type"`
			Message string   `json:"message"`
			Errors  []string `json:"errors"`
			Details []struct {
				Field   string `json:"field"`
				Status  string `json:"error_status"`
				Message string `json:"message"`
			} `json:"details"`
		} `json:"error"`
	}
	_ = json.Unmarshal(answer, &said) // a proxy in between answers as it likes
	e.Code, e.Message = said.Error.Type, said.Error.Message
	for _, d := range said.Error.Details {
		e.Problems = append(e.Problems, Problem{d.Field, d.Status, d.Message})
	}
	for _, message := range said.Error.Errors {
		e.Problems = append(e.Problems, Problem{Code: e.Code, Message: message})
	}
	if e.Code == "" && len(e.Problems) > 0 {
		e.Code = e.Problems[0].Code
	}
	return e
}
