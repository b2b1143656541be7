package account

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
)

const (
	// SessionLife is how long a person stays signed in at most.
	SessionLife = 90 * 24 * time.Hour
	// sessionIdle is how long without a request.
	sessionIdle = 30 * 24 * time.Hour
	// sessionPrecision is how exactly it is known when a session was last seen: a request seldom writes.
	sessionPrecision = 10 * time.Minute
	// maxSessions is how many sessions an account may have; the oldest make room.
	maxSessions = 100

	maxUserAgent  = 200 // characters
	sessionPrefix = "tps_"
)

// Session is a person who is signed in. What opens it is in their cookie only.
type Session struct {
	ID         string    `json:"id"`
	CreatedAt  time.Time `json:"created_at"`
	LastSeenAt time.Time `json:"last_seen_at"`
	ExpiresAt  time.Time `json:"expires_at"`
	UserAgent  string    `json:"user_agent"`
	Address    string    `json:"address"`
	Current    bool      `json:"current"`
}

// Browser is what is known of where a person signs in.
type Browser struct{ UserAgent, Address string }

// StartSession signs a person in and returns the token for their cookie. It is always a new one, so that nobody
// is given a session that somebody else knows.
func (a *Accounts) StartSession(ctx context.Context, tx *db.Tx, accountID string, in Browser) (token string, err error) {
	if token, err = newSecret(sessionPrefix); err != nil {
		return "", err
	}
	now := a.clock.Now()
	_, err = tx.Exec(ctx, `INSERT INTO sessions (id, hash, account_id, user_agent, address, created_at, last_seen_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`,
		id.New(), hash(token), accountID, cut(in.UserAgent, maxUserAgent), in.Address, db.Micros(now), db.Micros(now.Add(sessionIdle)))
	if err != nil {
		return "", err
	}
	_, err = tx.Exec(ctx, `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions
		WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1000000000 OFFSET $2)`, accountID, maxSessions)
	return token, err
}

// cut shortens text to so many characters, and leaves out what is none.
func cut(text string, most int) string {
	var kept []rune
	for _, r := range text {
		if len(kept) == most {
			break
		}
		if r != utf8.RuneError && r != 0 {
			kept = append(kept, r)
		}
	}
	return string(kept)
}

// AuthenticateSession finds who is signed in with the token, and notes that they were seen.
func (a *Accounts) AuthenticateSession(ctx context.Context, token string) (Principal, error) {
	now := a.clock.Now()
	type seen struct {
		Principal
		created, last time.Time
	}
	found, err := db.One(ctx, a.db, func(row db.Scanner) (s seen, err error) {
		var created, last int64
		err = row.Scan(&s.AccountID, &s.Email, &s.PlanName, &s.credential, &created, &last)
		s.created, s.last = db.Time(created), db.Time(last)
		return s, err
	}, `SELECT a.id, a.email, a.plan, s.id, s.created_at, s.last_seen_at FROM sessions s JOIN accounts a ON a.id = s.account_id
		WHERE s.hash = $1 AND s.expires_at > $2`, hash(token), db.Micros(now))
	if db.IsNoRow(err) {
		return Principal{}, Refused()
	}
	if err != nil {
		return Principal{}, err
	}
	if now.Sub(found.last) >= sessionPrecision {
		if err := a.touch(ctx, found.credential, found.created, now); err != nil {
			return Principal{}, err
		}
	}
	who := found.Principal
	who.Plan, who.Session = a.Plan(who.PlanName), true
	return who, nil
}

// touch notes when a session was seen, which prolongs it. One that has ended meanwhile stays so.
func (a *Accounts) touch(ctx context.Context, session string, created, now time.Time) error {
	ends := now.Add(sessionIdle)
	if last := created.Add(SessionLife); last.Before(ends) {
		ends = last
	}
	return a.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE id = $1", session, db.Micros(now), db.Micros(ends))
		return err
	})
}

// Sessions lists where an account is signed in, the one seen last first. The one of who is marked.
func (a *Accounts) Sessions(ctx context.Context, who Principal) ([]Session, error) {
	return db.All(ctx, a.db, func(row db.Scanner) (s Session, err error) {
		var created, seen, ends int64
		err = row.Scan(&s.ID, &s.UserAgent, &s.Address, &created, &seen, &ends)
		s.CreatedAt, s.LastSeenAt, s.ExpiresAt = db.Time(created), db.Time(seen), db.Time(ends)
		s.Current = who.Session && s.ID == who.credential
		return s, err
	}, `SELECT id, user_agent, address, created_at, last_seen_at, expires_at FROM sessions
		WHERE account_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, id DESC`, who.AccountID, db.Micros(a.clock.Now()))
}

// EndSession signs an account out where the session is.
func (a *Accounts) EndSession(ctx context.Context, tx *db.Tx, accountID, session string) error {
	ended, err := tx.Exec(ctx, "DELETE FROM sessions WHERE id = $1 AND account_id = $2", canonicalID(session), accountID)
	if err == nil && ended == 0 {
		err = errs.New(errs.NotFound, "There is no such session; it may have ended.")
	}
	return err
}

// EndOwnSession signs out who is signed in; for others it does nothing.
func (a *Accounts) EndOwnSession(ctx context.Context, tx *db.Tx, who Principal) error {
	if !who.Session {
		return nil
	}
	_, err := tx.Exec(ctx, "DELETE FROM sessions WHERE id = $1", who.credential)
	return err
}

// EndOtherSessions signs an account out everywhere but where who is signed in, and tells from how many places.
func (a *Accounts) EndOtherSessions(ctx context.Context, tx *db.Tx, who Principal) (ended int64, err error) {
	stays := ""
	if who.Session {
		stays = who.credential
	}
	return tx.Exec(ctx, "DELETE FROM sessions WHERE account_id = $1 AND id <> $2", who.AccountID, stays)
}
