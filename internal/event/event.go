// Package event owns what has happened in an account: events that are written with the change that they tell of and kept for a
// week, and who is to be told of them. It tells nobody itself; that is the webhook wing's, and the alert wing's for what rules wait for.
package event

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
)

// Kept is for how long events can be read and replayed.
const Kept = 7 * 24 * time.Hour

// Event is something that has happened.
type Event struct {
	AccountID string
	Kind      Kind
	Subject   string // id of what it happened to
	Data      any    // as Kinds has it for the kind

	// Once, where it is not empty, names the occasion: of the same account, kind and occasion only the first is kept.
	Once string
}

// Emit writes events in the transaction of the change that they tell of, what is to be delivered of them, and the alerts that rules
// raise for them. All are of one kind of subject.
func Emit(ctx context.Context, tx *db.Tx, at time.Time, events ...Event) error {
	rows := make([][]any, len(events))
	ids := make([]string, len(events))
	var facts []alertrule.Fact
	for i, e := range events {
		data, err := json.Marshal(e.Data)
		if err != nil {
			return fmt.Errorf("event %s: %w", e.Kind, err)
		}
		ids[i] = e.id()
		rows[i] = []any{ids[i], e.AccountID, string(e.Kind), e.Subject, string(data), db.Micros(at)}
		facts = append(facts, e.facts(ids[i])...)
	}
	if err := db.Insert(ctx, tx, "events", "id, account_id, kind, subject, data, at", rows, "ON CONFLICT (id) DO NOTHING"); err != nil {
		return err
	}
	if err := alertrule.Happened(ctx, tx, at, facts); err != nil {
		return err
	}
	if err := forgetGone(ctx, tx, at, events); err != nil {
		return err
	}
	return db.Lists(ids, func(list []string) error {
		var p db.Params
		_, err := tx.Exec(ctx, `INSERT INTO webhook_deliveries (event_id, webhook_id, at, due_at) SELECT e.id, w.id, e.at, e.at FROM events e JOIN webhooks w ON w.account_id = e.account_id
			WHERE e.id IN `+db.AddAll(&p, list)+" AND w.paused_at IS NULL AND "+Wanted+" ON CONFLICT (event_id, webhook_id) DO NOTHING", p.Args...)
		return err
	})
}

// forgetGone deletes the alert rules about what has been deleted, and has reports of it mailed no more.
func forgetGone(ctx context.Context, tx *db.Tx, at time.Time, events []Event) error {
	gone := map[Kind]alertrule.Subject{LocationDeleted: alertrule.Location, CampaignDeleted: alertrule.Campaign, TrackingDeleted: alertrule.Tracking}
	for _, e := range events {
		on, is := gone[e.Kind]
		if !is {
			continue
		}
		if err := forgetRules(ctx, tx, at, e.AccountID, on, e.Subject); err != nil {
			return err
		}
		if on == alertrule.Location { // no report is about one
			continue
		}
		if err := PauseReports(ctx, tx, at, e.Subject, ""); err != nil {
			return err
		}
	}
	return nil
}

func forgetRules(ctx context.Context, tx *db.Tx, at time.Time, accountID string, on alertrule.Subject, subjectID string) error {
	forgotten, err := alertrule.Forget(ctx, tx, accountID, on, subjectID)
	if err != nil || len(forgotten) == 0 {
		return err
	}
	events := make([]Event, len(forgotten))
	for i, r := range forgotten {
		events[i] = Event{AccountID: accountID, Kind: RuleDeleted, Subject: r.ID, Data: Rule{RuleID: r.ID, Name: r.Name, Condition: string(r.Condition), Paused: r.Paused}}
	}
	return Emit(ctx, tx, at, events...)
}

// PauseReports has reports about a campaign or tracking mailed to an account no more, or to nobody when that is "". Their table
// belongs to a wing above; what is gone is known here.
func PauseReports(ctx context.Context, tx *db.Tx, at time.Time, subjectID, accountID string) error {
	paused, err := db.All(ctx, tx, func(row db.Scanner) (e Event, err error) {
		told := Schedule{Paused: true}
		err = row.Scan(&told.ScheduleID, &e.AccountID, &told.Kind, &told.SubjectID)
		return NewSchedule(ScheduleChanged, e.AccountID, told), err
	}, `UPDATE report_schedules SET paused_at = $2, due_at = NULL WHERE subject_id = $1 AND ($3 = '' OR account_id = $3) AND paused_at IS NULL
		RETURNING id, account_id, kind, subject_id`, subjectID, db.Micros(at), accountID)
	if err != nil || len(paused) == 0 {
		return err
	}
	return Emit(ctx, tx, at, paused...)
}

// NewSchedule is the event of reports that are mailed. Campaigns are known by ids with dashes.
func NewSchedule(kind Kind, accountID string, told Schedule) Event {
	if told.Kind == string(alertrule.Campaign) {
		told.SubjectID = id.Dashed(told.SubjectID)
	}
	return Event{AccountID: accountID, Kind: kind, Subject: told.ScheduleID, Data: told}
}

// Wanted is the condition under which webhook w is told of event e.
const Wanted = "(w.kinds = '' OR w.kinds LIKE '% ' || e.kind || ' %')"

// id is a new one, or that of the occasion.
func (e *Event) id() string {
	if e.Once == "" {
		return id.New()
	}
	sum := sha256.Sum256([]byte(e.AccountID + " " + string(e.Kind) + " " + e.Once))
	return hex.EncodeToString(sum[:16])
}

// forgetBatch is how many events one transaction forgets.
const forgetBatch = 2000

// ForgetOld deletes events that have been kept long enough, with their deliveries, and tells whether there may be more.
func ForgetOld(ctx context.Context, d *db.DB, now time.Time) (more bool, err error) {
	err = d.Tx(ctx, func(tx *db.Tx) error {
		n, err := tx.Exec(ctx, "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < $1 LIMIT $2)", db.Micros(now.Add(-Kept)), forgetBatch)
		more = n == forgetBatch
		return err
	})
	return more, err
}

// Forget deletes some of an account's events, and tells whether there may be more.
func Forget(ctx context.Context, tx *db.Tx, accountID string) (more bool, err error) {
	n, err := tx.Exec(ctx, "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE account_id = $1 LIMIT $2)", accountID, forgetBatch)
	return n == forgetBatch, err
}
