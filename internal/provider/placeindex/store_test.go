package placeindex_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

var center = geo.Point{Lat: 33.7745, Lng: -84.2951}

func names(hits []placeindex.Hit) string {
	var list []string
	for _, h := range hits {
		list = append(list, h.Place.Name)
	}
	return strings.Join(list, ", ")
}

func search(t *testing.T, l *placeindex.Library, words string) string {
	t.Helper()
	index, err := l.Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return names(index.Search(words, center, 10))
}

func pizzeria(n int) placeindex.Place {
	id, cid := placeindex.Identify(fmt.Sprint("test:", n))
	return placeindex.Place{
		ID: id, CID: cid, Name: fmt.Sprintf("Pizzeria %d", n), Address: "1 Main St", Lat: center.Lat + float64(n)/1000, Lng: center.Lng,
		Categories: []string{"Pizza"}, Rating: 4, Reviews: 10,
	}
}

func TestLibraryLearnsWhatOthersWrite(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		reader, writer := placeindex.NewLibrary(d, noCategories{}, nil), placeindex.NewLibrary(d, noCategories{}, nil)
		if got := search(t, reader, "pizzeria"); got != "" {
			t.Errorf("an empty store has %s", got)
		}
		save := func(places ...placeindex.Place) {
			t.Helper()
			if err := writer.Save(t.Context(), places); err != nil {
				t.Fatal(err)
			}
		}
		save(pizzeria(1), pizzeria(2))
		if got := search(t, reader, "pizzeria"); got != "Pizzeria 1, Pizzeria 2" {
			t.Errorf("after a first write: %s", got)
		}
		renamed := pizzeria(1)
		renamed.Name = "Trattoria"
		save(renamed, pizzeria(3), pizzeria(3))
		if got := search(t, reader, "pizzeria"); got != "Pizzeria 2, Pizzeria 3" {
			t.Errorf("after a second write: %s", got)
		}
		if got := search(t, placeindex.NewLibrary(d, noCategories{}, nil), "pizzeria"); got != "Pizzeria 2, Pizzeria 3" {
			t.Errorf("a new process finds %s", got)
		}
		// A look-up does not wait for the next look at the store.
		save(pizzeria(4))
		for _, id := range []string{pizzeria(4).ID, pizzeria(4).CID} {
			if b, err := reader.FindPlace(t.Context(), id); err != nil || b.Name != "Pizzeria 4" {
				t.Errorf("a place that came a moment ago: %+v, %v", b, err)
			}
		}
		if _, err := reader.FindPlace(t.Context(), "nobody"); provider.KindOf(err) != provider.NotFound {
			t.Errorf("an unknown place: %v", err)
		}
		if err := writer.Save(t.Context(), []placeindex.Place{{ID: "x"}}); err == nil {
			t.Error("a place without a name was kept")
		}
	})
}

func TestLibraryFollowsItsOtherSource(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	version, places := "1", []placeindex.Place{pizzeria(1), {ID: "broken"}}
	l := placeindex.NewLibrary(d, noCategories{}, &placeindex.Source{
		Version: func(context.Context) (string, error) { return version, nil },
		Places:  func(context.Context) ([]placeindex.Place, error) { return append([]placeindex.Place{}, places...), nil },
	})
	if err := l.Save(t.Context(), []placeindex.Place{pizzeria(9)}); err != nil {
		t.Fatal(err)
	}
	if got := search(t, l, "pizzeria"); got != "Pizzeria 1, Pizzeria 9" {
		t.Errorf("both sources: %s", got)
	}
	version, places = "2", []placeindex.Place{pizzeria(2)}
	if got := search(t, l, "pizzeria"); got != "Pizzeria 2, Pizzeria 9" {
		t.Errorf("after a change: %s", got)
	}
}

func csvFile(rows int) string {
	var b strings.Builder
	b.WriteString("id,name,lat,lng\n")
	for i := range rows {
		if i%100 == 99 {
			b.WriteString("bad,,0,0\n")
			continue
		}
		fmt.Fprintf(&b, "%d,Pizzeria %d,%f,%f\n", i, i, center.Lat, center.Lng)
	}
	return b.String()
}

// An import that is stopped goes on where it was: no row is kept twice, no bad row is told twice.
func TestImportGoesOnWhereItWasStopped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		text := csvFile(2_000)
		var told []int64
		file := func() placeindex.File {
			fingerprint, err := placeindex.Fingerprint(strings.NewReader(text), int64(len(text)), placeindex.CSV)
			if err != nil {
				t.Fatal(err)
			}
			return placeindex.File{
				Reader: strings.NewReader(text), Format: placeindex.CSV, Fingerprint: fingerprint, Options: placeindex.Options{Source: "test"},
				Skipped: func(at int64, _ string) { told = append(told, at) },
			}
		}
		l := placeindex.NewLibrary(d, noCategories{}, nil)
		ctx, cancel := context.WithCancel(t.Context())
		stopped := file()
		stopped.Progress = func(i placeindex.Imported) {
			if i.Kept >= 1_000 {
				cancel()
			}
		}
		first, err := l.Import(ctx, stopped)
		if !errors.Is(err, context.Canceled) || first.Kept != 1_000 {
			t.Fatalf("stopped with %v after %+v", err, first)
		}
		told = nil // those of the records that are read again are told again
		second, err := l.Import(t.Context(), file())
		if err != nil || second.Resumed < 1_000 || second.Kept != 1_980 || second.Bad != 20 {
			t.Errorf("the second run: %+v, %v", second, err)
		}
		if len(told) == 0 || told[0] <= 1_000 {
			t.Errorf("bad rows of the first run are told again: %v", told)
		}
		index, err := l.Index(t.Context())
		if err != nil || index.Len() != 1_980 {
			t.Errorf("%d places, %v", index.Len(), err)
		}
		again, err := l.Import(t.Context(), file())
		if err != nil || again.Resumed != 0 || again.Kept != 1_980 {
			t.Errorf("a third run: %+v, %v", again, err)
		}
	})
}
