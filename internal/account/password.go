package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// How many characters a password has.
const (
	minPassword = 10
	maxPassword = 200
)

//go:embed common_passwords.txt
var commonPasswords string

// CheckPassword notes what is wrong with a new password.
func CheckPassword(problems *errs.Problems, field, password, email string) {
	switch n := utf8.RuneCountInString(password); {
	case n == 0:
		problems.Add(field, errs.NotSpecified, "%s is not specified.", field)
	case n < minPassword:
		problems.Add(field, errs.TooShort, "The password has %d characters; it must have at least %d. A few words that do not belong together are easy to keep in mind.", n, minPassword)
	case n > maxPassword:
		problems.Add(field, errs.TooLong, "The password has %d characters; it may have at most %d.", n, maxPassword)
	case email != "" && strings.EqualFold(password, email):
		problems.Add(field, errs.PasswordWeak, "The password is the email address, which others know; choose another.")
	case strings.Contains("\n"+commonPasswords, "\n"+strings.ToLower(password)+"\n"):
		problems.Add(field, errs.PasswordWeak, "This password is among the most common ones, which are tried first; choose another.")
	}
}

// Cost is what one look at a password takes.
type Cost struct {
	KiB    uint32 // of memory
	Passes uint32
	Lanes  uint8
}

// defaultCost is what RFC 9106 recommends where memory is not plentiful, with two passes in place of three so that a look
// takes 50 to 150 ms: 0.21 s of one core of 2.5 GHz were measured, spread over the cores that are free.
var defaultCost = Cost{KiB: 64 << 10, Passes: 2, Lanes: 4}

// Hasher makes and checks what is kept of passwords, by argon2id. Two at a time, since each takes much memory, and
// a few more wait.
type Hasher struct {
	cost   Cost
	places chan struct{} // of those who work or wait
	slots  chan struct{} // of those who work
	nobody func() string // what is kept of a password that nobody has
	derive func(password, salt []byte, passes, kib uint32, lanes uint8, size uint32) []byte
}

// NewHasher returns a hasher; the zero cost is the recommended one.
func NewHasher(cost Cost) *Hasher {
	if cost == (Cost{}) {
		cost = defaultCost
	}
	h := &Hasher{cost: cost, places: make(chan struct{}, atWork+maxQueue), slots: make(chan struct{}, atWork), derive: argon2.IDKey}
	h.nobody = sync.OnceValue(func() string { return printed(cost, make([]byte, saltSize), make([]byte, keySize)) })
	return h
}

const (
	saltSize, keySize = 16, 32

	atWork = 2
	// maxQueue is how many wait for those at work: a few seconds' worth, beyond which nobody would want to.
	maxQueue = 20
)

// enter waits for a turn to work on passwords, not longer than ctx; leave ends it. It is Unavailable where too many
// wait. Tries are counted within the turn, so that those who get none are not.
func (h *Hasher) enter(ctx context.Context) (leave func(), err error) {
	select {
	case h.places <- struct{}{}:
	default:
		return nil, errCrowded()
	}
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots; <-h.places }, nil
	case <-ctx.Done():
		<-h.places
		return nil, errCrowded().Because(ctx.Err())
	}
}

func errCrowded() *errs.Error {
	e := errs.New(errs.Unavailable, "Too many people sign in at the moment; try again.")
	e.RetryAfter = 5 * time.Second
	return e
}

// key derives the key of a password.
func (h *Hasher) key(password string, salt []byte, cost Cost, size int) []byte {
	typed := norm.NFKC.Bytes([]byte(password)) // the same characters, whatever keyboard made them
	return h.derive(typed, salt, cost.Passes, cost.KiB, cost.Lanes, uint32(size))
}

// PasswordHash is what is kept of a password.
type PasswordHash struct{ phc string }

// Hash makes what is kept of a password. It takes its time: no transaction should wait for it.
func (h *Hasher) Hash(ctx context.Context, password string) (PasswordHash, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return PasswordHash{}, err
	}
	defer leave()
	return h.hash(password)
}

func (h *Hasher) hash(password string) (PasswordHash, error) {
	salt := make([]byte, saltSize)
	if _, err := rand.Read(salt); err != nil {
		return PasswordHash{}, err
	}
	return PasswordHash{printed(h.cost, salt, h.key(password, salt, h.cost, keySize))}, nil
}

// phc is the form in which argon2's own tools write it.
const phc = "$argon2id$v=%d$m=%d,t=%d,p=%d$%s"

func printed(cost Cost, salt, key []byte) string {
	text := base64.RawStdEncoding
	return fmt.Sprintf(phc, argon2.Version, cost.KiB, cost.Passes, cost.Lanes, text.EncodeToString(salt)+"$"+text.EncodeToString(key))
}

// matches tells whether it is the password of which kept was kept. Where nothing was, it does the same work.
func (h *Hasher) matches(kept, password string) (bool, error) {
	known := kept != ""
	if !known {
		kept = h.nobody()
	}
	var version int
	var cost Cost
	var rest string
	if _, err := fmt.Sscanf(kept, phc, &version, &cost.KiB, &cost.Passes, &cost.Lanes, &rest); err != nil || version != argon2.Version {
		return false, fmt.Errorf("a stored password is not argon2id of version %d: %w", argon2.Version, err)
	}
	saltText, keyText, _ := strings.Cut(rest, "$")
	salt, err := base64.RawStdEncoding.DecodeString(saltText)
	if err != nil {
		return false, fmt.Errorf("salt of a stored password: %w", err)
	}
	want, err := base64.RawStdEncoding.DecodeString(keyText)
	if err != nil || len(want) == 0 {
		return false, fmt.Errorf("key of a stored password: %w", err)
	}
	got := h.key(password, salt, cost, len(want))
	return known && subtle.ConstantTimeCompare(got, want) == 1, nil
}

// SetPassword gives an account another password. It ends all sessions but that of who, links to reset it, and the
// wait after wrong ones.
func (a *Accounts) SetPassword(ctx context.Context, tx *db.Tx, who Principal, password PasswordHash) error {
	now := db.Micros(a.clock.Now())
	_, err := tx.Exec(ctx, `INSERT INTO logins (account_id, password, changed_at) VALUES ($1, $2, $3)
		ON CONFLICT (account_id) DO UPDATE SET password = excluded.password, changed_at = excluded.changed_at`,
		who.AccountID, password.phc, now)
	if err != nil {
		return err
	}
	if _, err := a.EndOtherSessions(ctx, tx, who); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE one_time_links SET used_at = $3 WHERE account_id = $1 AND kind = $2 AND used_at IS NULL", who.AccountID, string(resetLink), now); err != nil {
		return err
	}
	return a.ForgiveTries(ctx, tx, who)
}

// SignIn finds the account with the email and password. Whatever is wrong, the answer and the work done for it are
// the same: Unauthorized, or RateLimited after too many tries for that email.
func (a *Accounts) SignIn(ctx context.Context, h *Hasher, email, password string) (Account, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return Account{}, err
	}
	defer leave()
	email = strings.ToLower(strings.TrimSpace(email))
	return a.checkPassword(ctx, h, byEmail(email), email, password)
}

// ChangePassword checks the password of a person who is signed in and makes what is kept of the next one. Wrong ones
// count for the session, not the email: a stranger who guesses does not keep the person from changing it.
func (a *Accounts) ChangePassword(ctx context.Context, h *Hasher, who Principal, current, next string) (PasswordHash, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return PasswordHash{}, err
	}
	defer leave()
	if _, err := a.checkPassword(ctx, h, bySession(who), who.Email, current); err != nil {
		return PasswordHash{}, err
	}
	return h.hash(next)
}

// checkPassword finds the account with the email and password, and counts the try for who.
func (a *Accounts) checkPassword(ctx context.Context, h *Hasher, who guesser, email, password string) (Account, error) {
	blocked, err := a.tryPassword(ctx, who)
	if err != nil {
		return Account{}, err
	}
	type login struct {
		Account
		password string
	}
	found, err := db.One(ctx, a.db, func(row db.Scanner) (l login, err error) {
		err = l.scan(row, &l.password)
		return l, err
	}, "SELECT "+accountColumns+", password FROM accounts JOIN logins ON account_id = id WHERE email = $1", email)
	if err != nil && !db.IsNoRow(err) {
		return Account{}, err
	}
	ok, err := h.matches(found.password, password)
	switch {
	case err != nil:
		return Account{}, err
	case ok:
		return found.Account, nil
	case blocked != nil:
		return Account{}, blocked
	}
	return Account{}, errs.With(errs.Unauthorized, errs.PasswordWrong, "The email address or the password is not right.")
}
