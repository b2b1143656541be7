package local_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// at places a location.
func at(latitude, longitude float64) map[string]float64 {
	return map[string]float64{"latitude": latitude, "longitude": longitude}
}

// The page tells the time of the place, its neighbours and who stands behind it, and is fetched again only when it
// has changed.
func TestHostedPage(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := clock.NewFake(time.Date(2026, 11, 16, 21, 59, 20, 0, time.UTC)) // Monday 16:59:20 in Decatur
		p := apptest.Start(t, d, func(s *apptest.Setup) { s.Options.Clock = now })
		named := func(name string, latitude float64, further ...any) string {
			profile := with(valid(t), "business_name", name)
			profile = with(profile, "coordinates", at(latitude, -84.29))
			profile = with(profile, "business_hours", map[string]any{"monday_hours": []any{map[string]string{"from": "09:00", "to": "17:00"}}})
			for i := 0; i < len(further); i += 2 {
				profile = with(profile, further[i].(string), further[i+1])
			}
			id := create(t, p, profile)
			published(t, p, id)
			return id
		}
		own := named("Deli", 33.77)
		named("Deli Far", 33.97)
		near := named("Deli Near", 33.78)
		named("Deli of another county", 35.5)
		named("Deli Hidden", 33.771, "suppress_address", true, "service_area_places", []any{map[string]string{"name": "Decatur", "place_id": "x"}})
		gone := named("Deli Gone", 33.772)
		switchTo(t, p, listings(t, p, gone)["Hosted page"], "disable", 200)
		err := p.DB.Tx(t.Context(), func(tx *db.Tx) error {
			_, err := p.Accounts.SetBrand(t.Context(), tx, p.Owner.ID, account.BrandChange{Name: "Theodolite", Colour: "#123456"})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}

		url := p.URL + "/l/" + own
		res, body := get(t, url)
		page := string(body)
		for _, want := range []string{"Open now until 17:00", "Monday, today", "Theodolite · Deli", "#123456"} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %q", want)
			}
		}
		if strings.Count(page, `<a href="/l/`) != 2 || strings.Index(page, "/l/"+near) > strings.Index(page, "Deli Far") || !strings.Contains(page, "1.1 km") {
			t.Errorf("the neighbours: %s", page[strings.Index(page, "</address>"):])
		}
		if got := res.Header.Get("Cache-Control"); got != "public, max-age=40" {
			t.Errorf("it closes in 40 s and may be kept for %s", got)
		}
		again := func() int {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("If-None-Match", res.Header.Get("ETag"))
			answer, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			return answer.StatusCode
		}
		if status := again(); status != http.StatusNotModified {
			t.Errorf("asked again it answers %d", status)
		}
		now.Advance(time.Minute)
		if status := again(); status != http.StatusOK {
			t.Errorf("after closing time it answers %d", status)
		}
	})
}
