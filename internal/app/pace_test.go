package app_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
	"github.com/trigpoint/trigpoint/internal/research"
)

// The vendor counts by account: map searches and result pages, of one process or of two, keep one pace.
func TestAllAreasAndProcessesKeepOnePace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const concurrent = 2
		vendor := providertest.NewSerper(t)
		vendor.Delay(10 * time.Millisecond)
		start := func(email string) *apptest.Program {
			return apptest.Start(t, d, func(s *apptest.Setup) {
				s.Email, s.NoWorker = email, true
				s.Config.MapProvider, s.Config.SerpProvider = []string{"serper"}, []string{"serper"}
				s.Config.Vendors = []provider.Vendor{provider.NewVendor("serper", &serper.Options{
					APIKey: providertest.SerperKey, Access: provider.Access{URL: vendor.URL, Concurrency: concurrent, Rate: 1_000},
				}, serper.New)}
			})
		}
		programs := []*apptest.Program{start("a@trigpoint.example")}
		if d.Dialect == db.Postgres {
			programs = append(programs, start("b@trigpoint.example"))
		}
		var wg sync.WaitGroup
		for _, p := range programs {
			for i := range 8 {
				wg.Go(func() {
					p.Do(t, apptest.Call{Method: "GET", Path: fmt.Sprintf("%s/serpcheck/serps?kw=word%d", research.Prefix, i)}).Want(t, 200)
				})
				wg.Go(func() {
					p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: map[string]any{
						"placeId": vendor.Market[i].PlaceID, "keywords": []string{"pizza"}, "gridSettings": map[string]any{"template": "3x3"},
					}}).Want(t, 200)
				})
			}
		}
		wg.Wait()
		if vendor.Peak() > concurrent {
			t.Errorf("%d requests at once, want at most %d", vendor.Peak(), concurrent)
		}
	})
}
