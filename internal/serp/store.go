package serp

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// CacheLife is how long a page answers the same question again.
const CacheLife = 24 * time.Hour

// Learn is told the keywords that pages were searched for or propose, by account, in the transaction that
// keeps the pages.
type Learn func(ctx context.Context, tx *db.Tx, keywords map[string][]string) error

// Store keeps result pages.
type Store struct {
	codec codec
	learn Learn
}

// New returns a store; learn may be nil.
func New(learn Learn) *Store { return &Store{codec: newCodec(), learn: learn} }

// Key names a search of an account.
type Key struct {
	AccountID  string
	Keyword    string // in normal form
	LocationID int    // 0 is anywhere
	PlatformID int
}

func (k Key) compare(o Key) int {
	return cmp.Or(strings.Compare(k.AccountID, o.AccountID), cmp.Compare(k.LocationID, o.LocationID), strings.Compare(k.Keyword, o.Keyword), cmp.Compare(k.PlatformID, o.PlatformID))
}

// Record is a kept page.
type Record struct {
	ID string
	Key
	FetchedAt time.Time
	Page      Page
	Provider  string // who answered; "" is unknown
}

// Fetched is a page that was fetched for an account.
type Fetched struct {
	Key
	At       time.Time
	Page     provider.WebPage
	Provider string // who answered

	// Whole says that it has the first Depth organic results, or all that there are. A check ends where
	// it finds its target: such a page tells of its own results and hides nothing that is known below them.
	Whole bool
}

// Packed is a page ready to be kept.
type Packed struct {
	ID string
	Key
	at        time.Time
	whole     bool
	packed    []byte
	hosts     Hosts
	proposals []string
	provider  string
}

// Pack does all that needs no transaction to keep a page.
func (s *Store) Pack(f Fetched) (Packed, error) {
	page := NewPage(f.Page)
	p := Packed{ID: id.New(), Key: f.Key, at: f.At, whole: f.Whole, hosts: page.Hosts(), proposals: page.Proposals(), provider: f.Provider}
	p.Keyword = NormalKeyword(f.Keyword)
	var err error
	p.packed, err = s.codec.pack(page)
	return p, err
}

// Position is the best rank of a host on the page, or 0.
func (p *Packed) Position(t webtarget.Target) int { return p.hosts.Position(t) }

// Keep stores pages with all that is learned from them. Rows are written in the order of their keys, so
// that two writers cannot wait for each other.
func (s *Store) Keep(ctx context.Context, tx *db.Tx, pages []Packed) error {
	if err := insert(ctx, tx, pages); err != nil {
		return err
	}
	if err := saveSearches(ctx, tx, pages); err != nil {
		return err
	}
	if s.learn == nil {
		return nil
	}
	learned := map[string][]string{}
	for _, p := range pages {
		learned[p.AccountID] = append(append(learned[p.AccountID], p.proposals...), p.Keyword)
	}
	return s.learn(ctx, tx, learned)
}

const columns = "id, account_id, kw, location_id, platform_id, fetched_at, page, provider"

func insert(ctx context.Context, tx *db.Tx, pages []Packed) error {
	rows := make([][]any, len(pages))
	for i, page := range pages {
		rows[i] = []any{
			page.ID, page.AccountID, page.Keyword, page.LocationID, page.PlatformID, db.Micros(page.at), page.packed, page.provider,
			account.Month(page.at), false, page.whole,
		}
	}
	return db.Insert(ctx, tx, "serps", columns+", month, thinned, whole", rows, "")
}

func (s *Store) scan(row db.Scanner) (Record, error) {
	var r Record
	var fetched int64
	var packed []byte
	if err := row.Scan(&r.ID, &r.AccountID, &r.Keyword, &r.LocationID, &r.PlatformID, &fetched, &packed, &r.Provider); err != nil {
		return r, err
	}
	r.FetchedAt = db.Time(fetched)
	var err error
	r.Page, err = s.codec.unpack(packed)
	return r, err
}

// Get finds a page of an account.
func (s *Store) Get(ctx context.Context, q db.Queryer, accountID, id string) (Record, error) {
	r, err := db.One(ctx, q, s.scan, "SELECT "+columns+" FROM serps WHERE id = $1 AND account_id = $2", id, accountID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no result page %.64q.", id)
	}
	return r, err
}

// Fresh finds the newest whole page of a search that is less than CacheLife from now, or fails with
// db.ErrNoRow. A page from the future, of a clock that was wrong, is not fresh for longer than others.
func (s *Store) Fresh(ctx context.Context, q db.Queryer, key Key, now time.Time) (Record, error) {
	return db.One(ctx, q, s.scan, "SELECT "+columns+` FROM serps WHERE kw = $1 AND location_id = $2 AND platform_id = $3 AND account_id = $4 AND whole
		AND fetched_at > $5 AND fetched_at < $6 ORDER BY fetched_at DESC LIMIT 1`,
		key.Keyword, key.LocationID, key.PlatformID, key.AccountID, db.Micros(now.Add(-CacheLife)), db.Micros(now.Add(CacheLife)))
}
