// Package report makes reports that are handed to others: of a campaign, a tracking or a whole account over some days, as a page
// and as a PDF, on request and on a schedule by mail. What they tell is read from the areas; how it looks is document's.
package report

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/mail"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/report/document"
)

// Kind is what a report is about.
type Kind string

// The kinds.
const (
	Campaign Kind = "campaign"
	Tracking Kind = "tracking"
	Account  Kind = "account"
)

// Options are what a Service needs.
type Options struct {
	DB        *db.DB
	Accounts  *account.Accounts
	Jobs      *job.Runner
	Mail      *mail.Mailer // nil where none is sent
	Clock     clock.Clock
	Log       *slog.Logger
	Local     *local.Service
	MapRank   *maprank.Service
	RankWatch *rankwatch.Service
	Faces     document.Faces // of characters that the built-in face lacks; nil for none
	PublicURL string
	Lease     time.Duration // for making and mailing a report; then its process counts as dead; five minutes when 0
}

// Service makes reports.
type Service struct {
	Options
	unsent sync.Once // it was told that reports wait for a mail server
}

// New returns the reports of all accounts and registers their background work.
func New(o Options) *Service {
	if o.Lease == 0 {
		o.Lease = 5 * time.Minute
	}
	s := &Service{Options: o}
	mailing := &job.Sweep{Name: "mail reports", Every: 20 * time.Second, Run: s.sendDue}
	if o.Mail != nil {
		mailing.Due = "SELECT min(due_at) FROM report_schedules WHERE due_at IS NOT NULL"
	}
	o.Jobs.Sweep(mailing)
	return s
}

// Query says which report is wanted, and for whom.
type Query struct {
	AccountID  string
	Kind       Kind
	ID         string         // of the campaign or tracking
	ShareToken string         // opens one that the account does not see
	Keyword    string         // of a campaign, by name or id; all when empty
	From, To   time.Time      // the first and the last day, each as its midnight in UTC
	Zone       *time.Location // by whose clock the days of campaigns begin; nil for UTC, by which ranks in result pages are kept
}

// begins is when a day begins.
func (q *Query) begins(day time.Time) time.Time {
	year, month, date := day.Date()
	zone := cmp.Or(q.Zone, time.UTC)
	at := time.Date(year, month, date, 0, 0, 0, 0, zone)
	if at.Day() != date { // the clocks leave midnight out
		at = time.Date(year, month, date, 1, 0, 0, 0, zone)
	}
	return at
}

// Make gathers what a report tells.
func (s *Service) Make(ctx context.Context, q Query) (r *document.Report, err error) {
	owner := q.AccountID
	switch q.Kind {
	case Campaign:
		r, owner, err = s.campaign(ctx, q)
	case Tracking:
		r, owner, err = s.tracking(ctx, q)
	case Account:
		r, err = s.account(ctx, q)
	default:
		err = errs.New(errs.Invalid, "A report is about a campaign, a tracking or an account, not %.20q.", q.Kind)
	}
	if err != nil {
		return nil, err
	}
	r.From, r.To, r.Made = q.From, q.To, s.Clock.Now()
	brand, logo, err := s.Accounts.BrandWithLogo(ctx, owner)
	if brand != nil {
		accent, _ := directory.Accents(brand.Colour)
		r.Brand = document.Brand{Name: brand.Name, Accent: accent, Logo: logo}
	}
	return r, err
}

// WritePDF writes a report as a PDF. What it cannot write is told in the log.
func (s *Service) WritePDF(w io.Writer, r *document.Report, paper document.Paper) error {
	left, err := r.PDF(w, paper, s.Faces)
	if len(left) > 0 {
		s.Log.Warn("a report leaves out characters that no font in font-dir has; its page shows them", "report", r.Title, "characters", string(left[:min(len(left), 20)]))
	}
	return err
}

// Period bounds.
const (
	defaultDays = 30
	maxDays     = 366
)

// readPeriod reads the first and the last day of a period; the last 30 days when they are left out.
func readPeriod(problems *errs.Problems, from, to string, now time.Time) (first, last time.Time) {
	read := func(name, text string, otherwise time.Time) time.Time {
		if text == "" {
			return otherwise
		}
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			problems.Add(name, errs.InvalidParameter, "%s must be a day such as 2026-11-30, not %.20q.", name, text)
			return otherwise
		}
		return day
	}
	today := now.UTC().Truncate(24 * time.Hour)
	last = read("to", to, today)
	first = read("from", from, last.AddDate(0, 0, 1-defaultDays))
	if last.After(today.AddDate(0, 0, 1)) { // east of Greenwich tomorrow has begun
		problems.Add("to", errs.InvalidParameter, "to must not be after today, which is %s (UTC).", today.Format(time.DateOnly))
	}
	switch days := int(last.Sub(first).Hours()/24) + 1; {
	case first.After(today):
		problems.Add("from", errs.InvalidParameter, "from must not be after today, which is %s (UTC).", today.Format(time.DateOnly))
	case days < 1:
		problems.Add("from", errs.InvalidParameter, "from must not be after to.")
	case days > maxDays:
		problems.Add("from", errs.InvalidParameter, "A report covers at most %d days, not %d.", maxDays, days)
	}
	return first, last
}

// ReadPeriod is readPeriod for the command line.
func (s *Service) ReadPeriod(from, to string) (first, last time.Time, err error) {
	var problems errs.Problems
	first, last = readPeriod(&problems, from, to, s.Clock.Now())
	return first, last, problems.Err()
}

func day(t time.Time) string { return t.Format("2 January 2006") }

// number is how a figure is written.
func number(v float64) string { return fmt.Sprintf("%.1f", v) }

// whole is how a count is written.
func whole(v float64) string { return humanize.Comma(int64(math.Round(v))) }

func percent(v float64) string { return fmt.Sprintf("%.0f%%", v) }
