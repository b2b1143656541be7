package account

import (
	"context"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
)

// Account is an owner of records.
type Account struct {
	ID        string    `json:"account_id"`
	Email     string    `json:"email"`
	Plan      string    `json:"plan"`
	Zone      string    `json:"time_zone"`
	FeedToken string    `json:"-"`
	CreatedAt time.Time `json:"created_at"`
}

// Accounts is the store of accounts and credentials.
type Accounts struct {
	db    *db.DB
	plans Plans
	clock clock.Clock
	uses  uses // of credentials

	stored *prometheus.GaugeVec // by account and kind
	kinds  map[string]string    // what accounts store, by its name; see Stores
}

// New returns the accounts kept in d.
func New(d *db.DB, plans Plans, c clock.Clock) *Accounts {
	return &Accounts{db: d, plans: plans, clock: c, stored: newStored(), kinds: map[string]string{}}
}

// Plan returns the limits of a plan. An account whose plan has left the configuration may only read, slowly.
func (a *Accounts) Plan(name string) Plan {
	if p, ok := a.plans[name]; ok {
		return p
	}
	return Plan{Rate: 1}
}

// ParseEmail is an email address in lower case, and whether it is one.
func ParseEmail(text string) (email string, ok bool) {
	email = strings.ToLower(strings.TrimSpace(text))
	addr, err := mail.ParseAddress(email)
	return email, err == nil && addr.Address == email && len(email) <= 254
}

// Create makes an account. The email names it, in lower case.
func (a *Accounts) Create(ctx context.Context, email, plan string) (acc Account, err error) {
	err = a.db.Tx(ctx, func(tx *db.Tx) error {
		acc, err = a.create(ctx, tx, email, plan)
		return err
	})
	return acc, err
}

func (a *Accounts) create(ctx context.Context, tx *db.Tx, email, plan string) (Account, error) {
	email, ok := ParseEmail(email)
	if !ok {
		return Account{}, errs.New(errs.Invalid, "%q is not an email address", email)
	}
	if err := a.checkPlan(plan); err != nil {
		return Account{}, err
	}
	feed, err := newSecret(feedPrefix)
	if err != nil {
		return Account{}, err
	}
	acc := Account{ID: id.New(), Email: email, Plan: plan, Zone: "UTC", FeedToken: feed, CreatedAt: a.clock.Now()}
	_, err = tx.Exec(ctx, "INSERT INTO accounts (id, email, plan, feed_token, created_at) VALUES ($1, $2, $3, $4, $5)",
		acc.ID, acc.Email, acc.Plan, acc.FeedToken, db.Micros(acc.CreatedAt))
	if db.IsUnique(err) {
		return Account{}, errs.With(errs.Conflict, errs.AccountExists, "an account with the email %s exists", email)
	}
	return acc, err
}

// What accounts that people make themselves begin with: whoever runs the service, and everybody else.
const (
	setupPlan = "agency"
	joinPlan  = "free"
)

func (a *Accounts) createWithPassword(ctx context.Context, tx *db.Tx, email, plan string, password PasswordHash) (Account, error) {
	acc, err := a.create(ctx, tx, email, plan)
	if err != nil {
		return Account{}, err
	}
	return acc, a.SetPassword(ctx, tx, Principal{AccountID: acc.ID, Email: acc.Email}, password)
}

// Empty tells whether there is no account yet.
func (a *Accounts) Empty(ctx context.Context, q db.Queryer) (bool, error) {
	_, err := db.One(ctx, q, db.Value[int], "SELECT 1 FROM accounts LIMIT 1")
	if db.IsNoRow(err) {
		return true, nil
	}
	return false, err
}

func (a *Accounts) checkPlan(plan string) error {
	if _, ok := a.plans[plan]; !ok {
		return errs.New(errs.Invalid, "there is no plan %q; there are %s", plan, strings.Join(a.plans.Names(), ", "))
	}
	return nil
}

const accountColumns = "id, email, plan, zone, feed_token, created_at"

func scanAccount(row db.Scanner) (acc Account, err error) {
	err = acc.scan(row)
	return acc, err
}

// scan reads a row of accountColumns, and what the query has after them.
func (acc *Account) scan(row db.Scanner, more ...any) error {
	var created int64
	err := row.Scan(append([]any{&acc.ID, &acc.Email, &acc.Plan, &acc.Zone, &acc.FeedToken, &created}, more...)...)
	acc.CreatedAt = db.Time(created)
	return err
}

// Find returns the account with that id or email.
func (a *Accounts) Find(ctx context.Context, idOrEmail string) (Account, error) {
	return a.findBy(ctx, idOrEmail, "id = $1 OR email = $2", canonicalID(idOrEmail), strings.ToLower(idOrEmail))
}

// FindByFeed returns the account whose feed carries the token.
func (a *Accounts) FindByFeed(ctx context.Context, token string) (Account, error) {
	return a.findBy(ctx, "feed", "feed_token = $1", token)
}

func (a *Accounts) findBy(ctx context.Context, what, where string, args ...any) (Account, error) {
	acc, err := db.One(ctx, a.db, scanAccount, "SELECT "+accountColumns+" FROM accounts WHERE "+where, args...)
	if db.IsNoRow(err) {
		return Account{}, errs.New(errs.NotFound, "no account %q", what)
	}
	return acc, err
}

func canonicalID(s string) string {
	if parsed, ok := id.Parse(s); ok {
		return parsed
	}
	return s
}

// List returns all accounts, oldest first.
func (a *Accounts) List(ctx context.Context) ([]Account, error) {
	return db.All(ctx, a.db, scanAccount, "SELECT "+accountColumns+" FROM accounts ORDER BY created_at, id")
}

// SetZone sets the time zone in which an account's days and weeks are reckoned: a name of the IANA's, such as Europe/Berlin.
func (a *Accounts) SetZone(ctx context.Context, tx *db.Tx, accountID, zone string) error {
	if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
		var problems errs.Problems
		problems.Add("time_zone", errs.InvalidValue, "time_zone: there is no zone %.64q; write one such as Europe/Berlin or America/New_York.", zone)
		return problems.Err()
	}
	n, err := tx.Exec(ctx, "UPDATE accounts SET zone = $2 WHERE id = $1 AND zone <> $2", accountID, zone)
	if err != nil || n == 0 {
		return err
	}
	return a.tellChanged(ctx, tx, accountID, event.Account{Changed: []string{"time_zone"}, TimeZone: zone})
}

// ZoneOf is the time zone of an account; UTC where this machine does not know it.
func ZoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// tellChanged writes the event that something about an account has changed.
func (a *Accounts) tellChanged(ctx context.Context, tx *db.Tx, accountID string, what event.Account) error {
	return event.Emit(ctx, tx, a.clock.Now(), event.Event{AccountID: accountID, Kind: event.AccountChanged, Subject: accountID, Data: what})
}

// SetPlan moves an account to another plan. Each of applies adapts one area's records to the new
// limits in the same transaction.
func (a *Accounts) SetPlan(ctx context.Context, accountID, plan string, applies ...func(context.Context, *db.Tx, string, Plan) error) error {
	if err := a.checkPlan(plan); err != nil {
		return err
	}
	return a.db.Tx(ctx, func(tx *db.Tx) error {
		before, err := db.One(ctx, tx, db.Value[string], "SELECT plan FROM accounts WHERE id = $1"+tx.ForUpdate(), accountID)
		if db.IsNoRow(err) {
			return errs.New(errs.NotFound, "no account %q", accountID)
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE accounts SET plan = $2 WHERE id = $1", accountID, plan); err != nil {
			return err
		}
		for _, apply := range applies {
			if err := apply(ctx, tx, accountID, a.Plan(plan)); err != nil {
				return fmt.Errorf("apply plan %s: %w", plan, err)
			}
		}
		if plan == before {
			return nil
		}
		return a.tellChanged(ctx, tx, accountID, event.Account{Changed: []string{"plan"}, Plan: plan})
	})
}
