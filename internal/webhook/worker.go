package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/secret"
	"github.com/trigpoint/trigpoint/internal/signedpost"
	"github.com/trigpoint/trigpoint/internal/trace"
)

// A webhook is what is claimed, not a delivery: one that is slow takes up its own turn and no more. A turn is short; what is left
// waits for the next. A webhook that takes nothing is left alone for a while, longer each time.
const (
	lookEvery  = 500 * time.Millisecond
	sideBySide = 16 // webhooks that are told at once
	together   = 4  // messages to one of them
	turnSize   = 64 // messages in a turn

	// longestLine is how many webhooks are found at once: looking goes through all that wait, which one look for each turn would do again and again.
	longestLine = 512

	firstRest = 5 * time.Second
	longRest  = 5 * time.Minute
)

// send tells webhooks of what is due. While some are slow it looks for others, and ends when none is under way.
func (s *Service) send(ctx context.Context) (more bool, err error) {
	underWay := 0
	ended := make(chan error, sideBySide)
	var faults []error
	var line []record // of those that waited when it was looked last
	var looked time.Time
	for {
		for looking := true; looking && err == nil && ctx.Err() == nil && underWay < sideBySide; looking = len(line) > 0 {
			if len(line) == 0 || time.Since(looked) >= lookEvery {
				line, err = waiting(ctx, s.db, s.clock.Now(), longestLine)
				looked = time.Now()
			}
			next := line[:min(sideBySide-underWay, len(line))]
			line = line[len(next):]
			var claimed []record
			if err == nil {
				claimed, err = s.claim(ctx, next)
			}
			for _, r := range claimed {
				underWay++
				go func() { ended <- s.turn(ctx, &r) }()
			}
		}
		if underWay == 0 {
			return false, errors.Join(append(faults, err)...)
		}
		select {
		case fault := <-ended:
			underWay--
			if fault != nil {
				faults = append(faults, fault)
			}
		case <-time.After(lookEvery):
		}
	}
}

// claim takes those of some webhooks that are free still.
func (s *Service) claim(ctx context.Context, free []record) (claimed []record, err error) {
	if len(free) == 0 {
		return nil, nil
	}
	until := s.clock.Now().Add(s.lease)
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		claimed = nil
		for _, r := range free {
			ours, err := claim(ctx, tx, &r, until)
			if db.IsNoRow(err) {
				continue
			}
			if err != nil {
				return err
			}
			claimed = append(claimed, ours)
		}
		return nil
	})
	return claimed, err
}

// turn tells one webhook of what is due, and gives it free.
func (s *Service) turn(ctx context.Context, r *record) error {
	plain, err := s.open(r)
	if secret.NeedsKey(err) {
		s.log.Warn("a webhook's secret cannot be opened; it waits for the key", "webhook", r.ID, "error", err)
		return s.waitForKey(ctx, r)
	}
	if err != nil {
		s.log.Warn("a webhook's secret cannot be opened; it is paused", "webhook", r.ID, "error", err)
		return s.db.Tx(ctx, func(tx *db.Tx) error {
			return pause(ctx, tx, r, s.clock.Now(), "Its secret is damaged; make a new webhook.")
		})
	}
	signer, err := s.signer(ctx, r, plain)
	if err != nil {
		return err
	}
	due, err := dueFor(ctx, s.db, r.ID, s.clock.Now(), turnSize)
	if err != nil {
		return err
	}
	ends := time.Now().Add(s.lease / 4)
	var taken, refused atomic.Int64
	crew := job.Crew[message, *outcome]{
		Workers: together, Batch: turnSize, Every: time.Second,
		Work: func(ctx context.Context, m message) *outcome {
			d := s.attempt(ctx, r, signer, m)
			switch {
			case ctx.Err() != nil && d.Status != Delivered:
				return nil // we stopped, not the receiver
			case d.Status == Delivered:
				taken.Add(1)
			default:
				refused.Add(1)
			}
			return &outcome{d, m.replays}
		},
		Keep: func(batch []*outcome) error { return s.keep(ctx, r, batch, nil) },
	}
	left, err := crew.Run(ctx, func(give func(message) bool) error {
		for _, m := range due {
			inVain := refused.Load() >= together && taken.Load() == 0
			if inVain || time.Now().After(ends) || !give(m) {
				break
			}
		}
		return nil
	})
	if err != nil {
		return err // the claim ends by itself
	}
	now := s.clock.Now()
	free := time.UnixMicro(0)
	if r.faults++; taken.Load() > 0 || refused.Load() == 0 {
		r.faults = 0
	} else {
		free = now.Add(job.Backoff(r.faults, firstRest, longRest))
	}
	return s.keep(ctx, r, left, &free)
}

// keyAway is what the log of a webhook says whose secret was sealed with a key that is not set.
const keyAway = "It waits, since the secret of the webhook cannot be opened: set TRIGPOINT_SECRET_KEY to the key that was in use when the webhook was made."

// waitForKey leaves a webhook alone for a while. That is no attempt: all it lacks may come with the next start.
func (s *Service) waitForKey(ctx context.Context, r *record) error {
	r.faults++
	now := s.clock.Now()
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		if err := explain(ctx, tx, r.ID, now, keyAway); err != nil {
			return err
		}
		return release(ctx, tx, r, db.Time(r.busyUntil), now.Add(job.Backoff(r.faults, firstRest, longRest)))
	})
}

// keepTime is how long a transaction that keeps outcomes may take, even while the process stops.
const keepTime = 10 * time.Second

// keep stores what came of attempts, in one transaction; the last one gives the webhook free.
func (s *Service) keep(ctx context.Context, r *record, batch []*outcome, free *time.Time) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		for _, d := range batch {
			if d == nil {
				continue
			}
			if err := saveOutcome(ctx, tx, r.ID, d); err != nil {
				return err
			}
			if d.Code == http.StatusGone {
				if err := pause(ctx, tx, r, *d.TriedAt, "The receiver answered 410 Gone."); err != nil {
					return err
				}
			}
		}
		if free == nil {
			return nil
		}
		return release(ctx, tx, r, db.Time(r.busyUntil), *free)
	})
}

// body is what a receiver gets.
type body struct {
	Type      event.Kind      `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// attempt sends a message and judges what comes of it.
func (s *Service) attempt(ctx context.Context, r *record, signer *signedpost.Signer, m message) Delivery {
	ctx, span := trace.BeginApart(ctx, "delivery")
	defer span.End()
	ctx, cancel := context.WithTimeout(ctx, min(signedpost.TimeLimit, s.lease/4))
	defer cancel()
	d, at, began := m.Delivery, s.clock.Now(), time.Now()
	text, err := json.Marshal(body{m.Kind, m.At, json.RawMessage(m.data)})
	var answer signedpost.Answer
	if err == nil {
		answer, err = s.client.Post(ctx, r.URL, signer, signedpost.Message{ID: m.EventID, At: at, Body: text})
	}
	d.judge(at, time.Since(began), answer, err)
	span.Set("trigpoint.event", string(d.Kind))
	span.Set("trigpoint.outcome", string(d.Status))
	span.SetInt("trigpoint.attempt", d.Attempts)
	return d
}
