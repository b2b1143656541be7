package alert

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
)

// record is a rule as it is kept.
type record struct {
	Rule
	accountID string
	slack     string // the URL, sealed or as it is
	zone      string // of the account
}

const (
	ruleColumns = `r.id, r.account_id, r.name, r.subject_kind, r.subject_id, r.subject, r.condition, r.threshold, r.rival, r.emails, r.slack, r.slack_hint,
		r.webhooks, r.pace, r.hour, r.weekday, r.created_at, r.paused_at, (SELECT max(a.at) FROM alerts a WHERE a.rule_id = r.id), o.zone`
	ruleTables = " FROM alert_rules r JOIN accounts o ON o.id = r.account_id"
)

func scanRule(row db.Scanner) (record, error) {
	var r record
	var emails string
	var created int64
	var paused, raised *int64
	err := row.Scan(&r.ID, &r.accountID, &r.Name, &r.On, &r.SubjectID, &r.Subject, &r.Condition, &r.Threshold, &r.Rival, &emails, &r.slack, &r.Slack,
		&r.Webhooks, &r.Pace, &r.Hour, &r.Weekday, &created, &paused, &raised, &r.zone)
	r.Emails, r.CreatedAt, r.PausedAt, r.RaisedAt = append([]string{}, strings.Fields(emails)...), db.Time(created), db.TimeOrNil(paused), db.TimeOrNil(raised)
	r.describe()
	return r, err
}

func listRules(ctx context.Context, q db.Queryer, accountID string) ([]record, error) {
	return db.All(ctx, q, scanRule, "SELECT "+ruleColumns+ruleTables+" WHERE r.account_id = $1 ORDER BY r.created_at, r.id", accountID)
}

func findRule(ctx context.Context, q db.Queryer, accountID, ruleID string) (record, error) {
	r, err := db.One(ctx, q, scanRule, "SELECT "+ruleColumns+ruleTables+" WHERE r.id = $1 AND r.account_id = $2", ruleID, accountID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no alert rule %.64q.", ruleID)
	}
	return r, err
}

// nameSubject finds the name of what a rule is about, which must be the account's. It stands in the tables of the areas, which are
// above this wing.
func nameSubject(ctx context.Context, q db.Queryer, problems *errs.Problems, r *record) error {
	r.Subject = ""
	if r.SubjectID == "" || r.On == "" {
		return nil
	}
	if parsed, ok := id.Parse(r.SubjectID); ok {
		r.SubjectID = parsed
	}
	var name string
	var place, platform int // of a tracking
	_, err := db.One(ctx, q, func(row db.Scanner) (none struct{}, err error) { return none, row.Scan(&name, &place, &platform) }, map[alertrule.Subject]string{
		alertrule.Tracking: "SELECT domain, location_id, platform_id FROM trackings WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL",
		alertrule.Campaign: "SELECT name, 0, 0 FROM campaigns WHERE id = $1 AND account_id = $2",
		alertrule.Location: "SELECT profile, 0, 0 FROM locations WHERE id = $1 AND account_id = $2",
	}[r.On], r.SubjectID, r.accountID)
	if db.IsNoRow(err) {
		problems.Add("subject_id", errs.InvalidValue, "subject_id: there is no %s %.64q.", r.On, r.SubjectID)
		return nil
	}
	if err != nil {
		return err
	}
	switch r.On {
	case alertrule.Tracking:
		r.Subject = alertrule.TrackingName(name, place, platform)
	case alertrule.Location:
		var profile struct {
			BusinessName string `json:"business_name"`
		}
		err = json.Unmarshal([]byte(name), &profile)
		r.Subject = profile.BusinessName
	default:
		r.Subject = name
	}
	return err
}

// lockAccount makes changes to the rules of an account follow one another.
func lockAccount(ctx context.Context, tx *db.Tx, accountID string) error {
	_, err := db.One(ctx, tx, db.Value[string], "SELECT id FROM accounts WHERE id = $1"+tx.ForUpdate(), accountID)
	return err
}

// saveRule stores a rule. What waits is put together anew, at the pace that it now has.
func saveRule(ctx context.Context, tx *db.Tx, r *record) error {
	return db.Insert(ctx, tx, "alert_rules", `id, account_id, name, subject_kind, subject_id, subject, condition, threshold, rival, emails, slack, slack_hint, webhooks, pace, hour, weekday, created_at, paused_at`,
		[][]any{{
			r.ID, r.accountID, r.Name, string(r.On), r.SubjectID, r.Subject, string(r.Condition), r.Threshold, r.Rival, strings.Join(r.Emails, "\n"), r.slack, r.Slack, r.Webhooks,
			string(r.Pace), r.Hour, r.Weekday, db.Micros(r.CreatedAt), db.MicrosOrNil(r.PausedAt),
		}}, `ON CONFLICT (id) DO UPDATE SET name = excluded.name, subject_kind = excluded.subject_kind, subject_id = excluded.subject_id, subject = excluded.subject, condition = excluded.condition,
			threshold = excluded.threshold, rival = excluded.rival, emails = excluded.emails, slack = excluded.slack, slack_hint = excluded.slack_hint, webhooks = excluded.webhooks,
			pace = excluded.pace, hour = excluded.hour, weekday = excluded.weekday, paused_at = excluded.paused_at, not_before = 0`)
}

// listAlerts lists what rules have found, newest first.
func listAlerts(ctx context.Context, q db.Queryer, accountID, ruleID string, limit, offset int) ([]Alert, error) {
	var p db.Params
	where := " WHERE a.account_id = " + p.Add(accountID)
	if ruleID != "" {
		where += " AND a.rule_id = " + p.Add(ruleID)
	}
	const of = "FROM alert_messages m WHERE m.digest_id = a.digest_id AND m.account_id = a.account_id AND m.status = "
	const answered = "FROM alert_messages m WHERE m.digest_id = a.digest_id AND m.account_id = a.account_id AND m.answer <> '' AND m.channel = "
	return db.All(ctx, q, func(row db.Scanner) (Alert, error) {
		var a Alert
		var at int64
		var data string
		var gathered, pending, failed bool
		var mail, slack string
		if err := row.Scan(&a.ID, &a.RuleID, &a.RuleName, &at, &data, &gathered, &pending, &failed, &mail, &slack); err != nil {
			return a, err
		}
		a.At, a.Detail = db.Time(at), problems(mail, slack)
		switch {
		case !gathered:
			a.Status = Waiting
		case failed:
			a.Status = Failed
		case pending:
			a.Status = Pending
		default:
			a.Status = Sent
		}
		return a, json.Unmarshal([]byte(data), &a.Data)
	}, `SELECT a.id, a.rule_id, coalesce(r.name, ''), a.at, a.data, a.digest_id IS NOT NULL, EXISTS (SELECT 1 `+of+`'pending'), EXISTS (SELECT 1 `+of+`'failed'),
		coalesce((SELECT max(m.answer) `+answered+`'email'), ''), coalesce((SELECT max(m.answer) `+answered+`'slack'), '')
		FROM alerts a LEFT JOIN alert_rules r ON r.id = a.rule_id`+where+" ORDER BY a.at DESC, a.id DESC LIMIT "+p.Add(limit)+" OFFSET "+p.Add(offset), p.Args...)
}

// problems tells what the receivers of a message said that have not taken it.
func problems(mail, slack string) string {
	var all []string
	if mail != "" {
		all = append(all, "Mail: "+mail)
	}
	if slack != "" {
		all = append(all, "Slack: "+slack)
	}
	return strings.Join(all, " ")
}

// ready finds rules with alerts that wait and may be put together now. It looks from one rule with such alerts to the next, so
// that how many wait costs nothing.
func ready(ctx context.Context, q db.Queryer, now time.Time, limit int) ([]string, error) {
	return db.All(ctx, q, db.Value[string], `WITH RECURSIVE waiting (id) AS (
			SELECT min(rule_id) FROM alerts WHERE digest_id IS NULL
			UNION ALL SELECT (SELECT min(a.rule_id) FROM alerts a WHERE a.digest_id IS NULL AND a.rule_id > waiting.id) FROM waiting WHERE waiting.id IS NOT NULL
		) SELECT r.id FROM waiting JOIN alert_rules r ON r.id = waiting.id WHERE r.not_before <= $1 ORDER BY r.not_before, r.id LIMIT $2`, db.Micros(now), limit)
}

// lockReady locks a rule that may be put together now, and tells since when its alerts wait; ok is false where there is none any more.
func lockReady(ctx context.Context, tx *db.Tx, ruleID string, now time.Time) (r record, since time.Time, ok bool, err error) {
	accountID, err := db.One(ctx, tx, db.Value[string], "SELECT account_id FROM alert_rules WHERE id = $1 AND not_before <= $2"+tx.ForUpdate(), ruleID, db.Micros(now))
	if db.IsNoRow(err) {
		return r, since, false, nil
	}
	if err != nil {
		return r, since, false, err
	}
	first, err := db.One(ctx, tx, db.Value[*int64], "SELECT min(at) FROM alerts WHERE rule_id = $1 AND digest_id IS NULL", ruleID)
	if err != nil || first == nil {
		return r, since, false, err
	}
	r, err = findRule(ctx, tx, accountID, ruleID)
	return r, db.Time(*first), err == nil, err
}

// Rescheduled has what waits for digests of an account put together anew, as after a change of its time zone.
func Rescheduled(ctx context.Context, tx *db.Tx, accountID string) error {
	_, err := tx.Exec(ctx, "UPDATE alert_rules SET not_before = 0 WHERE account_id = $1 AND pace <> $2", accountID, string(AtOnce))
	return err
}

func waitUntil(ctx context.Context, tx *db.Tx, ruleID string, at time.Time) error {
	_, err := tx.Exec(ctx, "UPDATE alert_rules SET not_before = $2 WHERE id = $1", ruleID, db.Micros(at))
	return err
}

// take puts alerts of a rule that wait into a digest.
func take(ctx context.Context, tx *db.Tx, ruleID, digestID string) error {
	_, err := tx.Exec(ctx, "UPDATE alerts SET digest_id = $2 WHERE rule_id = $1 AND digest_id IS NULL", ruleID, digestID)
	return err
}

// of lists the alerts of a digest, oldest first.
func of(ctx context.Context, q db.Queryer, digestID string, limit int) ([]Alert, error) {
	return db.All(ctx, q, func(row db.Scanner) (Alert, error) {
		var a Alert
		var at int64
		var data string
		if err := row.Scan(&a.ID, &a.RuleID, &at, &data); err != nil {
			return a, err
		}
		a.At = db.Time(at)
		return a, json.Unmarshal([]byte(data), &a.Data)
	}, "SELECT id, rule_id, at, data FROM alerts WHERE digest_id = $1 ORDER BY at, id LIMIT $2", digestID, limit)
}

func countOf(ctx context.Context, q db.Queryer, digestID string) (int, error) {
	return db.One(ctx, q, db.Value[int], "SELECT count(*) FROM alerts WHERE digest_id = $1", digestID)
}

func insertMessages(ctx context.Context, tx *db.Tx, now time.Time, messages []message) error {
	rows := make([][]any, len(messages))
	for i, m := range messages {
		rows[i] = []any{m.id, m.accountID, m.ruleID, m.digestID, string(m.channel), m.address, db.Micros(now), db.Micros(now)}
	}
	return db.Insert(ctx, tx, "alert_messages", "id, account_id, rule_id, digest_id, channel, address, at, due_at", rows, "")
}

// dueMessages finds what is to be sent now, longest due first.
func dueMessages(ctx context.Context, q db.Queryer, now time.Time, limit int) ([]message, error) {
	return db.All(ctx, q, func(row db.Scanner) (m message, err error) {
		err = row.Scan(&m.id, &m.accountID, &m.ruleID, &m.digestID, &m.channel, &m.address, &m.attempts, &m.dueAt, &m.ruleName, &m.slack, &m.pace, &m.zone)
		return m, err
	}, `SELECT m.id, m.account_id, m.rule_id, m.digest_id, m.channel, m.address, m.attempts, m.due_at, r.name, r.slack, r.pace, o.zone
		FROM alert_messages m JOIN alert_rules r ON r.id = m.rule_id JOIN accounts o ON o.id = m.account_id WHERE m.due_at <= $1 ORDER BY m.due_at, m.id LIMIT $2`, db.Micros(now), limit)
}

// claim takes a message until a time, when it is due again by itself; ok is false where another process was first.
func claim(ctx context.Context, tx *db.Tx, m *message, until time.Time) (ok bool, err error) {
	n, err := tx.Exec(ctx, "UPDATE alert_messages SET due_at = $3 WHERE id = $1 AND due_at = $2", m.id, m.dueAt, db.Micros(until))
	m.dueAt = db.Micros(until)
	return n == 1, err
}

// saveOutcome keeps what came of an attempt, unless another process has the message by now.
func saveOutcome(ctx context.Context, tx *db.Tx, m *message) error {
	_, err := tx.Exec(ctx, "UPDATE alert_messages SET status = $3, attempts = $4, tried_at = $5, due_at = $6, answer = $7 WHERE id = $1 AND due_at = $2",
		m.id, m.dueAt, string(m.status), m.attempts, db.Micros(m.triedAt), db.MicrosOrNil(m.nextAt), m.answer)
	return err
}

// kept is for how long alerts and what was sent of them can be read.
const kept = 90 * 24 * time.Hour

const forgetBatch = 2000

// forgetOld deletes what has been kept long enough, and tells whether there may be more.
func forgetOld(ctx context.Context, d *db.DB, now time.Time) (more bool, err error) {
	err = d.Tx(ctx, func(tx *db.Tx) error {
		for _, table := range []string{"alerts", "alert_messages"} {
			n, err := tx.Exec(ctx, "DELETE FROM "+table+" WHERE id IN (SELECT id FROM "+table+" WHERE at < $1 LIMIT $2)", db.Micros(now.Add(-kept)), forgetBatch)
			if err != nil {
				return err
			}
			more = more || n == forgetBatch
		}
		return nil
	})
	return more, err
}

// Forget deletes some of what an account was told, and tells whether there may be more.
func Forget(ctx context.Context, tx *db.Tx, accountID string) (more bool, err error) {
	for _, table := range []string{"alerts", "alert_messages"} {
		n, err := tx.Exec(ctx, "DELETE FROM "+table+" WHERE id IN (SELECT id FROM "+table+" WHERE account_id = $1 LIMIT $2)", accountID, forgetBatch)
		if err != nil {
			return false, err
		}
		more = more || n == forgetBatch
	}
	return more, nil
}
