package placeindex_test

import (
	"context"
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
		save(renamed, pizzeria(2), pizzeria(3), pizzeria(3))
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
		if err := writer.Save(t.Context(), []placeindex.Place{pizzeria(5), {ID: "x"}}); err == nil {
			t.Error("a place without a name was kept")
		}
		if got := search(t, reader, "pizzeria"); got != "Pizzeria 4" {
			t.Errorf("after a failed write: %s", got)
		}
	})
}

func TestLibraryFollowsItsOtherSource(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	var told []placeindex.Place // the changes after revision 0, 1, …
	whole := false
	l := placeindex.NewLibrary(d, noCategories{}, &placeindex.Source{
		Changes: func(_ context.Context, after int64, each func(string, *placeindex.Place) error) (int64, bool, error) {
			if whole {
				after = 0
			}
			for _, p := range told[after:] {
				change := &p
				if p.Name == "" {
					change = nil
				}
				if err := each(p.ID, change); err != nil {
					return 0, false, err
				}
			}
			return int64(len(told)), whole, nil
		},
	})
	if err := l.Save(t.Context(), []placeindex.Place{pizzeria(9)}); err != nil {
		t.Fatal(err)
	}
	unfit := pizzeria(3)
	unfit.Lat = 91
	told = append(told, pizzeria(1), pizzeria(2), unfit)
	if got := search(t, l, "pizzeria"); got != "Pizzeria 1, Pizzeria 2, Pizzeria 9" {
		t.Errorf("both sources: %s", got)
	}
	told = append(told, placeindex.Place{ID: pizzeria(1).ID}, pizzeria(4))
	if got := search(t, l, "pizzeria"); got != "Pizzeria 2, Pizzeria 4, Pizzeria 9" {
		t.Errorf("after changes: %s", got)
	}
	told, whole = []placeindex.Place{pizzeria(4), pizzeria(5)}, true
	if got := search(t, l, "pizzeria"); got != "Pizzeria 4, Pizzeria 5, Pizzeria 9" {
		t.Errorf("when all is told anew: %s", got)
	}
}
