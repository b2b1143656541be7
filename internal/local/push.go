package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/job"
)

// pushArgs is the durable order to tell a directory about a location.
type pushArgs struct {
	Directory  string `json:"directory"`
	ListingID  string `json:"listing_id,omitempty"`
	AccountID  string `json:"account_id,omitempty"`
	LocationID string `json:"location_id"`
	Version    int64  `json:"version"`
	Event      string `json:"event"`
	MessageID  string `json:"message_id"`
	Body       string `json:"body"`
}

// Kind implements job.Args.
func (pushArgs) Kind() string { return "directory_push" }

// pushQueue is apart from other work, so that only processes that publish take from it.
const pushQueue = "directories"

// notOurs is how long an order waits that a process with other settings has taken. Of two processes each takes it
// as often, so that this is what a location waits for on average.
const notOurs = time.Second

// With the queue's growing pauses these attempts span about an hour. The queue allows more, so that the
// attempt that gives up can itself be tried again.
const pushAttempts = 8

// givenUpPause is when a directory that can be looked at is tried again.
const givenUpPause = 24 * time.Hour

// toldAttempt is the failed attempt after which the owner is told that there is trouble.
const toldAttempt = 3

var pushInsert = &job.Insert{Queue: pushQueue, MaxAttempts: 3 * pushAttempts}

// push delivers an order to its directory. One that a newer has overtaken does nothing.
func (s *Service) push(ctx context.Context, j *job.Job[pushArgs]) error {
	args := j.Args
	if ours, err := s.holds(ctx, s.db); err != nil {
		return err
	} else if !ours {
		return job.Snooze(notOurs) // a process with the settings that hold takes it
	}
	pusher := s.pusher(args.Directory)
	if pusher == nil {
		return nil
	}
	if args.ListingID != "" {
		current, frozen, err := s.newest(ctx, args)
		if err != nil || !current {
			return err
		}
		if frozen {
			return job.Snooze(frozenPause) // not synced until the plan has room for it again
		}
	}
	outcome, err := pusher.Push(ctx, directory.Message{
		ID: args.MessageID, Type: args.Event, AccountID: args.AccountID, LocationID: args.LocationID, Version: args.Version, Body: []byte(args.Body),
	})
	var rejected *directory.Rejected
	var unfinished *directory.Unfinished
	switch {
	case errors.As(err, &unfinished):
		return job.Snooze(unfinished.After)
	case err == nil:
		return s.record(ctx, args, outcome, nil)
	case errors.As(err, &rejected):
		return s.record(ctx, args, directory.Outcome{Status: directory.Unavailable, Detail: rejected.Error()}, rejected)
	case j.Attempt >= pushAttempts:
		s.log.Warn("gave up telling a directory", "directory", args.Directory, "location", args.LocationID, "error", err)
		given := directory.Outcome{Status: directory.Unavailable, Detail: fmt.Sprintf("Given up after %d attempts: %s.", j.Attempt, reason(err))}
		if _, ok := pusher.(directory.Looker); ok {
			given.LookAfter = givenUpPause
		}
		return s.record(ctx, args, given, nil)
	case j.Attempt == toldAttempt:
		s.log.Warn("a directory could not be told yet", "directory", args.Directory, "location", args.LocationID, "error", err)
		trying := directory.Outcome{Status: directory.Processing, Detail: fmt.Sprintf("Tried %d times, and tried again: %s.", j.Attempt, reason(err))}
		return errors.Join(err, s.record(ctx, args, trying, nil))
	}
	return err
}

// reason is the part of a failed push that the location's owner may read.
func reason(err error) string {
	var undelivered *directory.Undelivered
	if errors.As(err, &undelivered) {
		return undelivered.Reason
	}
	return "the directory could not be told"
}

// sentence makes one of a reason.
func sentence(reason string) string {
	first, size := utf8.DecodeRuneInString(reason)
	return strings.TrimSuffix(string(unicode.ToUpper(first))+reason[size:], ".") + "."
}

// frozenPause is how long an order waits before it looks whether its location has thawed.
const frozenPause = time.Hour

// newest tells whether an order is still the newest for its listing, and whether its location is frozen.
func (s *Service) newest(ctx context.Context, args pushArgs) (current, frozen bool, err error) {
	frozen, err = db.One(ctx, s.db, db.Value[bool], "SELECT o.frozen FROM locations o JOIN listings l ON l.location_id = o.id WHERE l.id = $1 AND l.version = $2", args.ListingID, args.Version)
	if db.IsNoRow(err) {
		return false, false, nil
	}
	return err == nil, frozen, err
}

// record keeps the outcome of a push, unless a newer order has been given meanwhile. A location that a
// directory rejects has FAILED.
func (s *Service) record(ctx context.Context, args pushArgs, outcome directory.Outcome, rejected *directory.Rejected) error {
	if args.ListingID == "" {
		return nil
	}
	fails := rejected != nil && args.Event == directory.Published
	err := s.db.Tx(ctx, func(tx *db.Tx) error {
		owner, err := db.One(ctx, tx, db.Value[string], "SELECT account_id FROM locations WHERE id = $1", args.LocationID)
		if err != nil {
			return err
		}
		if fails { // it gives its place back
			if err := s.lockAccount(ctx, tx, owner); err != nil {
				return err
			}
		}
		location, err := lockLocation(ctx, tx, owner, args.LocationID)
		if err != nil {
			return err
		}
		kept, err := s.keepOutcome(ctx, tx, &location, args.ListingID, args.Version, outcome)
		if err != nil || !kept {
			return err
		}
		tx.AfterCommit(func() { s.published.WithLabelValues(args.Directory, string(outcome.Status)).Inc() })
		if outcome.PlaceID != "" {
			return s.watchPlace(ctx, tx, location)
		}
		if !fails {
			return nil
		}
		return s.fail(ctx, tx, &location, errs.Detail{
			Status: errs.DirectoryRejected, Message: s.directories.find(args.Directory).Describe().Name + ": " + rejected.Error() + ".",
		})
	})
	return ignoreGone(err)
}

// ignoreGone takes it for done when the location was deleted meanwhile.
func ignoreGone(err error) error {
	if db.IsNoRow(err) || errs.CodeOf(err) == errs.NotFound {
		return nil
	}
	return err
}

// fail marks a published location FAILED, unless it has been changed meanwhile.
func (s *Service) fail(ctx context.Context, tx *db.Tx, location *Location, why errs.Detail) error {
	problems, err := json.Marshal([]errs.Detail{why})
	if err != nil {
		return err
	}
	n, err := tx.Exec(ctx, "UPDATE locations SET status = 'FAILED', errors = $2 WHERE id = $1 AND status = 'COMPLETED'", location.ID, string(problems))
	if err != nil || n == 0 {
		return err
	}
	if err := s.freePlace(ctx, tx, location.accountID, Completed); err != nil {
		return err
	}
	if err := s.tellRejected(ctx, tx, location, why.Message); err != nil {
		return err
	}
	return noteChanged(ctx, tx, location.ID)
}
