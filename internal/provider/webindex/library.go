package webindex

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// lookEvery is how often a search looks whether another process has changed the pages.
const lookEvery = time.Second

// Library is the provider over the pages in the store. The index is built at the first search, and
// again when the pages or the ranks of domains have changed.
type Library struct {
	*Provider
	db       *db.DB
	standing func(rank int64) float64

	loading sync.Mutex
	ready   atomic.Bool
	next    atomic.Pointer[time.Time] // when the version is looked at again, by the monotonic clock; nil is now
	version int64                     // that the index was built from; guarded by loading
}

// NewLibrary opens the pages of a store. standing turns a domain's place in a list of ranks into its
// prior, 0..1.
func NewLibrary(d *db.DB, standing func(rank int64) float64) *Library {
	return &Library{Provider: New(NewBuilder().Build(nil)), db: d, standing: standing, version: -1}
}

// SearchWeb ranks the stored pages.
func (l *Library) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	if err := l.refresh(ctx); err != nil {
		return provider.WebPage{}, err
	}
	return l.Provider.SearchWeb(ctx, q)
}

// refresh builds the index anew when it is old. The search that notices does so; others go on with the
// former index, except for the first ones, which have none.
func (l *Library) refresh(ctx context.Context) error {
	now := time.Now()
	if l.ready.Load() {
		if next := l.next.Load(); next != nil && now.Before(*next) || !l.loading.TryLock() {
			return nil
		}
	} else {
		l.loading.Lock()
	}
	defer l.loading.Unlock()
	version, err := l.current(ctx)
	if err != nil {
		return err
	}
	if version != l.version {
		index, err := l.build(ctx)
		if err != nil {
			return fmt.Errorf("build the web index: %w", err)
		}
		l.Replace(index)
		l.version = version
	}
	// While pages are being imported every look finds new ones: building must not be all that is done.
	next := time.Now().Add(max(lookEvery, 4*time.Since(now)))
	l.next.Store(&next)
	l.ready.Store(true)
	return nil
}

// current is a number that grows with every change.
func (l *Library) current(ctx context.Context) (int64, error) {
	return db.One(ctx, l.db, db.Value[int64], "SELECT CAST(coalesce(sum(version), 0) AS BIGINT) FROM web_versions")
}

func (l *Library) build(ctx context.Context) (*Index, error) {
	b := NewBuilder()
	domains := map[string]bool{}
	err := db.Each(ctx, l.db, func(row db.Scanner) error {
		var p Page
		if err := row.Scan(&p.URL, &p.Title, &p.Description, &p.Body, &p.Country, &p.Language); err != nil {
			return err
		}
		domains[webtarget.Domain(p.URL)] = true
		return b.Add(p)
	}, "SELECT url, title, description, body, country, language FROM pages ORDER BY address LIMIT $1", MaxPages)
	if err != nil {
		return nil, err
	}
	priors, err := l.priors(ctx, slices.Collect(maps.Keys(domains)))
	if err != nil {
		return nil, err
	}
	return b.Build(func(domain string) float64 { return priors[domain] }), nil
}

func (l *Library) priors(ctx context.Context, domains []string) (map[string]float64, error) {
	priors := map[string]float64{}
	for chunk := range slices.Chunk(domains, 500) {
		var p db.Params
		if err := db.Each(ctx, l.db, func(row db.Scanner) error {
			var domain string
			var rank int64
			err := row.Scan(&domain, &rank)
			priors[domain] = l.standing(rank)
			return err
		}, "SELECT domain, min(rank) FROM domain_ranks WHERE domain IN "+db.AddAll(&p, chunk)+" GROUP BY domain", p.Args...); err != nil {
			return nil, err
		}
	}
	return priors, nil
}

// importBatch is how many pages one transaction writes.
const importBatch = 100

// Import keeps the pages that read yields; a page that is there is replaced. Pages read before an error are
// kept. Each batch is announced with its transaction, so that whatever ends the import, what it kept is
// found. progress, which may be nil, is told how many are kept so far.
func (l *Library) Import(ctx context.Context, read func(yield func(Page) error) error, progress func(kept int)) (kept int, err error) {
	batches := db.NewBatches(l.db, importBatch, func(tx *db.Tx, pages []Page) error {
		if err := savePages(ctx, tx, pages); err != nil {
			return err
		}
		return changed(ctx, tx)
	}, func(kept int) {
		l.next.Store(nil)
		if progress != nil {
			progress(kept)
		}
	})
	err = read(func(p Page) error {
		if reason := p.check(); reason != "" {
			return fmt.Errorf("page %.100q: %s", p.URL, reason)
		}
		return batches.Add(ctx, p)
	})
	if ctx.Err() == nil {
		err = errors.Join(err, batches.Flush(ctx))
	}
	return batches.Kept(), err
}

// changed makes every process build its index anew.
func changed(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "INSERT INTO web_versions (name, version) VALUES ('pages', 1) ON CONFLICT (name) DO UPDATE SET version = web_versions.version + 1")
	return err
}

// Len counts the stored pages.
func (l *Library) Len(ctx context.Context) (int64, error) {
	return db.One(ctx, l.db, db.Value[int64], "SELECT count(*) FROM pages")
}

// savePages writes one page for each address, the last that was read.
func savePages(ctx context.Context, tx *db.Tx, pages []Page) error {
	byAddress := map[string]Page{}
	for _, p := range pages {
		byAddress[storable(key(p.URL), maxURL)] = p
	}
	addresses := slices.Sorted(maps.Keys(byAddress))
	rows := make([][]any, len(addresses))
	for i, address := range addresses {
		page := byAddress[address]
		rows[i] = []any{
			address, storable(page.URL, maxURL), storable(page.Title, maxTitle), storable(page.Description, maxDescription),
			storable(page.Body, maxBody), storable(page.Country, 2), storable(page.Language, 16),
		}
	}
	return db.Insert(ctx, tx, "pages", "address, url, title, description, body, country, language", rows,
		`ON CONFLICT (address) DO UPDATE SET url = excluded.url, title = excluded.title, description = excluded.description,
		body = excluded.body, country = excluded.country, language = excluded.language`)
}

// storable is text that every store can keep.
func storable(s string, limit int) string {
	return cut(strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", ""), limit)
}
