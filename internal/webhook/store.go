package webhook

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
)

// record is a webhook as it is kept.
type record struct {
	Webhook
	accountID string
	secret    string // sealed, or as it is
	faults    int    // turns in a row in which it took nothing
	busyUntil int64
}

const columns = "id, account_id, url, kinds, secret, created_at, paused_at, paused, faults, busy_until"

func scan(row db.Scanner) (record, error) {
	var r record
	var kinds string
	var created int64
	var paused *int64
	err := row.Scan(&r.ID, &r.accountID, &r.URL, &kinds, &r.secret, &created, &paused, &r.Detail, &r.faults, &r.busyUntil)
	r.Kinds, r.CreatedAt, r.PausedAt = splitKinds(kinds), db.Time(created), db.TimeOrNil(paused)
	return r, err
}

func find(ctx context.Context, q db.Queryer, accountID, id, lock string) (record, error) {
	r, err := db.One(ctx, q, scan, "SELECT "+columns+" FROM webhooks WHERE id = $1 AND account_id = $2"+lock, id, accountID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no webhook %.64q.", id)
	}
	return r, err
}

func list(ctx context.Context, q db.Queryer, accountID string) ([]record, error) {
	return db.All(ctx, q, scan, "SELECT "+columns+" FROM webhooks WHERE account_id = $1 ORDER BY created_at, id", accountID)
}

// insert stores a new webhook, unless the account has enough of them. The account is locked, so that two requests cannot both be the last.
func insert(ctx context.Context, tx *db.Tx, r *record) error {
	if _, err := db.One(ctx, tx, db.Value[string], "SELECT id FROM accounts WHERE id = $1"+tx.ForUpdate(), r.accountID); err != nil {
		return err
	}
	held, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM webhooks WHERE account_id = $1", r.accountID)
	if err != nil {
		return err
	}
	if held >= maxWebhooks {
		return errs.With(errs.Conflict, errs.TooMany, "The account has %d webhooks already; delete one that is not needed.", held)
	}
	_, err = tx.Exec(ctx, "INSERT INTO webhooks (id, account_id, url, kinds, secret, created_at, paused_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		r.ID, r.accountID, r.URL, joinKinds(r.Kinds), r.secret, db.Micros(r.CreatedAt), db.MicrosOrNil(r.PausedAt))
	return err
}

// update stores what a request may change. One that was left alone after faults is told again at once.
func update(ctx context.Context, tx *db.Tx, r *record) error {
	_, err := tx.Exec(ctx, "UPDATE webhooks SET url = $2, kinds = $3, paused_at = $4, paused = $5, faults = 0, busy_until = CASE WHEN faults > 0 THEN 0 ELSE busy_until END WHERE id = $1",
		r.ID, r.URL, joinKinds(r.Kinds), db.MicrosOrNil(r.PausedAt), r.Detail)
	return err
}

func remove(ctx context.Context, tx *db.Tx, id string) error {
	if _, err := tx.Exec(ctx, "DELETE FROM webhook_deliveries WHERE webhook_id = $1", id); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "DELETE FROM webhooks WHERE id = $1", id)
	return err
}

// reseal keeps another sealed text of the same secret.
func reseal(ctx context.Context, tx *db.Tx, r *record, sealed string) error {
	_, err := tx.Exec(ctx, "UPDATE webhooks SET secret = $3 WHERE id = $1 AND secret = $2", r.ID, r.secret, sealed)
	return err
}

// maxBusy is longer than any turn and any rest: what lies further ahead was written by a clock that was wrong.
const maxBusy = 10 * time.Minute

// waiting finds webhooks that have something to be told of now and are free, longest free first. It looks from one webhook
// with deliveries to the next, so that the backlog of one costs nothing.
func waiting(ctx context.Context, q db.Queryer, now time.Time, limit int) ([]record, error) {
	return db.All(ctx, q, scan, `WITH RECURSIVE waiting (webhook_id) AS (
			SELECT min(webhook_id) FROM webhook_deliveries WHERE due_at IS NOT NULL
			UNION ALL SELECT (SELECT min(d.webhook_id) FROM webhook_deliveries d WHERE d.due_at IS NOT NULL AND d.webhook_id > waiting.webhook_id) FROM waiting WHERE waiting.webhook_id IS NOT NULL
		) SELECT `+columns+` FROM waiting JOIN webhooks w ON w.id = waiting.webhook_id
		WHERE w.paused_at IS NULL AND (w.busy_until <= $1 OR w.busy_until > $2)
		AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.due_at <= $1) ORDER BY w.busy_until, w.id LIMIT $3`,
		db.Micros(now), db.Micros(now.Add(maxBusy)), limit)
}

// earliestDue is since when a webhook waits to be told. One that took nothing the last time is left alone, which is not our delay.
const earliestDue = "SELECT min(d.due_at) FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE d.due_at IS NOT NULL AND w.paused_at IS NULL AND w.faults = 0"

// claim takes a webhook that was found free and returns it as it is now; db.ErrNoRow when it is free no more.
func claim(ctx context.Context, tx *db.Tx, r *record, until time.Time) (record, error) {
	return db.One(ctx, tx, scan, "UPDATE webhooks SET busy_until = $3 WHERE id = $1 AND busy_until = $2 AND paused_at IS NULL RETURNING "+columns,
		r.ID, r.busyUntil, db.Micros(until))
}

// release ends a claim. Until a time the webhook is left alone for its faults.
func release(ctx context.Context, tx *db.Tx, r *record, claimed, until time.Time) error {
	_, err := tx.Exec(ctx, "UPDATE webhooks SET busy_until = $3, faults = $4 WHERE id = $1 AND busy_until = $2", r.ID, db.Micros(claimed), db.Micros(until), r.faults)
	return err
}

// releaseAll frees what a dead process had claimed.
func releaseAll(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "UPDATE webhooks SET busy_until = 0 WHERE busy_until <> 0")
	return err
}

// pause stops telling a webhook and says why.
func pause(ctx context.Context, tx *db.Tx, r *record, now time.Time, why string) error {
	n, err := tx.Exec(ctx, "UPDATE webhooks SET paused_at = $2, paused = $3 WHERE id = $1 AND paused_at IS NULL", r.ID, db.Micros(now), why)
	if err != nil || n == 0 {
		return err
	}
	r.PausedAt, r.Detail = &now, why
	return tell(ctx, tx, event.WebhookChanged, r, now)
}

// message is a delivery with what is sent.
type message struct {
	Delivery
	data    string
	replays int // by now
}

// outcome is what came of an attempt to send a message.
type outcome struct {
	Delivery
	replays int // when it was sent
}

const deliveryColumns = "d.event_id, e.kind, d.at, d.status, d.attempts, d.tried_at, d.due_at, d.took, d.code, d.answer"

func scanDelivery(row db.Scanner, more ...any) (Delivery, error) {
	var d Delivery
	var at, took int64
	var tried, due *int64
	err := row.Scan(append([]any{&d.EventID, &d.Kind, &at, &d.Status, &d.Attempts, &tried, &due, &took, &d.Code, &d.Answer}, more...)...)
	d.At, d.TriedAt, d.NextAt, d.TookMS = db.Time(at), db.TimeOrNil(tried), db.TimeOrNil(due), float64(took)/1000
	return d, err
}

// dueFor finds what a webhook is to be told of now, longest due first.
func dueFor(ctx context.Context, q db.Queryer, webhookID string, now time.Time, limit int) ([]message, error) {
	return db.All(ctx, q, func(row db.Scanner) (m message, err error) {
		m.Delivery, err = scanDelivery(row, &m.data, &m.replays)
		return m, err
	}, "SELECT "+deliveryColumns+", e.data, d.replays FROM webhook_deliveries d JOIN events e ON e.id = d.event_id WHERE d.webhook_id = $1 AND d.due_at <= $2 ORDER BY d.due_at, d.event_id LIMIT $3",
		webhookID, db.Micros(now), limit)
}

// saveOutcome keeps what came of an attempt. One that was deleted or replayed meanwhile stays as it is.
func saveOutcome(ctx context.Context, tx *db.Tx, webhookID string, d *outcome) error {
	_, err := tx.Exec(ctx, `UPDATE webhook_deliveries SET status = $3, attempts = $4, tried_at = $5, due_at = $6, took = $7, code = $8, answer = $9
		WHERE event_id = $1 AND webhook_id = $2 AND attempts = $4 - 1 AND replays = $10`,
		d.EventID, webhookID, string(d.Status), d.Attempts, db.MicrosOrNil(d.TriedAt), db.MicrosOrNil(d.NextAt), int64(d.TookMS*1000), d.Code, d.Answer, d.replays)
	return err
}

// explain says of what is due why it is not tried.
func explain(ctx context.Context, tx *db.Tx, webhookID string, now time.Time, why string) error {
	_, err := tx.Exec(ctx, "UPDATE webhook_deliveries SET answer = $3 WHERE webhook_id = $1 AND due_at <= $2 AND answer <> $3", webhookID, db.Micros(now), why)
	return err
}

// deliveries lists what a webhook was told of, newest first.
func deliveries(ctx context.Context, q db.Queryer, webhookID string, status Status, limit, offset int) ([]Delivery, error) {
	var p db.Params
	where := " WHERE d.webhook_id = " + p.Add(webhookID)
	if status != "" {
		where += " AND d.status = " + p.Add(string(status))
	}
	return db.All(ctx, q, func(row db.Scanner) (Delivery, error) { return scanDelivery(row) },
		"SELECT "+deliveryColumns+" FROM webhook_deliveries d JOIN events e ON e.id = d.event_id"+where+" ORDER BY d.at DESC, d.event_id DESC LIMIT "+p.Add(limit)+" OFFSET "+p.Add(offset), p.Args...)
}

// maxReplayed is how many events one request has replayed.
const maxReplayed = 10_000

// replaySince has a webhook told again of events since an instant, the oldest first, whatever came of it before.
func replaySince(ctx context.Context, tx *db.Tx, r *record, since, now time.Time) (Replayed, error) {
	return replay(ctx, tx, `SELECT e.id, w.id, e.at, CAST($3 AS BIGINT) FROM events e JOIN webhooks w ON w.id = $1
		WHERE e.account_id = $2 AND e.at >= $4 AND `+event.Wanted+" AND e.kind <> '"+string(event.WebhookTested)+"' ORDER BY e.at, e.id LIMIT $5",
		r.ID, r.accountID, db.Micros(now), db.Micros(since), maxReplayed)
}

// replayOne has a webhook told again of one event.
func replayOne(ctx context.Context, tx *db.Tx, r *record, eventID string, now time.Time) (Replayed, error) {
	done, err := replay(ctx, tx, "SELECT e.id, CAST($1 AS TEXT), e.at, CAST($3 AS BIGINT) FROM events e WHERE e.account_id = $2 AND e.id = $4", r.ID, r.accountID, db.Micros(now), eventID)
	if err == nil && done.Events == 0 {
		err = errs.New(errs.NotFound, "There is no event %.64q; events are kept for 7 days.", eventID)
	}
	return done, err
}

func replay(ctx context.Context, tx *db.Tx, chosen string, args ...any) (done Replayed, err error) {
	err = db.Each(ctx, tx, func(row db.Scanner) error {
		var at int64
		err := row.Scan(&at)
		if last := db.Time(at); done.Until == nil || last.After(*done.Until) {
			done.Until = &last
		}
		done.Events++
		return err
	}, "INSERT INTO webhook_deliveries (event_id, webhook_id, at, due_at) SELECT * FROM ("+chosen+`) AS chosen WHERE TRUE
		ON CONFLICT (event_id, webhook_id) DO UPDATE SET status = 'pending', attempts = 0, replays = webhook_deliveries.replays + 1, due_at = excluded.due_at RETURNING at`, args...)
	return done, err
}

// insertTest keeps the event and the outcome of a test.
func insertTest(ctx context.Context, tx *db.Tx, r *record, data string, d *Delivery) error {
	if _, err := tx.Exec(ctx, "INSERT INTO events (id, account_id, kind, subject, data, at) VALUES ($1, $2, $3, $4, $5, $6)",
		d.EventID, r.accountID, string(d.Kind), r.ID, data, db.Micros(d.At)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO webhook_deliveries (event_id, webhook_id, at) VALUES ($1, $2, $3)", d.EventID, r.ID, db.Micros(d.At)); err != nil {
		return err
	}
	return saveOutcome(ctx, tx, r.ID, &outcome{Delivery: *d})
}

// events lists what has happened in an account, newest first.
func events(ctx context.Context, q db.Queryer, accountID, kind string, since time.Time, limit, offset int) ([]Event, error) {
	var p db.Params
	where := " WHERE account_id = " + p.Add(accountID) + " AND at >= " + p.Add(db.Micros(since))
	if kind != "" {
		where += " AND kind = " + p.Add(kind)
	}
	return db.All(ctx, q, func(row db.Scanner) (e Event, err error) {
		var at int64
		var data string
		err = row.Scan(&e.ID, &e.Kind, &data, &at)
		e.At, e.Data = db.Time(at), Data(data)
		return e, err
	}, "SELECT id, kind, data, at FROM events"+where+" ORDER BY at DESC, id DESC LIMIT "+p.Add(limit)+" OFFSET "+p.Add(offset), p.Args...)
}
