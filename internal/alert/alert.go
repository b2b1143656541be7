package alert

import (
	"errors"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/signedpost"
)

// Alert is something that a rule has found, as the list shows it.
type Alert struct {
	ID       string    `json:"id"`
	RuleID   string    `json:"rule_id"`
	RuleName string    `json:"rule"`
	At       time.Time `json:"at"`
	alertrule.Data
	Status Status `json:"status" enum:"waiting,pending,sent,failed"`
	Detail string `json:"detail,omitempty"`
}

// Status is how far telling of an alert, or a message, has come.
type Status string

// The statuses. Waiting is for a digest; a failed message is given up.
const (
	Waiting Status = "waiting"
	Pending Status = "pending"
	Sent    Status = "sent"
	Failed  Status = "failed"
)

// Channel is a way to tell people.
type Channel string

// The channels of messages. Webhooks are told by an event, which has an outbox of its own.
const (
	Email Channel = "email"
	Slack Channel = "slack"
)

// message is a digest for one receiver.
type message struct {
	id, accountID, ruleID, digestID string
	channel                         Channel
	address                         string // of a mail
	slack                           string // the URL as it is kept
	ruleName                        string
	pace                            Pace
	zone                            string
	attempts                        int
	dueAt                           int64

	status  Status
	answer  string
	triedAt time.Time
	nextAt  *time.Time
}

// A message that is not taken is tried again, for about a day.
const (
	maxAttempts = 12
	firstRetry  = time.Minute
	longRetry   = 6 * time.Hour
	keyRetry    = 5 * time.Minute // while the key is away, however long that is
)

// judge takes up what came of an attempt.
func (m *message) judge(at time.Time, err error, forGood bool) {
	m.triedAt, m.nextAt, m.answer = at, nil, ""
	next := at.Add(keyRetry)
	if !errors.Is(err, errKeyAway) {
		m.attempts++
		next = at.Add(job.Backoff(m.attempts, firstRetry, longRetry))
	}
	switch {
	case err == nil:
		m.status = Sent
		return
	case forGood || m.attempts >= maxAttempts:
		m.status = Failed
	default:
		m.status, m.nextAt = Pending, &next
	}
	m.answer = signedpost.Excerpt(fmt.Append(nil, err))
}
