package provider

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxRetryAfter bounds what a vendor may ask for: a slip of theirs must not silence a process for days.
const maxRetryAfter = time.Hour

// Refusal makes the error for a refusal with this status and body. Vendors use it where a refusal
// arrives inside a successful answer.
func (c *Client) Refusal(status int, body []byte) *Error {
	kind, words := Unknown, ""
	if c.opts.Explain != nil {
		kind, words = c.opts.Explain(status, body)
	}
	if kind == Unknown {
		kind = kindOfStatus(status)
	}
	words = clip(c.redact(words))
	e := c.errorf(kind, "%s", c.sentence(kind, status, words))
	detail := "HTTP " + strconv.Itoa(status)
	if words != "" {
		detail += ": " + words
	}
	return e.Because(errors.New(detail))
}

func kindOfStatus(status int) Kind {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return Unauthorized
	case http.StatusPaymentRequired:
		return QuotaSpent
	case http.StatusNotFound, http.StatusGone:
		return NotFound
	case http.StatusTooManyRequests:
		return RateLimited
	case http.StatusRequestTimeout, http.StatusTooEarly:
		return Transient
	}
	if status >= 500 {
		return Transient
	}
	return BadQuery // the other 4xx, and redirects, which no API of ours makes
}

func (c *Client) sentence(kind Kind, status int, words string) string {
	name := c.title()
	switch {
	case kind == Unauthorized && c.opts.Descriptor.secretEnv() != "":
		return name + " refused the API key: check " + c.opts.Descriptor.secretEnv() + "."
	case kind == Unauthorized:
		return name + " refused to answer us."
	case kind == QuotaSpent:
		return "The account at " + name + " has no credits left."
	case kind == RateLimited:
		return name + " asks for fewer requests."
	case kind == NotFound:
		return name + " does not know what was asked for."
	case kind == Transient:
		return name + " failed to answer (status " + strconv.Itoa(status) + ")."
	case status >= 300 && status < 400:
		return name + " points to another address: check " + c.opts.Descriptor.Env("url") + "."
	case words != "":
		return name + " did not accept the request: " + words
	default:
		return name + " did not accept the request (status " + strconv.Itoa(status) + ")."
	}
}

// parseRetryAfter reads both forms of the header: seconds, and a date. Anything else is 0.
func parseRetryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if header == "" {
		return 0
	}
	if seconds, err := strconv.ParseUint(header, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}

// clip makes a vendor's words fit for one line of a log or a report.
func clip(words string) string {
	const most = 200
	words = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(words, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	if utf8.RuneCountInString(words) > most {
		words = string([]rune(words)[:most]) + "…"
	}
	return words
}
