package maprank_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// A report of the largest grid costs at most 3 bytes an observation, all tables and indexes counted, though
// its keywords meet more businesses than fit a byte.
func TestBytesAnObservation(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		const keywords, points, results = 30, 21 * 21, result.MaxRank
		names := make([]string, keywords)
		for i := range names {
			names[i] = fmt.Sprint("keyword ", i)
		}
		market := invented(2_000)
		w.maps.Place = providertest.Known(market)
		c, err := w.MapRank.Create(w.t.Context(), maprank.Draft{
			AccountID: w.Owner.ID, PlaceID: market[0].PlaceID, Keywords: names,
			Grid: &grid.Grid{Template: "21x21", Unit: grid.Kilometres, Distance: 5, BasePoint: grid.Coordinates{Lat: 33.77, Lng: -84.29}},
		})
		if err != nil {
			w.t.Fatal(err)
		}
		record := func(day int) {
			random := rand.New(rand.NewPCG(1, uint64(day)))
			err := w.MapRank.ImportReport(w.t.Context(), c.ID, start.AddDate(0, 0, day), func(string, grid.Coordinates) []provider.Business {
				from := random.IntN(len(market) - results)
				return market[from : from+results]
			})
			if err != nil {
				w.t.Fatal(err)
			}
		}
		record(0)
		before := w.bytes()
		record(1)
		grown := float64(w.bytes()-before) / (keywords * points * results)
		w.t.Logf("%.2f bytes an observation", grown)
		if grown <= 1 || grown > 3 {
			w.t.Errorf("%.2f bytes an observation, want at most 3", grown)
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

func invented(n int) []provider.Business {
	var all []provider.Business
	for _, p := range placeindex.NewMarket(3, n).Drift(0) {
		all = append(all, provider.Business{PlaceID: p.ID, CID: p.CID, Name: p.Name, Address: p.Address, Lat: p.Lat, Lng: p.Lng, Rating: p.Rating, Reviews: p.Reviews})
	}
	return all
}

// bytes is the size of the whole store.
func (w *world) bytes() int64 {
	w.t.Helper()
	text := "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
	if w.DB.Dialect == db.Postgres {
		text = "SELECT pg_database_size(current_database())"
	}
	n, err := db.One(w.t.Context(), w.DB, db.Value[int64], text)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}
