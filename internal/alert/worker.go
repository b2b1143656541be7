package alert

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
)

const (
	rulesAtOnce    = 100 // that are put together between two looks
	messagesAtOnce = 64
	sideBySide     = 8 // messages under way
)

// gather puts alerts that wait together, for rules whose time has come.
func (s *Service) gather(ctx context.Context) (more bool, err error) {
	now := s.Clock.Now()
	rules, err := ready(ctx, s.DB, now, rulesAtOnce)
	for _, ruleID := range rules {
		if err := s.DB.Tx(ctx, func(tx *db.Tx) error { return s.gatherOne(ctx, tx, ruleID, now) }); err != nil {
			return false, fmt.Errorf("put alerts of %s together: %w", ruleID, err)
		}
	}
	return len(rules) == rulesAtOnce, err
}

// gatherOne makes a digest of what waits for a rule, or notes when that is to be done.
func (s *Service) gatherOne(ctx context.Context, tx *db.Tx, ruleID string, now time.Time) error {
	r, since, ok, err := lockReady(ctx, tx, ruleID, now)
	if err != nil || !ok {
		return err
	}
	if at := r.tellAt(since, account.ZoneOf(r.zone)); at.After(now) {
		return waitUntil(ctx, tx, ruleID, at)
	}
	digestID := id.New()
	if err := take(ctx, tx, ruleID, digestID); err != nil {
		return err
	}
	known, err := account.ReadReceivers(ctx, tx, r.accountID)
	if err != nil {
		return err
	}
	r.Emails = slices.DeleteFunc(r.Emails, func(email string) bool { return !known[email].Confirmed })
	if err := insertMessages(ctx, tx, now, r.messages(digestID, r.slack)); err != nil {
		return err
	}
	tx.AfterCommit(s.sender.Wake)
	if r.Webhooks {
		if err := tellWebhooks(ctx, tx, &r, digestID, now); err != nil {
			return err
		}
	}
	return waitUntil(ctx, tx, ruleID, now.Add(pause))
}

// maxEvents is how many alerts of a digest webhooks are told of.
const maxEvents = 1000

// tellWebhooks writes an event for each alert, which the account's webhooks are told of.
func tellWebhooks(ctx context.Context, tx *db.Tx, r *record, digestID string, now time.Time) error {
	alerts, err := of(ctx, tx, digestID, maxEvents)
	if err != nil {
		return err
	}
	events := make([]event.Event, len(alerts))
	for i, a := range alerts {
		events[i] = event.Event{AccountID: r.accountID, Kind: event.AlertRaised, Subject: a.ID, Data: event.Alert{
			AlertID: a.ID, RuleID: r.ID, Rule: r.Name, On: string(a.On), SubjectID: a.SubjectID, Subject: a.Subject, Condition: string(a.Condition),
			Text: a.Text, Keyword: a.Keyword, Rival: a.Rival, Before: a.Before, After: a.After,
		}}
	}
	return event.Emit(ctx, tx, now, events...)
}

// send sends what is due.
func (s *Service) send(ctx context.Context) (more bool, err error) {
	now := s.Clock.Now()
	due, err := dueMessages(ctx, s.DB, now, messagesAtOnce)
	if err != nil || len(due) == 0 {
		return false, err
	}
	claimed, err := s.claim(ctx, due, now.Add(s.Lease))
	if err != nil {
		return false, err
	}
	ends := time.Now().Add(s.Lease / 4) // what is not begun by then is left to the next
	crew := job.Crew[message, *message]{
		Workers: sideBySide, Batch: messagesAtOnce, Every: time.Second,
		Work: func(ctx context.Context, m message) *message { return s.attempt(ctx, m) },
		Keep: func(batch []*message) error { return s.keep(ctx, batch) },
	}
	left, err := crew.Run(ctx, func(give func(message) bool) error {
		for _, m := range claimed {
			if time.Now().After(ends) || !give(m) {
				break
			}
		}
		return nil
	})
	if err != nil {
		return false, err // claims end by themselves
	}
	return len(due) == messagesAtOnce, s.keep(ctx, left)
}

func (s *Service) claim(ctx context.Context, due []message, until time.Time) (claimed []message, err error) {
	err = s.DB.Tx(ctx, func(tx *db.Tx) error {
		claimed = nil
		for _, m := range due {
			ours, err := claim(ctx, tx, &m, until)
			if err != nil {
				return err
			}
			if ours {
				claimed = append(claimed, m)
			}
		}
		return nil
	})
	return claimed, err
}

// attempt sends one message and judges what comes of it; nil where we stopped, not the receiver.
func (s *Service) attempt(ctx context.Context, m message) *message {
	sending, cancel := context.WithTimeout(ctx, s.Lease/2)
	defer cancel()
	err := s.sendOne(sending, &m)
	if err != nil && ctx.Err() != nil {
		return nil
	}
	m.judge(s.Clock.Now(), err, refusedForGood(err))
	if err != nil {
		s.Log.Warn("an alert is not taken", "rule", m.ruleID, "channel", string(m.channel), "attempts", m.attempts, "given_up", m.status == Failed, "error", err)
	}
	return &m
}

func (s *Service) sendOne(ctx context.Context, m *message) error {
	all, err := countOf(ctx, s.DB, m.digestID)
	if err != nil {
		return err
	}
	alerts, err := of(ctx, s.DB, m.digestID, maxTold)
	if err != nil {
		return err
	}
	zone := account.ZoneOf(m.zone)
	texts := make([]string, len(alerts))
	for i, a := range alerts {
		if texts[i] = a.Text; m.pace != AtOnce {
			texts[i] = a.At.In(zone).Format("Mon 2 Jan 15:04, ") + a.Text
		}
	}
	told := newDigest(m.ruleName, texts, all, s.PublicURL)
	return s.deliver(ctx, m, &told)
}

// keepTime is how long a transaction that keeps outcomes may take, even while the process stops.
const keepTime = 10 * time.Second

func (s *Service) keep(ctx context.Context, batch []*message) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	return s.DB.Tx(ctx, func(tx *db.Tx) error {
		for _, m := range batch {
			if m == nil {
				continue
			}
			if err := saveOutcome(ctx, tx, m); err != nil {
				return err
			}
		}
		return nil
	})
}
