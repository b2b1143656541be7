package research_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// engine has thirty results, site1.example the first; it stops after the page of ten that has the target.
func engine(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	var page provider.WebPage
	for n := 1; n <= min(q.Limit(), 30); n++ {
		host := fmt.Sprintf("site%d.example", n)
		item := provider.WebItem{Type: provider.Organic, Rank: n, URL: "https://" + host + "/" + url.PathEscape(q.Keyword), Domain: host}
		page.Items = append(page.Items, item)
		if q.Until != nil && q.Until(item) {
			q.Depth = (n + 9) / 10 * 10
		}
	}
	return page, ctx.Err()
}

// checked waits until every keyword of a tracking has been checked on the clock's day.
func checked(t testing.TB, p *apptest.Program, trackingID string) {
	t.Helper()
	today := series.DayOf(p.Clock.Now())
	p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/rankwatch/trackings/" + trackingID + "/tracked-keywords"}, func(a *apptest.Answer) bool {
		var keywords []rankwatch.TrackedKeyword
		a.Want(t, 200).Into(t, &keywords)
		return !slices.ContainsFunc(keywords, func(k rankwatch.TrackedKeyword) bool {
			return k.LastCheckedAt == nil || series.DayOf(time.Unix(*k.LastCheckedAt, 0)) != today
		})
	})
}

// A check ends where it finds its target; what research had seen below that stays.
func TestATrackingDoesNotImpoverishResearch(t *testing.T) {
	t.Parallel()
	webs := fleet(func() *providertest.Scripted { return &providertest.Scripted{Web: engine} })
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		now := p.Clock.(*clock.Fake)
		pizza := func() *apptest.Answer {
			t.Helper()
			return get(t, p, "/serpcheck/serps", "kw", "pizza", "location_id", "4191124").Want(t, 200)
		}
		deep := func(kw string) float64 {
			t.Helper()
			a := get(t, p, "/keywordtool/competitor-keywords", "url", "site18.example/"+kw, "location_id", "4191124").Want(t, 200)
			n, _ := a.At("totalCount").(float64)
			return n
		}
		before := pizza()
		if before.Len("items") != 20 || deep("pizza") != 1 {
			t.Fatalf("%d items, %v keywords", before.Len("items"), deep("pizza"))
		}
		tracking := p.Do(t, apptest.Call{Method: "POST", Path: base + "/rankwatch/trackings", Body: map[string]any{
			"domain": "site1.example", "location_id": decatur, "platform_id": 1, "keywords": []string{"pizza", "pasta"},
		}}).Want(t, 201).Text("tracking._id")
		for day := range 3 {
			checked(t, p, tracking)
			if n := deep("pizza"); n != 1 {
				t.Errorf("day %d: the eighteenth result ranks for %v keywords", day, n)
			}
			top := get(t, p, "/keywordtool/competitor-keywords", "url", "site2.example", "location_id", "4191124").Want(t, 200)
			if top.At("totalCount") != 2.0 || top.At("keywords.0.position") != 2.0 {
				t.Errorf("day %d: what a check saw is not known: %s", day, top.Raw)
			}
			if a := pizza(); a.Len("items") != 20 || (day == 0) != (a.Text("_id") == before.Text("_id")) {
				t.Errorf("day %d: the page has %d items and is of %v", day, a.Len("items"), a.At("created_at"))
			}
			now.Advance(24 * time.Hour)
		}
		if a := get(t, p, "/serpcheck/serps", "kw", "pasta", "location_id", "4191124").Want(t, 200); a.Len("items") != 20 {
			t.Errorf("a page that a check had begun has %d items", a.Len("items"))
		}
	}, webs.setup)
}
