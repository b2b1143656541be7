package account

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// A password is guessed by trying many. After freeTries in vain, each further one of the same guesser makes it wait,
// longer and longer; a day without any, or the right password, starts anew. This stands in the store, so that it
// holds for all processes together.
const (
	freeTries    = 10
	firstBlock   = 30 * time.Second
	longestBlock = 15 * time.Minute
	triesKept    = 24 * time.Hour
)

// guesser is whom tries count for, as it stands in the store: all who are not signed in and try one email, or one
// session.
type guesser []byte

// byEmail is whoever tries an email, also one that has no account and may be none.
func byEmail(email string) guesser {
	sum := sha256.Sum256([]byte(email))
	return sum[:]
}

// bySession is the session of a person who is signed in. No email is taken for it: requests with a NUL are refused.
func bySession(who Principal) guesser { return byEmail("\x00" + who.credential) }

// tryPassword counts a try before its outcome is known, so that many at once are counted too. It fails while the
// guesser is blocked; blocked is what to answer when this try, the last one for now, turns out wrong.
func (a *Accounts) tryPassword(ctx context.Context, who guesser) (blocked, err error) {
	now := a.clock.Now()
	err = a.db.Tx(ctx, func(tx *db.Tx) error {
		blocked = nil
		tries, err := a.countTry(ctx, tx, who, now)
		if err != nil || tries < freeTries {
			return err
		}
		wait := blockAfter(tries)
		blocked = errBlocked(wait)
		_, err = tx.Exec(ctx, "UPDATE failed_sign_ins SET blocked_until = $2 WHERE email = $1", []byte(who), db.Micros(now.Add(wait)))
		return err
	})
	return blocked, err
}

func (a *Accounts) countTry(ctx context.Context, tx *db.Tx, who guesser, now time.Time) (tries int, err error) {
	until, err := db.One(ctx, tx, db.Value[int64], "SELECT blocked_until FROM failed_sign_ins WHERE email = $1"+tx.ForUpdate(), []byte(who))
	switch {
	case err != nil && !db.IsNoRow(err):
		return 0, err
	case until > db.Micros(now):
		return 0, errBlocked(db.Time(until).Sub(now))
	}
	return db.One(ctx, tx, db.Value[int], `INSERT INTO failed_sign_ins (email, tries, last_at, blocked_until) VALUES ($1, 1, $2, 0)
		ON CONFLICT (email) DO UPDATE SET last_at = excluded.last_at,
		tries = CASE WHEN failed_sign_ins.last_at < $3 THEN 1 ELSE failed_sign_ins.tries + 1 END RETURNING tries`,
		[]byte(who), db.Micros(now), db.Micros(now.Add(-triesKept)))
}

// blockAfter is how long nobody may try after so many tries in vain.
func blockAfter(tries int) time.Duration {
	return min(firstBlock<<min(tries-freeTries, 16), longestBlock)
}

func errBlocked(wait time.Duration) error {
	e := errs.With(errs.RateLimited, errs.TooManyTries, "Too many wrong passwords. Try again in %s, or reset the password.", inWords(wait))
	e.RetryAfter = wait
	return e
}

func inWords(d time.Duration) string {
	if d <= 90*time.Second {
		return "a minute"
	}
	return fmt.Sprintf("%d minutes", int(math.Ceil(d.Minutes())))
}

// ForgiveTries forgets the passwords that were tried in vain for an email, and by who, once the right one or a link
// has come.
func (a *Accounts) ForgiveTries(ctx context.Context, tx *db.Tx, who Principal) error {
	_, err := tx.Exec(ctx, "DELETE FROM failed_sign_ins WHERE email IN ($1, $2)", []byte(byEmail(who.Email)), []byte(bySession(who)))
	return err
}
