package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
)

// Quota names something that a plan limits.
type Quota string

// The quotas. Credits and Lookups are used up within a UTC calendar month and start anew with the next;
// the others are held until they are given back.
const (
	Credits        Quota = "credits" // points x keywords that map ranks may be collected for
	Lookups        Quota = "lookups" // live searches that requests and first checks cause
	Locations      Quota = "locations"
	Campaigns      Quota = "campaigns"
	Trackings      Quota = "trackings"
	Keywords       Quota = "keywords"        // tracked
	ImageBytes     Quota = "image_bytes"     // stored
	StoredKeywords Quota = "stored_keywords" // with figures, in the research store
)

// quotaRule says how a quota is kept and refused.
type quotaRule struct {
	monthly bool // else a column of the account of the quota's own name
	limit   func(Plan) int64
	status  errs.Status
	noun    string
	low     event.Kind // told when little is left; "" is nothing
}

var quotaRules = map[Quota]quotaRule{
	Credits:        {true, func(p Plan) int64 { return p.Credits }, errs.NotEnoughCredits, "credits", event.CreditsLow},
	Lookups:        {true, func(p Plan) int64 { return p.Lookups }, errs.LookupLimitReached, "live look-ups", event.LookupsLow},
	Locations:      {false, func(p Plan) int64 { return int64(p.Locations) }, errs.LocationLimitReached, "locations", ""},
	Campaigns:      {false, func(p Plan) int64 { return int64(p.Campaigns) }, errs.CampaignLimitReached, "campaigns", ""},
	Trackings:      {false, func(p Plan) int64 { return int64(p.Trackings) }, errs.TrackingLimitReached, "trackings", ""},
	Keywords:       {false, func(p Plan) int64 { return int64(p.Keywords) }, errs.KeywordLimitReached, "tracked keywords", ""},
	ImageBytes:     {false, func(p Plan) int64 { return p.ImageBytes }, errs.ImageStorageFull, "bytes of images", ""},
	StoredKeywords: {false, func(p Plan) int64 { return p.StoredKeywords }, errs.KeywordStorageFull, "keywords in the research store", ""},
}

// Usage is how much of a quota is used, and what the plan allows.
type Usage struct {
	Used, Limit int64
	Month       int // of a monthly quota, as yyyymm; else 0
}

// Left is what may still be taken.
func (u Usage) Left() int64 { return max(0, u.Limit-u.Used) }

// low tells whether less than a tenth is left.
func (u Usage) low() bool { return float64(u.Left()) < float64(u.Limit)/10 }

// Month numbers a UTC calendar month as yyyymm.
func Month(t time.Time) int {
	t = t.UTC()
	return t.Year()*100 + int(t.Month())
}

// Take uses n of a quota in the caller's transaction, with the plan as it is there. Over the plan's limit
// it fails with the quota's own error, and the transaction must not commit. Taking what is held locks the
// account, also with n = 0: changes to what one account holds follow one another, so this comes first in
// a transaction.
func (a *Accounts) Take(ctx context.Context, tx *db.Tx, accountID string, q Quota, n int64) (Usage, error) {
	u, err := a.reserve(ctx, tx, accountID, q, n)
	if before := (Usage{Used: u.Used - n, Limit: u.Limit}); err != nil || before.low() {
		return u, err
	}
	return u, a.tellLow(ctx, tx, accountID, q, u)
}

// reserve is Take of what may be given back soon: nobody is told yet that little is left.
func (a *Accounts) reserve(ctx context.Context, tx *db.Tx, accountID string, q Quota, n int64) (Usage, error) {
	rule := quotaRules[q]
	month := 0
	if rule.monthly {
		month = Month(a.clock.Now())
	}
	u, err := a.move(ctx, tx, accountID, q, month, n)
	if err == nil && n > 0 && u.Used > u.Limit {
		err = rule.refusal(n, Usage{Used: u.Used - n, Limit: u.Limit, Month: month})
	}
	return u, err
}

// tellLow writes the event that little is left of a monthly quota, once a month.
func (a *Accounts) tellLow(ctx context.Context, tx *db.Tx, accountID string, q Quota, u Usage) error {
	rule := quotaRules[q]
	if rule.low == "" || !u.low() {
		return nil
	}
	month := fmt.Sprintf("%04d-%02d", u.Month/100, u.Month%100)
	return event.Emit(ctx, tx, a.clock.Now(), event.Event{
		AccountID: accountID, Kind: rule.low, Subject: accountID, Data: event.Quota{Used: u.Used, Limit: u.Limit, Month: month}, Once: month,
	})
}

// Check fails as Take would now, and takes nothing: it comes before work that would be for nothing.
func (a *Accounts) Check(ctx context.Context, qr db.Queryer, accountID string, q Quota, n int64) error {
	u, err := a.Usage(ctx, qr, accountID, q)
	if err == nil && u.Left() < n {
		err = quotaRules[q].refusal(n, u)
	}
	return err
}

// Want is an amount of a quota that is held.
type Want struct {
	Quota Quota
	N     int64
}

// TakeHeld is Take for several quotas that are held, in one statement.
func (a *Accounts) TakeHeld(ctx context.Context, tx *db.Tx, accountID string, wants ...Want) error {
	p := db.Params{Args: []any{accountID}}
	var set, columns []string
	used, plan := make([]int64, len(wants)), ""
	var into []any
	for i, w := range wants {
		set = append(set, fmt.Sprintf("%[1]s = %[1]s + %[2]s", w.Quota, p.Add(w.N)))
		columns = append(columns, string(w.Quota))
		into = append(into, &used[i])
	}
	_, err := db.One(ctx, tx, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(append(into, &plan)...) },
		"UPDATE accounts SET "+strings.Join(set, ", ")+" WHERE id = $1 RETURNING "+strings.Join(columns, ", ")+", plan", p.Args...)
	if err != nil {
		return err
	}
	for i, w := range wants {
		rule := quotaRules[w.Quota]
		if limit := rule.limit(a.Plan(plan)); w.N > 0 && used[i] > limit {
			return rule.refusal(w.N, Usage{Used: used[i] - w.N, Limit: limit})
		}
	}
	return nil
}

// Give returns n of a quota: what was held, or what was taken of the month that Take told.
func (a *Accounts) Give(ctx context.Context, tx *db.Tx, accountID string, q Quota, month int, n int64) (Usage, error) {
	return a.move(ctx, tx, accountID, q, month, -n)
}

func (a *Accounts) move(ctx context.Context, tx *db.Tx, accountID string, q Quota, month int, by int64) (Usage, error) {
	if quotaRules[q].monthly {
		return db.One(ctx, tx, a.scanUsage(q, month), `INSERT INTO quota_months (account_id, quota, month, used) VALUES ($1, $2, $3, $4)
			ON CONFLICT (account_id, quota, month) DO UPDATE SET used = quota_months.used + excluded.used
			RETURNING used, (SELECT plan FROM accounts WHERE id = $1)`, accountID, string(q), month, by)
	}
	return db.One(ctx, tx, a.scanUsage(q, 0), fmt.Sprintf("UPDATE accounts SET %[1]s = %[1]s + $2 WHERE id = $1 RETURNING %[1]s, plan", q), accountID, by)
}

func (a *Accounts) scanUsage(q Quota, month int) func(db.Scanner) (Usage, error) {
	return func(row db.Scanner) (Usage, error) {
		var plan string
		u := Usage{Month: month}
		err := row.Scan(&u.Used, &plan)
		u.Limit = quotaRules[q].limit(a.Plan(plan))
		return u, err
	}
}

func (r quotaRule) refusal(n int64, before Usage) error {
	if r.monthly {
		return errs.With(errs.Quota, r.status, "This needs %d %s and %d of %d are left this month.", n, r.noun, before.Left(), before.Limit)
	}
	return errs.With(errs.Quota, r.status, "The plan allows %d %s, of which %d are used; %d more do not fit.", before.Limit, r.noun, before.Used, n)
}

// Room fails as Take would when nothing more fits, for who does something costly before taking.
func (a *Accounts) Room(ctx context.Context, qr db.Queryer, accountID string, q Quota) error {
	u, err := a.Usage(ctx, qr, accountID, q)
	if err == nil && u.Left() == 0 {
		err = quotaRules[q].refusal(1, u)
	}
	return err
}

// Usage tells how much of a quota is used now.
func (a *Accounts) Usage(ctx context.Context, qr db.Queryer, accountID string, q Quota) (Usage, error) {
	if quotaRules[q].monthly {
		month := Month(a.clock.Now())
		return db.One(ctx, qr, a.scanUsage(q, month), `SELECT coalesce((SELECT used FROM quota_months
			WHERE account_id = a.id AND quota = $2 AND month = $3), 0), a.plan FROM accounts a WHERE a.id = $1`, accountID, string(q), month)
	}
	return db.One(ctx, qr, a.scanUsage(q, 0), "SELECT "+string(q)+", plan FROM accounts WHERE id = $1", accountID)
}

// UsageOfEach is Usage for several accounts, by their ids, of a quota that does not begin anew with the month.
func (a *Accounts) UsageOfEach(ctx context.Context, qr db.Queryer, accountIDs []string, q Quota) (map[string]Usage, error) {
	used := map[string]Usage{}
	return used, db.Lists(accountIDs, func(list []string) error {
		var p db.Params
		return db.Each(ctx, qr, func(row db.Scanner) error {
			var accountID, plan string
			var u Usage
			err := row.Scan(&accountID, &u.Used, &plan)
			u.Limit = quotaRules[q].limit(a.Plan(plan))
			used[accountID] = u
			return err
		}, "SELECT id, "+string(q)+", plan FROM accounts WHERE id IN "+db.AddAll(&p, list), p.Args...)
	})
}

// Amounts is a number for each quota.
type Amounts struct {
	Locations      int64 `json:"locations"`
	Campaigns      int64 `json:"campaigns"`
	Credits        int64 `json:"credits"`
	Trackings      int64 `json:"trackings"`
	Keywords       int64 `json:"keywords"`
	Lookups        int64 `json:"lookups"`
	ImageBytes     int64 `json:"image_bytes"`
	StoredKeywords int64 `json:"stored_keywords"`
}

// Usages is how much of every quota an account uses now, and what its plan allows.
type Usages struct {
	Plan         string
	Used, Limits Amounts
}

// Usages is Usage of all quotas, in one statement.
func (a *Accounts) Usages(ctx context.Context, qr db.Queryer, accountID string) (Usages, error) {
	return db.One(ctx, qr, func(row db.Scanner) (u Usages, err error) {
		err = row.Scan(&u.Plan, &u.Used.Locations, &u.Used.Campaigns, &u.Used.Trackings, &u.Used.Keywords, &u.Used.ImageBytes, &u.Used.StoredKeywords, &u.Used.Credits, &u.Used.Lookups)
		p := a.Plan(u.Plan)
		u.Limits = Amounts{
			Locations: int64(p.Locations), Campaigns: int64(p.Campaigns), Credits: p.Credits, Trackings: int64(p.Trackings), Keywords: int64(p.Keywords),
			Lookups: p.Lookups, ImageBytes: p.ImageBytes, StoredKeywords: p.StoredKeywords,
		}
		return u, err
	}, `SELECT plan, locations, campaigns, trackings, keywords, image_bytes, stored_keywords,
		coalesce((SELECT used FROM quota_months WHERE account_id = a.id AND quota = 'credits' AND month = $2), 0),
		coalesce((SELECT used FROM quota_months WHERE account_id = a.id AND quota = 'lookups' AND month = $2), 0)
		FROM accounts a WHERE a.id = $1`, accountID, Month(a.clock.Now()))
}

// LookUp asks a live provider for an account: it takes one of the account's look-ups, and gives it back when
// ask tells that the question was not answered. Without any left it fails and does not ask. The store is
// not held meanwhile.
func (a *Accounts) LookUp(ctx context.Context, accountID string, ask func() (answered bool)) error {
	var taken Usage
	err := a.db.Tx(ctx, func(tx *db.Tx) (err error) {
		taken, err = a.reserve(ctx, tx, accountID, Lookups, 1)
		return err
	})
	if err != nil {
		return err
	}
	answered := ask()
	if answered && !taken.low() {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // the time for asking may be over
	return a.db.Tx(ctx, func(tx *db.Tx) error {
		if !answered {
			_, err := a.Give(ctx, tx, accountID, Lookups, taken.Month, 1)
			return err
		}
		u, err := a.Usage(ctx, tx, accountID, Lookups) // others may have been given back meanwhile
		if err != nil {
			return err
		}
		return a.tellLow(ctx, tx, accountID, Lookups, u)
	})
}
