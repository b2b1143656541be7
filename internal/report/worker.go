package report

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/mail"
	"github.com/trigpoint/trigpoint/internal/report/document"
)

// A schedule is claimed while its report is made and mailed. When a process dies meanwhile, another does it again after the lease,
// and the mail bears the same id.
const (
	sendLease  = 10 * time.Minute
	firstRest  = 5 * time.Minute
	longRest   = 6 * time.Hour
	mostFaults = 8 // then the report of this time is given up
)

// sendDue mails the report that is due longest.
func (s *Service) sendDue(ctx context.Context) (more bool, err error) {
	if s.Mail == nil {
		return false, nil
	}
	now := s.Clock.Now()
	var r record
	err = s.DB.Tx(ctx, func(tx *db.Tx) error {
		r, err = claimSchedule(ctx, tx, now, now.Add(sendLease))
		return err
	})
	if db.IsNoRow(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = s.send(ctx, &r)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err() // the claim ends by itself
	case errs.CodeOf(err) == errs.NotFound: // what it told of is gone
		return true, s.DB.Tx(ctx, func(tx *db.Tx) error { return deleteSchedule(ctx, tx, r.accountID, r.ID) })
	}
	free, again := time.UnixMicro(0), false
	r.Problem = ""
	if err != nil {
		s.Log.Warn("a report could not be mailed", "schedule", r.ID, "error", err)
		r.Problem = "The last one could not be mailed; the operator's log says why."
		r.failures++
		if again = r.failures < mostFaults; again {
			free = now.Add(job.Backoff(r.failures, firstRest, longRest))
		}
	}
	if !again {
		r.NextAt, r.failures = r.after(now, r.zone), 0
	}
	return true, s.DB.Tx(ctx, func(tx *db.Tx) error { return saveSchedule(ctx, tx, &r, free) })
}

// send mails the report of a schedule. It sends nothing when there is nothing new.
func (s *Service) send(ctx context.Context, r *record) error {
	newest, err := s.newest(ctx, r)
	if err != nil || !newest.After(r.toldAt) {
		return err
	}
	from, to := r.period(r.NextAt, r.zone)
	report, err := s.Make(ctx, Query{AccountID: r.accountID, Kind: r.Kind, ID: r.SubjectID, From: from, To: to})
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := s.WritePDF(&file, report, document.A4); err != nil {
		return err
	}
	if err := s.Mail.Send(ctx, r.letter(report, file.Bytes())); err != nil {
		return err
	}
	now := s.Clock.Now()
	r.toldAt, r.SentAt = newest, &now
	return nil
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

// letter is the mail that brings a report.
func (r *record) letter(report *document.Report, file []byte) mail.Message {
	lead := ""
	if len(report.Sections) > 0 {
		lead = report.Sections[0].Lead
	}
	return mail.Message{
		To: r.email, Subject: fmt.Sprintf("%s, %s", report.Title, report.Period()), ID: fmt.Sprintf("report-%s-%d", r.ID, r.NextAt.Unix()),
		Text:        fmt.Sprintf("%s\n%s, %s\n\n%s\n\nThe whole report is attached.\n\n%s\n", report.Title, report.Kind, report.Period(), lead, report.By()),
		Attachments: []mail.Attachment{{Name: report.FileName() + ".pdf", ContentType: pdfMedia, Data: file}},
	}
}
