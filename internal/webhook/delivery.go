package webhook

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/signedpost"
)

// Status is how far a delivery has come.
type Status string

// The statuses. One that has failed is tried again only when it is replayed.
const (
	Pending   Status = "pending"
	Delivered Status = "delivered"
	Failed    Status = "failed"
)

// Delivery is an event that a webhook is or was told of, as the log shows it.
type Delivery struct {
	EventID  string     `json:"event_id"`
	Kind     event.Kind `json:"kind"`
	At       time.Time  `json:"at"`
	Status   Status     `json:"status" enum:"pending,delivered,failed"`
	Attempts int        `json:"attempts"`
	TriedAt  *time.Time `json:"tried_at,omitempty"`
	NextAt   *time.Time `json:"next_at,omitempty"`
	TookMS   float64    `json:"took_ms,omitempty"`
	Code     int        `json:"code,omitempty"`
	Answer   string     `json:"answer,omitempty"`
}

// retries are the pauses after each attempt that fails, as Standard Webhooks proposes them: over three days in all.
var retries = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// longestPause bounds what a receiver may ask for by Retry-After.
const longestPause = 24 * time.Hour

// judge takes up what came of an attempt at a time.
func (d *Delivery) judge(at time.Time, took time.Duration, answer signedpost.Answer, err error) {
	d.Attempts++
	d.TriedAt, d.NextAt, d.TookMS = &at, nil, float64(took.Microseconds())/1000
	d.Code, d.Answer = answer.Status, signedpost.Excerpt(answer.Body)
	if err != nil {
		d.Answer = signedpost.Excerpt(fmt.Appendf(nil, "It could not be reached: %v.", err))
	}
	switch {
	case err == nil && answer.Status >= 200 && answer.Status <= 299:
		d.Status = Delivered
	case d.Attempts > len(retries) || answer.Status == http.StatusGone:
		d.Status = Failed
	default:
		next := at.Add(max(retries[d.Attempts-1], retryAfter(answer)))
		d.Status, d.NextAt = Pending, &next
	}
}

// retryAfter is how long a receiver that is overloaded asks to be left alone.
func retryAfter(answer signedpost.Answer) time.Duration {
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || answer.Status != http.StatusTooManyRequests && answer.Status != http.StatusServiceUnavailable {
		return 0
	}
	return min(time.Duration(max(seconds, 0))*time.Second, longestPause)
}
