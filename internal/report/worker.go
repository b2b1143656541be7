package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/mail"
	"github.com/trigpoint/trigpoint/internal/signedpost"
)

// A report that is not taken is tried again, for about a day. Then it is given up, and the next one comes when it is due.
const (
	maxAttempts = 12
	firstRetry  = time.Minute
	longRetry   = 6 * time.Hour
)

// sideBySide is how many reports are made and mailed at a time, each with a document in memory.
const sideBySide = 4

// sendDue mails what is due. A schedule is claimed meanwhile: when the process dies, another mails it after the lease, with the
// same Message-ID, as nothing is written down before the mail server has it.
func (s *Service) sendDue(ctx context.Context) (more bool, err error) {
	if s.Mail == nil {
		return false, s.warnUnsent(ctx)
	}
	now := s.Clock.Now()
	var due []record
	err = s.DB.Tx(ctx, func(tx *db.Tx) error {
		due, err = claimDue(ctx, tx, now, now.Add(s.Lease), sideBySide)
		return err
	})
	if err != nil {
		return false, err
	}
	var sending errgroup.Group
	for _, r := range due {
		sending.Go(func() error { return s.attempt(ctx, r) })
	}
	return len(due) == sideBySide, sending.Wait()
}

// warnUnsent tells once that reports wait which this process cannot mail. When mail is back, the last one due is sent.
func (s *Service) warnUnsent(ctx context.Context) (err error) {
	s.unsent.Do(func() {
		var waiting int
		if waiting, err = s.CountActive(ctx); err == nil && waiting > 0 {
			s.Log.Warn("reports are not mailed, since no mail server is configured: set TRIGPOINT_SMTP_URL", "schedules", waiting)
		}
	})
	return err
}

// attempt mails one report and keeps what comes of it, unless the schedule was changed meanwhile.
func (s *Service) attempt(ctx context.Context, r record) error {
	r.skipMissed(s.Clock.Now())
	sending, cancel := context.WithTimeout(ctx, s.Lease/2)
	failure := s.send(sending, &r)
	cancel()
	if failure != nil && ctx.Err() != nil {
		return ctx.Err() // we stopped, not the mail server; the claim ends by itself
	}
	if errors.Is(failure, errChanged) {
		return nil
	}
	if failure != nil {
		s.Log.Warn("a report is not mailed", "schedule", r.ID, "attempts", r.failures+1, "error", failure)
	}
	keeping, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	return s.DB.Tx(keeping, func(tx *db.Tx) error {
		zone, err := lockAccount(keeping, tx, r.accountID)
		if err != nil {
			return ignoreGone(err)
		}
		now, err := findSchedule(keeping, tx, r.accountID, r.ID)
		if err != nil || now.dueAt == nil || !now.dueAt.Equal(*r.dueAt) {
			return ignoreGone(err)
		}
		known, err := account.ReadReceivers(keeping, tx, r.accountID)
		if err != nil {
			return err
		}
		r.judge(s.Clock.Now(), zone, len(known.Waiting(r.To)) == len(r.To), failure)
		if err := saveSchedules(keeping, tx, r); err != nil || r.PausedAt == nil {
			return err
		}
		return r.tell(keeping, tx, event.ScheduleChanged, *r.PausedAt) // what it was about is gone
	})
}

// keepTime is how long a transaction that keeps an outcome may take, even while the process stops.
const keepTime = 10 * time.Second

// ignoreGone passes over what was deleted while its report was sent.
func ignoreGone(err error) error {
	if db.IsNoRow(err) || errs.CodeOf(err) == errs.NotFound {
		return nil
	}
	return err
}

// skipMissed leaves out all reports but the last where several have become due, as while nothing ran here for weeks.
func (r *record) skipMissed(now time.Time) {
	for {
		next := r.after(r.nextAt, "", r.zone)
		if next.After(now) {
			return
		}
		r.nextAt = next
	}
}

// plan has the next report sent when its time comes after now; never while the schedule is paused. One that some have already is
// done with.
func (r *record) plan(now time.Time, zone *time.Location) {
	if len(r.outcomes) > 0 {
		r.toldDay, r.outcomes = r.nextAt.In(r.zone).Format(time.DateOnly), nil
	}
	next := r.after(now, r.toldDay, zone)
	r.nextAt, r.dueAt, r.failures = next, &next, 0
	if r.PausedAt != nil {
		r.dueAt = nil
	}
}

// judge takes up what came of an attempt to send the report that is due; unwanted says that nobody is to have it at present.
func (r *record) judge(now time.Time, zone *time.Location, unwanted bool, failure error) {
	var problems []string
	for _, o := range r.outcomes {
		switch {
		case o.Problem == "":
			r.SentAt = &now
		case len(r.To) == 1:
			problems = append(problems, o.Problem)
		default:
			problems = append(problems, o.Email+": "+o.Problem)
		}
	}
	switch {
	case failure != nil:
		problems = append(problems, problemOf(failure))
	case unwanted:
		problems = append(problems, "Nobody gets it, since none of its recipients has confirmed.")
	}
	r.Problem = strings.Join(problems, " ")
	if failure != nil {
		if r.failures++; r.failures < maxAttempts {
			again := now.Add(job.Backoff(r.failures, firstRetry, longRetry))
			r.dueAt = &again
			return
		}
	}
	if r.gone() {
		r.PausedAt = &now
	}
	r.toldDay = r.nextAt.In(r.zone).Format(time.DateOnly)
	r.plan(now, zone)
}

// problemOf says in words for people why a report was not mailed; what is internal stays in the log.
func problemOf(failure error) string {
	var refused *mail.NotTaken
	var known *errs.Error
	switch {
	case errors.As(failure, &refused):
		return signedpost.Excerpt(fmt.Append(nil, refused))
	case errors.As(failure, &known) && known.Code != errs.Internal:
		return known.Message
	}
	return "The report could not be made; the log of the service says why."
}

// send mails the report that is due to all who are to have it, unless there is nothing to tell. It fails when somebody may have it later.
func (s *Service) send(ctx context.Context, r *record) error {
	if r.gone() {
		return nil
	}
	q := Query{AccountID: r.accountID, Kind: r.Kind, ID: r.SubjectID, Zone: r.zone}
	q.From, q.To = r.period(r.nextAt, r.zone)
	newest, err := s.newest(ctx, r)
	if err != nil || newest.Before(q.begins(q.From)) {
		return err
	}
	report, err := s.Make(ctx, q)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := s.WritePDF(&file, report, paperOf(r.Paper)); err != nil {
		return err
	}
	var failure error
	for _, to := range r.To {
		if slices.ContainsFunc(r.outcomes, func(o outcome) bool { return o.Email == to }) {
			continue
		}
		known, err := account.ReadReceivers(ctx, s.DB, r.accountID) // anew for each, as one may say no meanwhile
		if err != nil {
			return err
		}
		if !known[to].Confirmed {
			continue
		}
		letter, err := s.letter(r, to, known[to], report, file.Bytes())
		if err != nil {
			return err
		}
		came := outcome{Email: to}
		if err := s.Mail.Send(ctx, letter); err != nil {
			if !mail.RefusedForGood(err) {
				failure = err
				continue
			}
			s.Log.Warn("a report is refused", "schedule", r.ID, "error", err)
			came.Problem = problemOf(err)
		}
		r.outcomes = append(r.outcomes, came)
		if err := s.note(ctx, r); err != nil {
			return err
		}
	}
	return failure
}

// errChanged ends the sending of a report whose schedule was changed meanwhile.
var errChanged = errors.New("the schedule was changed meanwhile")

// note writes down at once who has the report, so that whoever takes over from a process that dies does not send it to them again.
func (s *Service) note(ctx context.Context, r *record) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	return s.DB.Tx(ctx, func(tx *db.Tx) error {
		ours, err := saveOutcomes(ctx, tx, r)
		if err == nil && !ours {
			err = errChanged
		}
		return err
	})
}

// newest is when there was last something new to tell.
func (s *Service) newest(ctx context.Context, r *record) (newest time.Time, err error) {
	if r.Kind != Tracking {
		if newest, err = s.MapRank.NewestReport(ctx, r.accountID, r.SubjectID); err != nil || r.Kind == Campaign {
			return newest, err
		}
	}
	checked, err := s.RankWatch.NewestCheck(ctx, r.accountID, r.SubjectID)
	if checked.After(newest) {
		newest = checked
	}
	return newest, err
}
