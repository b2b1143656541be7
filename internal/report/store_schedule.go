package report

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// record is a schedule as it is kept, with what its account says.
type record struct {
	Schedule
	accountID string
	freeAt    int64
	failures  int
	toldAt    time.Time
	email     string
	zone      *time.Location
}

const selectSchedules = `SELECT r.id, r.account_id, r.kind, r.subject_id, r.frequency, r.day, r.hour, r.created_at, r.next_at, r.free_at, r.failures, r.told_at, r.sent_at, r.problem, o.email, o.zone
	FROM report_schedules r JOIN accounts o ON o.id = r.account_id`

func scanSchedule(row db.Scanner) (record, error) {
	var r record
	var created, next, told int64
	var sent *int64
	var zone string
	err := row.Scan(&r.ID, &r.accountID, &r.Kind, &r.SubjectID, &r.Frequency, &r.Day, &r.Hour, &created, &next, &r.freeAt, &r.failures, &told, &sent, &r.Problem, &r.email, &zone)
	r.CreatedAt, r.NextAt, r.toldAt, r.zone = db.Time(created), db.Time(next), db.Time(told), zoneOf(zone)
	if sent != nil {
		at := db.Time(*sent)
		r.SentAt = &at
	}
	return r, err
}

// listSchedules returns those of an account, oldest first.
func listSchedules(ctx context.Context, q db.Queryer, accountID string) ([]record, error) {
	var all []record
	err := db.Each(ctx, q, func(row db.Scanner) error {
		r, err := scanSchedule(row)
		all = append(all, r)
		return err
	}, selectSchedules+" WHERE r.account_id = $1 ORDER BY r.created_at, r.id", accountID)
	return all, err
}

// insertSchedule stores a new schedule, unless the account has enough of them. The account is locked, so that two requests cannot
// both be the last, and the zone stays as it is.
func insertSchedule(ctx context.Context, tx *db.Tx, accountID string, s *Schedule) error {
	zone, err := db.One(ctx, tx, db.Value[string], "SELECT zone FROM accounts WHERE id = $1"+tx.ForUpdate(), accountID)
	if err != nil {
		return err
	}
	held, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM report_schedules WHERE account_id = $1", accountID)
	if err != nil {
		return err
	}
	if held >= maxSchedules {
		return errs.With(errs.Conflict, errs.TooMany, "The account has %d schedules already; delete one that is not needed.", held)
	}
	s.NextAt = s.after(s.CreatedAt, zoneOf(zone))
	return putSchedules(ctx, tx, []record{{Schedule: *s, accountID: accountID}})
}

// putSchedules stores new schedules, and when those that are there are due next.
func putSchedules(ctx context.Context, tx *db.Tx, all []record) error {
	rows := make([][]any, len(all))
	for i, r := range all {
		rows[i] = []any{r.ID, r.accountID, string(r.Kind), r.SubjectID, r.Frequency, r.Day, r.Hour, db.Micros(r.CreatedAt), db.Micros(r.NextAt)}
	}
	return db.Insert(ctx, tx, "report_schedules", "id, account_id, kind, subject_id, frequency, day, hour, created_at, next_at", rows,
		"ON CONFLICT (id) DO UPDATE SET next_at = excluded.next_at")
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
		if r.NextAt.After(now) {
			r.NextAt = r.after(now, r.zone)
			later = append(later, r)
		}
	}
	if len(later) == 0 {
		return nil
	}
	return putSchedules(ctx, tx, later)
}

func deleteSchedule(ctx context.Context, tx *db.Tx, accountID, id string) error {
	n, err := tx.Exec(ctx, "DELETE FROM report_schedules WHERE id = $1 AND account_id = $2", id, accountID)
	if err == nil && n == 0 {
		err = errs.New(errs.NotFound, "There is no schedule %.64q.", id)
	}
	return err
}

// claimSchedule takes the schedule that is due longest, until a time; db.ErrNoRow when none is.
func claimSchedule(ctx context.Context, tx *db.Tx, now, until time.Time) (record, error) {
	lock := tx.ForUpdate()
	if lock != "" {
		lock += " SKIP LOCKED"
	}
	claimed, err := db.One(ctx, tx, db.Value[string], `UPDATE report_schedules SET free_at = $2
		WHERE id = (SELECT id FROM report_schedules WHERE next_at <= $1 AND free_at <= $1 ORDER BY next_at LIMIT 1`+lock+") RETURNING id", db.Micros(now), db.Micros(until))
	if err != nil {
		return record{}, err
	}
	return db.One(ctx, tx, scanSchedule, selectSchedules+" WHERE r.id = $1", claimed)
}

// saveSchedule stores what came of a claimed schedule, as long as it is still claimed by the same.
func saveSchedule(ctx context.Context, tx *db.Tx, r *record, freeAt time.Time) error {
	var sent *int64
	if r.SentAt != nil {
		at := db.Micros(*r.SentAt)
		sent = &at
	}
	_, err := tx.Exec(ctx, `UPDATE report_schedules SET next_at = $3, free_at = $4, failures = $5, told_at = $6, sent_at = $7, problem = $8
		WHERE id = $1 AND free_at = $2`, r.ID, r.freeAt, db.Micros(r.NextAt), db.Micros(freeAt), r.failures, db.Micros(r.toldAt), sent, r.Problem)
	return err
}
