package placeindex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// How often a search looks whether the places have changed: those of the store, which costs next to
// nothing, and those of the other source.
const (
	lookEvery   = time.Second
	sourceEvery = 10 * time.Second
)

// Source is places that are kept elsewhere, such as the locations of an account. Version is another text
// whenever they have changed.
type Source struct {
	Version func(ctx context.Context) (string, error)
	Places  func(ctx context.Context) ([]Place, error)
}

// Library is the provider over the places in the store and in the source. The index is built at the first
// search, and learns later what has changed since.
type Library struct {
	*Provider
	db     *db.DB
	source *Source // may be nil

	loading sync.Mutex // guards what follows
	ready   atomic.Bool
	looked  atomic.Int64 // Unix nanoseconds of the last look

	revision      int64
	sourceLooked  time.Time
	sourceVersion string
	sourceIDs     map[string]bool
}

// NewLibrary opens the places of a store.
func NewLibrary(d *db.DB, categories Categories, source *Source) *Library {
	return &Library{Provider: NewProvider(New(categories)), db: d, source: source, sourceIDs: map[string]bool{}}
}

// FindPlace looks a place up; one that is not known may have come a moment ago.
func (l *Library) FindPlace(ctx context.Context, id string) (provider.Business, error) {
	if err := l.refresh(ctx, false); err != nil {
		return provider.Business{}, err
	}
	b, err := l.Provider.FindPlace(ctx, id)
	if provider.KindOf(err) != provider.NotFound {
		return b, err
	}
	if err := l.refresh(ctx, true); err != nil {
		return b, err
	}
	return l.Provider.FindPlace(ctx, id)
}

// SearchMap ranks the places around the point of the query.
func (l *Library) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	if err := l.refresh(ctx, false); err != nil {
		return nil, err
	}
	return l.Provider.SearchMap(ctx, q)
}

// Index is what the library searches, up to date.
func (l *Library) Index(ctx context.Context) (*Index, error) {
	return l.index, l.refresh(ctx, true)
}

// refresh brings the index up to date when it is time. The search that notices does so; others go on with
// what there is, except for the first ones, which have nothing. now does not wait for the time.
func (l *Library) refresh(ctx context.Context, now bool) error {
	switch {
	case now || !l.ready.Load():
		l.loading.Lock()
	case time.Now().UnixNano()-l.looked.Load() < int64(lookEvery) || !l.loading.TryLock():
		return nil
	}
	defer l.loading.Unlock()
	if err := l.readStore(ctx); err != nil {
		return fmt.Errorf("read the places: %w", err)
	}
	if err := l.readSource(ctx, now); err != nil {
		return fmt.Errorf("read the locations: %w", err)
	}
	l.looked.Store(time.Now().UnixNano())
	l.ready.Store(true)
	return nil
}

func (l *Library) readStore(ctx context.Context) error {
	revision, err := db.One(ctx, l.db, db.Value[int64], "SELECT revision FROM place_revision WHERE id = 1")
	if err != nil || revision == l.revision && l.ready.Load() {
		return err
	}
	if !l.ready.Load() {
		if err := l.index.Load(l.stored(ctx, 0)); err != nil {
			return err
		}
	} else {
		var changed []Place
		for p, err := range l.stored(ctx, l.revision) {
			if err != nil {
				return err
			}
			if changed = append(changed, p); len(changed) == putBatch {
				if err := l.index.Put(changed...); err != nil {
					return err
				}
				changed = changed[:0]
			}
		}
		if err := l.index.Put(changed...); err != nil {
			return err
		}
	}
	l.revision = revision
	return nil
}

// putBatch is how many changed places go into the index together.
const putBatch = 5_000

const placeColumns = "id, cid, name, address, lat, lng, rating, reviews, categories, country, phone, website, source"

// stored reads the places that were written after a revision.
func (l *Library) stored(ctx context.Context, after int64) iter.Seq2[Place, error] {
	return func(yield func(Place, error) bool) {
		stopped := false
		err := db.Each(ctx, l.db, func(row db.Scanner) error {
			var p Place
			var categories []byte
			err := row.Scan(&p.ID, &p.CID, &p.Name, &p.Address, &p.Lat, &p.Lng, &p.Rating, &p.Reviews, &categories, &p.CountryCode, &p.Phone, &p.Website, &p.Source)
			if err == nil {
				err = json.Unmarshal(categories, &p.Categories)
			}
			if err != nil {
				return err
			}
			if stopped = !yield(p, nil); stopped {
				return errStopped
			}
			return nil
		}, "SELECT "+placeColumns+" FROM places WHERE revision > $1", after)
		if err != nil && !stopped {
			yield(Place{}, err)
		}
	}
}

var errStopped = errors.New("the reader has stopped")

// readSource puts the source's places beside those of the store.
func (l *Library) readSource(ctx context.Context, now bool) error {
	if l.source == nil || !now && time.Since(l.sourceLooked) < sourceEvery {
		return nil
	}
	version, err := l.source.Version(ctx)
	if err != nil {
		return err
	}
	l.sourceLooked = time.Now()
	if version == l.sourceVersion {
		return nil
	}
	places, err := l.source.Places(ctx)
	if err != nil {
		return err
	}
	fit, ids := places[:0], map[string]bool{}
	for _, p := range places {
		if p.Check() == nil {
			fit, ids[p.ID] = append(fit, p), true
		}
	}
	var gone []string
	for id := range l.sourceIDs {
		if !ids[id] {
			gone = append(gone, id)
		}
	}
	l.index.Remove(gone...)
	if err := l.index.Put(fit...); err != nil {
		return err
	}
	l.sourceVersion, l.sourceIDs = version, ids
	return nil
}
