package app_test

import (
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// eachQueue starts the program with a queue in which tasks wait until the test has them done.
func eachQueue(t *testing.T, test func(t *testing.T, p *apptest.Program, fake *providertest.DataForSEO)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		fake := providertest.NewDataForSEO(t)
		test(t, apptest.Start(t, d, program(t, "map", vendor{name: "dataforseo", start: func(t *testing.T) ([]string, *providertest.Fake) {
			queue, _ := queueVendor.start(t)
			return append(queue, "--dataforseo-url="+fake.URL), fake.Fake
		}}), func(s *apptest.Setup) { s.Options.Map.Pace.Stalls = 2 }), fake)
	})
}

// collecting begins a collection of 9 points and 2 keywords, and has its tasks taken care of until it has ended.
func collecting(t *testing.T, p *apptest.Program, fake *providertest.DataForSEO, care func()) (detail string) {
	t.Helper()
	id := p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: map[string]any{
		"placeId": fake.Market[2].PlaceID, "keywords": []string{"pizza", "italian"}, "gridSettings": map[string]any{"template": "3x3"},
	}}).Want(t, 200).Text("data.id")
	p.Do(t, apptest.Call{Method: "PUT", Path: maprank.Prefix + "/campaigns/" + id + "/collect"}).Want(t, 200)
	return p.Eventually(t, apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns/" + id}, func(a *apptest.Answer) bool {
		care()
		return a.Text("data.status") != "COLLECTING"
	}).Text("data.statusDetail")
}

// A vendor that takes tasks, bills them and gives them up is not paid for ever.
func TestAQueueThatFailsIsGivenUp(t *testing.T) {
	t.Parallel()
	eachQueue(t, func(t *testing.T, p *apptest.Program, fake *providertest.DataForSEO) {
		detail := collecting(t, p, fake, func() {
			for _, tag := range fake.Posted() {
				fake.Fail(tag)
			}
		})
		if !strings.Contains(detail, "18 of 18 searches failed") || !strings.Contains(detail, "did not carry out a search") {
			t.Errorf("the report says %q", detail)
		}
		if n := len(fake.Posted()); n > 3*18 {
			t.Errorf("18 searches were posted %d times", n)
		}
		checkCredits(t, p, 0)
	})
}
