package placeindex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strings"
	"sync"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Source is places that are kept elsewhere, such as the locations of an account; their changes are numbered.
type Source struct {
	// Changes calls each for every place that has changed after a revision, with nil for one that has gone,
	// and returns the revision that is then known. whole says that each was called for every place there
	// is: what is known beside them has gone. When nothing has changed it must cost next to nothing.
	Changes func(ctx context.Context, after int64, each func(id string, p *Place) error) (revision int64, whole bool, err error)
}

// Library is the provider over the places in the store and in the source. The index is built at the first
// search, and what has changed since, also through another process, is read before a later one.
type Library struct {
	*Provider
	db *db.DB

	imports  freshness // of what the store holds
	revision int64     // of it, in the index

	source         *Source // may be nil
	sourced        freshness
	sourcing       sync.Mutex // guards what follows
	sourceRevision int64
	sourceIDs      map[string]bool // of the source's places in the index
}

// NewLibrary opens the places of a store.
func NewLibrary(d *db.DB, categories Categories, source *Source) *Library {
	l := &Library{Provider: NewProvider(New(categories)), db: d, revision: -1, source: source, sourceIDs: map[string]bool{}}
	l.imports.read, l.sourced.read = l.readImports, l.readSource
	return l
}

// FindPlace looks a place up by its place id, or by its cid: in the store itself, which needs no index and
// knows what came a moment ago, then among those of the source.
func (l *Library) FindPlace(ctx context.Context, id string) (provider.Business, error) {
	if err := provider.CheckPlaceID(id); err != nil {
		return provider.Business{}, err
	}
	cid, carried := placeid.CID(id)
	if !carried {
		cid = id
	}
	for _, by := range []struct{ column, value string }{{"id", id}, {"cid", cid}} {
		p, err := db.One(ctx, l.db, scanPlace, "SELECT "+placeColumns+currentPlaces+" AND p."+by.column+" = $1 ORDER BY i.id DESC LIMIT 1", by.value)
		if err == nil {
			return l.business(p), nil
		}
		if !db.IsNoRow(err) {
			return provider.Business{}, err
		}
	}
	if err := l.sourced.refresh(ctx, true); err != nil {
		return provider.Business{}, err
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

func (l *Library) refresh(ctx context.Context, now bool) error {
	return errors.Join(l.sourced.refresh(ctx, now), l.imports.refresh(ctx, now))
}

// readImports makes the index anew when an import has come or gone.
func (l *Library) readImports(ctx context.Context) error {
	revision, err := db.One(ctx, l.db, db.Value[int64], "SELECT revision FROM place_revision WHERE id = 1")
	if err != nil {
		return fmt.Errorf("read the places: %w", err)
	}
	if revision == l.revision {
		return nil
	}
	go l.index.shared.vocab.foreign() // so that no search has to wait for the translations
	if err := l.index.Load(l.stored(ctx)); err != nil {
		return err
	}
	l.revision = revision
	return nil
}

// readSource takes in what has changed in the source.
func (l *Library) readSource(ctx context.Context) error {
	if l.source == nil {
		return nil
	}
	l.sourcing.Lock()
	defer l.sourcing.Unlock()
	var put []Place
	var gone []string
	there := map[string]bool{}
	revision, whole, err := l.source.Changes(ctx, l.sourceRevision, func(id string, p *Place) error {
		if p != nil && p.Check() == nil {
			put, there[id] = append(put, *p), true
		} else if l.sourceIDs[id] {
			gone = append(gone, id)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the locations: %w", err)
	}
	if whole {
		gone = nil
		for id := range l.sourceIDs {
			if !there[id] {
				gone = append(gone, id)
			}
		}
	}
	if len(put)+len(gone) > 0 {
		l.index.write(change{put, gone})
	}
	for _, id := range gone {
		delete(l.sourceIDs, id)
	}
	maps.Copy(l.sourceIDs, there)
	l.sourceRevision = revision
	return nil
}

var (
	placeFields  = []string{"id", "cid", "name", "address", "lat", "lng", "rating", "reviews", "categories", "country", "phone", "website"}
	placeColumns = "p." + strings.Join(placeFields, ", p.") + ", i.source"
)

const currentPlaces = " FROM place_imports i JOIN places p ON p.import_id = i.id WHERE i.state = 'CURRENT'"

func scanPlace(row db.Scanner) (p Place, err error) {
	var categories []byte
	err = row.Scan(&p.ID, &p.CID, &p.Name, &p.Address, &p.Lat, &p.Lng, &p.Rating, &p.Reviews, &categories, &p.CountryCode, &p.Phone, &p.Website, &p.Source)
	if err == nil {
		err = json.Unmarshal(categories, &p.Categories)
	}
	return p, err
}

// stored reads all places as one statement sees them, the newest import last: of two with one id it counts. Those of
// the source, which the index has, come behind.
func (l *Library) stored(ctx context.Context) iter.Seq2[Place, error] {
	return func(yield func(Place, error) bool) {
		stopped := false
		err := db.Each(ctx, l.db, func(row db.Scanner) error {
			p, err := scanPlace(row)
			if err != nil {
				return err
			}
			if stopped = !yield(p, nil); stopped {
				return errStopped
			}
			return nil
		}, "SELECT "+placeColumns+currentPlaces+" ORDER BY i.id")
		if err != nil && !stopped {
			yield(Place{}, fmt.Errorf("read the places: %w", err))
		}
		if err != nil {
			return
		}
		l.sourcing.Lock()
		defer l.sourcing.Unlock()
		for id := range l.sourceIDs {
			if p, ok := l.index.Get(id); ok && !yield(p, nil) {
				return
			}
		}
	}
}

var errStopped = errors.New("the reader has stopped")
