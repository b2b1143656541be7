package report

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
)

// record is a schedule as it is kept, with what its account says.
type record struct {
	Schedule
	accountID string
	nextAt    time.Time  // what is due, or comes next
	dueAt     *time.Time // nil while it is paused
	failures  int
	toldDay   string
	email     string
	zone      *time.Location
	outcomes  []outcome // of the report that is due
	named     bool      // whether the request says who gets it
}

// outcome is what came of a report for one who was to have it: why they never will, or "" when they do.
type outcome struct {
	Email   string `json:"email"`
	Problem string `json:"problem,omitempty"`
}

// The name of what a schedule is about is empty when that is gone.
const selectSchedules = `SELECT r.id, r.account_id, r.kind, r.subject_id, coalesce(c.name, t.domain, ''), coalesce(t.location_id, 0), coalesce(t.platform_id, 0), r.frequency, r.day, r.hour, r.created_at, r.paused_at,
		r.next_at, r.due_at, r.failures, r.told_day, r.sent_at, r.problem, r.paper, r.recipients, r.outcomes, o.email, o.zone
	FROM report_schedules r JOIN accounts o ON o.id = r.account_id
	LEFT JOIN campaign_access x ON r.kind = 'campaign' AND x.account_id = r.account_id AND x.campaign_id = r.subject_id
	LEFT JOIN campaigns c ON c.id = x.campaign_id
	LEFT JOIN trackings t ON r.kind = 'tracking' AND t.id = r.subject_id AND t.account_id = r.account_id AND t.deleted_at IS NULL`

func scanSchedule(row db.Scanner) (record, error) {
	var r record
	var created, next int64
	var paused, due, sent *int64
	var zone, to, outcomes string
	var place, platform int // of a tracking
	err := row.Scan(&r.ID, &r.accountID, &r.Kind, &r.SubjectID, &r.Subject, &place, &platform, &r.Frequency, &r.Day, &r.Hour, &created, &paused,
		&next, &due, &r.failures, &r.toldDay, &sent, &r.Problem, &r.Paper, &to, &outcomes, &r.email, &zone)
	r.CreatedAt, r.PausedAt, r.nextAt, r.dueAt, r.SentAt, r.zone = db.Time(created), db.TimeOrNil(paused), db.Time(next), db.TimeOrNil(due), db.TimeOrNil(sent), account.ZoneOf(zone)
	if r.Kind == Tracking && !r.gone() {
		r.Subject = alertrule.TrackingName(r.Subject, place, platform)
	}
	if r.To = strings.Fields(to); len(r.To) == 0 {
		r.To = []string{r.email}
	}
	if err == nil && outcomes != "" {
		err = json.Unmarshal([]byte(outcomes), &r.outcomes)
	}
	return r, err
}

// gone tells whether there is nothing left to report on.
func (r *record) gone() bool { return r.Kind != Account && r.Subject == "" }

// noMail is why nothing is mailed where no mail server is configured.
const noMail = "This service sends no mail; whoever runs it sets smtp-url."

// show is a schedule as the API shows it.
func (s *Service) show(r *record, known account.Receivers) Schedule {
	shown := r.Schedule
	shown.Waiting = known.Waiting(r.To)
	shown.Text = shown.rhythm()
	if shown.Kind == Campaign {
		shown.SubjectID = id.Dashed(shown.SubjectID)
	}
	shown.NextAt = r.dueAt
	switch {
	case r.gone():
		shown.Problem = "The " + string(r.Kind) + " was deleted."
	case s.Mail == nil && shown.PausedAt == nil:
		shown.Problem = noMail
	}
	return shown
}

// CountActive counts the schedules of all accounts that are not paused.
func (s *Service) CountActive(ctx context.Context) (int, error) {
	return db.One(ctx, s.DB, db.Value[int], "SELECT count(*) FROM report_schedules WHERE due_at IS NOT NULL")
}

// listSchedules returns those of an account, oldest first.
func listSchedules(ctx context.Context, q db.Queryer, accountID string) ([]record, error) {
	return db.All(ctx, q, scanSchedule, selectSchedules+" WHERE r.account_id = $1 ORDER BY r.created_at, r.id", accountID)
}

func findSchedule(ctx context.Context, q db.Queryer, accountID, scheduleID string) (record, error) {
	r, err := db.One(ctx, q, scanSchedule, selectSchedules+" WHERE r.id = $1 AND r.account_id = $2", scheduleID, accountID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no schedule %.64q.", scheduleID)
	}
	return r, err
}

// lockAccount makes changes to the schedules of an account follow one another, and holds its time zone, which it returns.
func lockAccount(ctx context.Context, tx *db.Tx, accountID string) (*time.Location, error) {
	name, err := db.One(ctx, tx, db.Value[string], "SELECT zone FROM accounts WHERE id = $1"+tx.ForUpdate(), accountID)
	return account.ZoneOf(name), err
}

func countSchedules(ctx context.Context, q db.Queryer, accountID string) (int, error) {
	return db.One(ctx, q, db.Value[int], "SELECT count(*) FROM report_schedules WHERE account_id = $1", accountID)
}

// saveSchedules stores schedules, new ones and those that have changed.
func saveSchedules(ctx context.Context, tx *db.Tx, all ...record) error {
	rows := make([][]any, len(all))
	for i, r := range all {
		outcomes, err := r.writeOutcomes()
		if err != nil {
			return err
		}
		rows[i] = []any{
			r.ID, r.accountID, string(r.Kind), r.SubjectID, r.Frequency, r.Day, r.Hour, db.Micros(r.CreatedAt), db.MicrosOrNil(r.PausedAt),
			db.Micros(r.nextAt), db.MicrosOrNil(r.dueAt), r.failures, r.toldDay, db.MicrosOrNil(r.SentAt), r.Problem, r.Paper, r.writeReceivers(), outcomes,
		}
	}
	return db.Insert(ctx, tx, "report_schedules", "id, account_id, kind, subject_id, frequency, day, hour, created_at, paused_at, next_at, due_at, failures, told_day, sent_at, problem, paper, recipients, outcomes", rows,
		`ON CONFLICT (id) DO UPDATE SET frequency = excluded.frequency, day = excluded.day, hour = excluded.hour, paused_at = excluded.paused_at, next_at = excluded.next_at,
			due_at = excluded.due_at, failures = excluded.failures, told_day = excluded.told_day, sent_at = excluded.sent_at, problem = excluded.problem, paper = excluded.paper,
			recipients = excluded.recipients, outcomes = excluded.outcomes`)
}

// writeReceivers is who gets the report as it is kept: "" while nobody but the account does.
func (r *record) writeReceivers() string {
	if len(r.To) == 1 && r.To[0] == r.email {
		return ""
	}
	return strings.Join(r.To, "\n")
}

func (r *record) writeOutcomes() (string, error) {
	if len(r.outcomes) == 0 {
		return "", nil
	}
	text, err := json.Marshal(r.outcomes)
	return string(text), err
}

// saveOutcomes keeps what came of a report so far, unless the schedule was changed meanwhile: ours is false then.
func saveOutcomes(ctx context.Context, tx *db.Tx, r *record) (ours bool, err error) {
	text, err := r.writeOutcomes()
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(ctx, "UPDATE report_schedules SET outcomes = $3 WHERE id = $1 AND due_at = $2", r.ID, db.MicrosOrNil(r.dueAt), text)
	return n == 1, err
}

func removeSchedule(ctx context.Context, tx *db.Tx, accountID, scheduleID string) error {
	n, err := tx.Exec(ctx, "DELETE FROM report_schedules WHERE id = $1 AND account_id = $2", scheduleID, accountID)
	if err == nil && n == 0 {
		err = errs.New(errs.NotFound, "There is no schedule %.64q.", scheduleID)
	}
	return err
}

// Rescheduled has the reports of an account mailed at the same hours on other clocks, after a change of its time zone. What is due
// already stays so.
func Rescheduled(ctx context.Context, tx *db.Tx, accountID string, now time.Time) error {
	all, err := listSchedules(ctx, tx, accountID)
	if err != nil {
		return err
	}
	var later []record
	for _, r := range all {
		if r.dueAt != nil && r.nextAt.After(now) {
			r.plan(now, r.zone)
			later = append(later, r)
		}
	}
	if len(later) == 0 {
		return nil
	}
	return saveSchedules(ctx, tx, later...)
}

// claimDue takes schedules that are due, longest first, until a time, when they are due again by themselves.
func claimDue(ctx context.Context, tx *db.Tx, now, until time.Time, limit int) ([]record, error) {
	lock := tx.ForUpdate()
	if lock != "" {
		lock += " SKIP LOCKED"
	}
	claimed, err := db.All(ctx, tx, db.Value[string], "UPDATE report_schedules SET due_at = $2 WHERE id IN (SELECT id FROM report_schedules WHERE due_at <= $1 ORDER BY due_at LIMIT $3"+lock+") RETURNING id",
		db.Micros(now), db.Micros(until), limit)
	if err != nil || len(claimed) == 0 {
		return nil, err
	}
	var p db.Params
	return db.All(ctx, tx, scanSchedule, selectSchedules+" WHERE r.id IN "+db.AddAll(&p, claimed), p.Args...)
}
