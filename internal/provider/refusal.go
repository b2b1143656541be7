package provider

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxRetryAfter bounds what a vendor may ask for: a slip of theirs must not silence a process for days.
const maxRetryAfter = 10 * time.Minute

// Refusal is how a vendor says no. Zero fields leave the judgement to the status of HTTP.
type Refusal struct {
	Status int    // told inside the body, where that of HTTP says success
	Kind   Kind   // where the status alone would mislead
	Words  string // the vendor's own
	Advice string // a sentence of ours that says what to change

	RetryAfter time.Duration // where the vendor tells it otherwise than by the header
}

// refusal makes the error for an answer that is none: one with a bad status, or one that proves nothing.
func (c *Client) refusal(res *http.Response, body []byte) *Error {
	if _, token, ok := strings.Cut(res.Request.Header.Get("Authorization"), " "); ok { // one that was fetched is in no setting
		body = []byte(hide(string(body), token))
	}
	var r Refusal
	if c.opts.Explain != nil {
		r = c.opts.Explain(res.StatusCode, body)
	}
	r.Status = cmp.Or(r.Status, res.StatusCode)
	return c.Refuse(r)
}

// Refuse makes the error for a refusal that an adapter has found itself, such as that of one task among many.
func (c *Client) Refuse(r Refusal) *Error {
	r.Kind = cmp.Or(r.Kind, kindOfStatus(r.Status))
	r.Words = clip(c.redact(r.Words))
	detail := "HTTP " + strconv.Itoa(r.Status)
	if r.Words != "" {
		detail += ": " + r.Words
	}
	e := c.errorf(r.Kind, "%s", strings.TrimSpace(c.sentence(r)+" "+r.Advice)).Because(errors.New(detail))
	e.Status = r.Status
	if r.Kind.Retryable() {
		e.RetryAfter = min(max(r.RetryAfter, 0), maxRetryAfter)
	}
	return e
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
	if status >= 500 || status < 300 {
		return Transient // a success without an answer is a fault
	}
	return BadQuery // the other 4xx, and redirects, which no API of ours makes
}

func (c *Client) sentence(r Refusal) string {
	name, kind, status := c.title(), r.Kind, r.Status
	switch {
	case kind == Unauthorized && c.opts.Descriptor.Secret != "":
		return name + " refused the API key: check " + c.opts.Descriptor.Env(c.opts.Descriptor.Secret) + "."
	case kind == Unauthorized:
		return name + " refused to answer us."
	case kind == QuotaSpent:
		return "The account at " + name + " has no credits left."
	case kind == RateLimited:
		return name + " asks for fewer requests."
	case kind == NotFound:
		return name + " does not know what was asked for."
	case kind == Transient && status < 300:
		return name + " sent no answer to what was asked."
	case kind == Transient:
		return name + " failed to answer (status " + strconv.Itoa(status) + ")."
	case status >= 300 && status < 400:
		return name + " points to another address: check " + c.opts.Descriptor.Env("url") + "."
	case r.Words != "":
		return name + " did not accept the request: " + r.Words
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
	if seconds, err := strconv.ParseUint(header, 10, 32); err == nil || errors.Is(err, strconv.ErrRange) {
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
