package connection

import (
	"context"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// record is a connection as it is kept.
type record struct {
	Connection
	accountID string
	sealed    string
}

const columns = "account_id, service, kind, identity, sealed, scopes, connected_at, broken_at, broken"

func scan(row db.Scanner) (record, error) {
	var r record
	var scopes string
	var connected int64
	var broken *int64
	err := row.Scan(&r.accountID, &r.Service, &r.Kind, &r.Identity, &r.sealed, &scopes, &connected, &broken, &r.Detail)
	r.Scopes, r.ConnectedAt, r.Status = strings.Fields(scopes), db.Time(connected), Connected
	if broken != nil {
		r.Status = Broken
	}
	return r, err
}

func find(ctx context.Context, q db.Queryer, accountID string, s Service) (record, error) {
	return db.One(ctx, q, scan, "SELECT "+columns+" FROM connections WHERE account_id = $1 AND service = $2", accountID, string(s))
}

func list(ctx context.Context, q db.Queryer, accountID string) ([]record, error) {
	return db.All(ctx, q, scan, "SELECT "+columns+" FROM connections WHERE account_id = $1 ORDER BY service", accountID)
}

// keep stores a connection in place of the one that the account had.
func keep(ctx context.Context, tx *db.Tx, r record) error {
	_, err := tx.Exec(ctx, `INSERT INTO connections (account_id, service, kind, identity, sealed, scopes, connected_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (account_id, service) DO UPDATE SET kind = excluded.kind, identity = excluded.identity, sealed = excluded.sealed, scopes = excluded.scopes,
		connected_at = excluded.connected_at, broken_at = NULL, broken = ''`,
		r.accountID, string(r.Service), string(r.Kind), r.Identity, r.sealed, strings.Join(r.Scopes, " "), db.Micros(r.ConnectedAt))
	return err
}

// reseal keeps another sealed text, unless the connection has been made anew meanwhile.
func reseal(ctx context.Context, tx *db.Tx, r record, sealed string) error {
	_, err := tx.Exec(ctx, "UPDATE connections SET sealed = $4 WHERE account_id = $1 AND service = $2 AND sealed = $3", r.accountID, string(r.Service), r.sealed, sealed)
	return err
}

// breakOff notes why a connection works no more, unless it has been made anew meanwhile.
func breakOff(ctx context.Context, tx *db.Tx, r record, reason string, now time.Time) error {
	_, err := tx.Exec(ctx, "UPDATE connections SET broken_at = $4, broken = $5 WHERE account_id = $1 AND service = $2 AND sealed = $3",
		r.accountID, string(r.Service), r.sealed, db.Micros(now), reason)
	return err
}

func remove(ctx context.Context, tx *db.Tx, accountID string, s Service) error {
	_, err := tx.Exec(ctx, "DELETE FROM connections WHERE account_id = $1 AND service = $2", accountID, string(s))
	return err
}

// consent is a person at Google's consent page.
type consent struct {
	accountID string
	service   Service
	verifier  string // sealed
	endsAt    time.Time
	bySession bool // begun by a person who was signed in
}

// keepConsent stores a consent. Those of the account that have ended, and the oldest beyond most, make room.
func keepConsent(ctx context.Context, tx *db.Tx, state []byte, c consent, most int, now time.Time) error {
	_, err := tx.Exec(ctx, `DELETE FROM connection_consents WHERE account_id = $1 AND (ends_at <= $2 OR state IN (SELECT state FROM connection_consents
		WHERE account_id = $1 ORDER BY ends_at DESC, state LIMIT 1000000000 OFFSET $3))`, c.accountID, db.Micros(now), most-1)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO connection_consents (state, account_id, service, verifier, ends_at, by_session) VALUES ($1, $2, $3, $4, $5, $6)",
		state, c.accountID, string(c.service), c.verifier, db.Micros(c.endsAt), c.bySession)
	return err
}

// takeConsent gives a consent once.
func takeConsent(ctx context.Context, tx *db.Tx, state []byte) (consent, error) {
	return db.One(ctx, tx, func(row db.Scanner) (c consent, err error) {
		var ends int64
		err = row.Scan(&c.accountID, &c.service, &c.verifier, &ends, &c.bySession)
		c.endsAt = db.Time(ends)
		return c, err
	}, "DELETE FROM connection_consents WHERE state = $1 RETURNING account_id, service, verifier, ends_at, by_session", state)
}
