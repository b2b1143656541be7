package app_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/source"
)

const trackings = rankwatch.Prefix + "/rankwatch/trackings"

// vendor is a fake and the settings with which it is asked.
type vendor struct {
	name  string
	start func(t *testing.T) (flags []string, fake *providertest.Fake)
	free  bool // its searches cost nothing
}

func keyed(name, key string, fake *providertest.Fake) ([]string, *providertest.Fake) {
	flags := []string{"--" + name + "-url=" + fake.URL, "--" + name + "-rate=10000"}
	if key != "" {
		flags = append(flags, "--"+name+"-api-key="+key)
	}
	return flags, fake
}

func startDataForSEO(mode string) func(t *testing.T) ([]string, *providertest.Fake) {
	return func(t *testing.T) ([]string, *providertest.Fake) {
		fake := providertest.NewDataForSEO(t)
		fake.Instant = true
		flags, _ := keyed("dataforseo", "", fake.Fake)
		return append(flags, "--dataforseo-login="+providertest.DataForSEOLogin, "--dataforseo-password="+providertest.DataForSEOPassword, "--dataforseo-mode="+mode), fake.Fake
	}
}

var (
	serperVendor = vendor{name: "serper", start: func(t *testing.T) ([]string, *providertest.Fake) {
		return keyed("serper", providertest.SerperKey, providertest.NewSerper(t).Fake)
	}}
	serpapiVendor = vendor{name: "serpapi", start: func(t *testing.T) ([]string, *providertest.Fake) {
		return keyed("serpapi", providertest.SerpAPIKey, providertest.NewSerpAPI(t).Fake)
	}}
	dataforseoVendor = vendor{name: "dataforseo", start: startDataForSEO("live")}
	queueVendor      = vendor{name: "dataforseo", start: startDataForSEO("queue")}
)

func (v vendor) title(i int) string { return fmt.Sprintf("%s-%d", v.name, i) }

// program starts the program with vendors for map or web searches, in their order.
func program(t *testing.T, use string, vendors ...vendor) func(*apptest.Setup) {
	var flags, names []string
	for _, one := range vendors {
		more, _ := one.start(t)
		flags, names = append(flags, more...), append(names, one.name)
	}
	return func(s *apptest.Setup) {
		s.Config.Vendors = apptest.Vendors(t, flags...)
		s.Config.SerpDepth = 20
		if use == "map" {
			s.Config.MapProvider = names
		} else {
			s.Config.SerpProvider = names
		}
		s.Options.ComeBack = 10 * time.Millisecond
		s.Options.Map.Pace = maprank.Pace{Flush: 5 * time.Millisecond, Pause: time.Millisecond, Look: 20 * time.Millisecond}
	}
}

// somewhere is a place that the program's map knows.
func somewhere(t *testing.T, p *apptest.Program) string {
	t.Helper()
	found, err := p.MapProvider().SearchMap(t.Context(), provider.MapQuery{Keyword: "pizza", At: providertest.Decatur, Country: "US"})
	if err != nil || len(found) < 3 {
		t.Fatalf("%d places: %v", len(found), err)
	}
	return found[2].PlaceID
}

// collected runs a collection of 9 points and 2 keywords to its end.
func collected(t *testing.T, p *apptest.Program, placeID string) (id string, campaign *apptest.Answer) {
	t.Helper()
	id = p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: map[string]any{
		"placeId": placeID, "keywords": []string{"pizza", "italian"}, "gridSettings": map[string]any{"template": "3x3"},
	}}).Want(t, 200).Text("data.id")
	p.Do(t, apptest.Call{Method: "PUT", Path: maprank.Prefix + "/campaigns/" + id + "/collect"}).Want(t, 200)
	return id, ended(t, p, id)
}

func ended(t *testing.T, p *apptest.Program, id string) *apptest.Answer {
	t.Helper()
	return p.Eventually(t, apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns/" + id}, func(a *apptest.Answer) bool {
		return a.Text("data.status") != "COLLECTING"
	})
}

// answeredBy wants every keyword of the newest report to have been answered by a provider.
func answeredBy(t *testing.T, p *apptest.Program, id, name string) {
	t.Helper()
	a := p.Do(t, apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns/" + id + "/keywords"}).Want(t, 200)
	for i := range 2 {
		if by := a.Text(fmt.Sprintf("data.keywords.%d.provider", i)); by != name {
			t.Errorf("keyword %d was answered by %q, want %s", i, by, name)
		}
	}
}

// spent is what the ledger says that a subject has cost.
func spent(t *testing.T, p *apptest.Program, name, subject string) (requests int, cost provider.Money) {
	t.Helper()
	costs, err := p.Ledger.Costs(t.Context(), source.Filter{AccountID: p.Owner.ID, Provider: name}, 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range costs {
		if subject == "" || c.Subject == subject {
			requests, cost = requests+c.Requests, cost+c.Cost
		}
	}
	return requests, cost
}

func TestACollectionThroughEveryMapProvider(t *testing.T) {
	t.Parallel()
	for i, v := range []vendor{
		serperVendor, serpapiVendor, dataforseoVendor, queueVendor,
		{name: "googleplaces", start: func(t *testing.T) ([]string, *providertest.Fake) {
			return keyed("googleplaces", providertest.GooglePlacesKey, providertest.NewGooglePlaces(t).Fake)
		}},
		{name: "foursquare", start: func(t *testing.T) ([]string, *providertest.Fake) {
			return keyed("foursquare", providertest.FoursquareKey, providertest.NewFoursquare(t).Fake)
		}},
		{name: "photon", free: true, start: func(t *testing.T) ([]string, *providertest.Fake) {
			return keyed("photon", "", providertest.NewPhoton(t).Fake)
		}},
	} {
		t.Run(v.title(i), func(t *testing.T) {
			t.Parallel()
			apptest.Each(t, func(t *testing.T, p *apptest.Program) {
				id, campaign := collected(t, p, somewhere(t, p))
				if status, detail := campaign.Text("data.status"), campaign.Text("data.statusDetail"); status != "COLLECTED" || detail != "" {
					t.Fatalf("the report is %s: %s", status, detail)
				}
				answeredBy(t, p, id, v.name)
				if got := campaign.At("data.projectMetrics.averagePosition"); got == nil {
					t.Errorf("no rank: %s", campaign.Raw)
				}
				if requests, cost := spent(t, p, v.name, strings.ReplaceAll(id, "-", "")); (cost == 0) != v.free || !v.free && requests == 0 {
					t.Errorf("%d requests for %s were recorded", requests, cost)
				}
			}, program(t, "map", v))
		})
	}
}

func TestADailyCheckThroughEveryWebProvider(t *testing.T) {
	t.Parallel()
	for i, v := range []vendor{
		serperVendor, serpapiVendor, dataforseoVendor, queueVendor,
		{name: "brave", start: func(t *testing.T) ([]string, *providertest.Fake) {
			return keyed("brave", providertest.BraveKey, providertest.NewBrave(t))
		}},
		{name: "searxng", free: true, start: func(t *testing.T) ([]string, *providertest.Fake) {
			return keyed("searxng", "", providertest.NewSearXNG(t).Fake)
		}},
	} {
		t.Run(v.title(i), func(t *testing.T) {
			t.Parallel()
			apptest.Each(t, func(t *testing.T, p *apptest.Program) {
				page := p.Do(t, apptest.Call{Method: "GET", Path: research.Prefix + "/serpcheck/serps?kw=pizza&location_id=6252001"}).Want(t, 200)
				tracking := p.Do(t, apptest.Call{Method: "POST", Path: trackings, Body: map[string]any{
					"domain": third(t, page), "location_id": 6252001, "platform_id": 1, "keywords": []string{"pizza"},
				}}).Want(t, 201).Text("tracking._id")
				checked(t, p, tracking, 3, v.name)
				if requests, cost := spent(t, p, v.name, tracking); (cost == 0) != v.free || !v.free && requests == 0 {
					t.Errorf("%d requests for %s were recorded", requests, cost)
				}
			}, program(t, "web", v))
		})
	}
}

// third is the domain of the third organic result.
func third(t *testing.T, page *apptest.Answer) string {
	t.Helper()
	items, _ := page.At("items").([]any)
	for _, item := range items {
		if one := item.(map[string]any); one["rank"] == 3.0 {
			return one["domain"].(string)
		}
	}
	t.Fatalf("no third result: %s", page.Raw)
	return ""
}

// checked waits until the only keyword of a tracking was found at a rank by a provider.
func checked(t *testing.T, p *apptest.Program, tracking string, rank int, by string) {
	t.Helper()
	var stats rankwatch.Stats
	p.Eventually(t, apptest.Call{Method: "POST", Path: trackings + "/" + tracking + "/stats"}, func(a *apptest.Answer) bool {
		a.Into(t, &stats)
		return len(stats.Keywords) == 1 && stats.Keywords[0].LastCheckedAt != nil
	})
	if got := stats.Keywords[0]; got.Rank.Last == nil || *got.Rank.Last != rank || got.Provider != by {
		t.Errorf("found at %v by %q, want %d by %s", got.Rank.Last, got.Provider, rank, by)
	}
}

func TestAnotherProviderTakesOverInMidReport(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := providertest.NewSerper(t)
		nearest, asked := first.Places, atomic.Int64{}
		first.Places = func(q providertest.SerperMaps) []providertest.SerperPlace {
			if asked.Add(1) == 6 { // the look-up, and some points of a keyword
				first.Always(providertest.NoCredits())
			}
			return nearest(q)
		}
		p := apptest.Start(t, d, program(t, "map", vendor{name: "serper", start: func(*testing.T) ([]string, *providertest.Fake) {
			return keyed("serper", providertest.SerperKey, first.Fake)
		}}, serpapiVendor))
		id, campaign := collected(t, p, first.Market[2].PlaceID)
		if status, detail := campaign.Text("data.status"), campaign.Text("data.statusDetail"); status != "COLLECTED" || detail != "" {
			t.Fatalf("the report is %s: %s", status, detail)
		}
		answeredBy(t, p, id, "serpapi") // no keyword has ranks of both
		subject := strings.ReplaceAll(id, "-", "")
		if requests, cost := spent(t, p, "serper", subject); requests == 0 || cost != provider.USD(0.003)*provider.Money(requests) {
			t.Errorf("the first has answered %d searches for %s", requests, cost)
		}
		if requests, _ := spent(t, p, "serpapi", subject); requests != 18 {
			t.Errorf("the second has answered %d searches, want all 18", requests)
		}
		checkCredits(t, p, 18)
	})
}

func TestABudgetEndsARun(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		_, campaign := collected(t, p, providertest.Market(providertest.Decatur, 60)[2].PlaceID)
		detail := campaign.Text("data.statusDetail")
		if !strings.Contains(detail, "9 of 18 searches failed") || !strings.Contains(detail, "budget of $0.03 a month is used up") || !strings.Contains(detail, "TRIGPOINT_SERPER_BUDGET") {
			t.Errorf("the report says %q", detail)
		}
		if requests, cost := spent(t, p, "serper", ""); requests != 10 || cost != provider.USD(0.03) {
			t.Errorf("%d requests for %s, want 10 for $0.03", requests, cost)
		}
		checkCredits(t, p, 9)
	}, program(t, "map", vendor{name: "serper", start: func(t *testing.T) ([]string, *providertest.Fake) {
		flags, fake := serperVendor.start(t)
		return append(flags, "--serper-budget=0.03"), fake
	}}))
}

// checkCredits wants so many credits of the month to be spent.
func checkCredits(t *testing.T, p *apptest.Program, want int64) {
	t.Helper()
	used, err := p.Accounts.Usage(t.Context(), p.DB, p.Owner.ID, account.Credits)
	if err != nil || used.Used != want {
		t.Errorf("%d credits are spent, want %d: %v", used.Used, want, err)
	}
}

// A process dies while its searches wait at the vendor, and once right after the vendor has taken them: another one finds them again.
func TestQueueModeAcrossARestart(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprintf("lost=%v", lost), func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				fake := providertest.NewDataForSEO(t)
				setup := program(t, "map", vendor{name: "dataforseo", start: func(t *testing.T) ([]string, *providertest.Fake) {
					flags, _ := queueVendor.start(t)
					return append(flags, "--dataforseo-url="+fake.URL), fake.Fake
				}})
				start := func(email string) (*apptest.Program, func()) {
					p := apptest.Start(t, d, setup, func(s *apptest.Setup) { s.NoWorker, s.Email = true, email })
					stop, err := p.Work(context.Background())
					if err != nil {
						t.Fatal(err)
					}
					return p, stop
				}
				p, stop := start("a@trigpoint.example")
				id := p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: map[string]any{
					"placeId": fake.Market[2].PlaceID, "keywords": []string{"pizza", "italian"}, "gridSettings": map[string]any{"template": "3x3"},
				}}).Want(t, 200).Text("data.id")
				if lost {
					fake.Next(fake.Lost(), fake.Lost())
				}
				p.Do(t, apptest.Call{Method: "PUT", Path: maprank.Prefix + "/campaigns/" + id + "/collect"}).Want(t, 200)
				p.Eventually(t, apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns/" + id}, func(*apptest.Answer) bool { return len(fake.Posted()) == 18 })
				stop()
				fake.Finish()
				_, stop = start("b@trigpoint.example")
				t.Cleanup(stop)
				if campaign := ended(t, p, id); campaign.Text("data.status") != "COLLECTED" || campaign.Text("data.statusDetail") != "" {
					t.Fatalf("the report is %s: %s", campaign.Text("data.status"), campaign.Text("data.statusDetail"))
				}
				for _, tag := range fake.Posted() {
					if n := fake.Posts(tag); n != 1 {
						t.Errorf("task %s was posted %d times", tag, n)
					}
				}
				if n := len(fake.Posted()); n != 18 {
					t.Errorf("%d tasks were posted, want 18", n)
				}
				if left := fake.Unfetched(); len(left) != 0 {
					t.Errorf("%v tasks are paid and lost", left)
				}
				if _, cost := spent(t, p, "dataforseo", ""); cost != fake.Spent() {
					t.Errorf("%s is recorded, and %s was spent", cost, fake.Spent())
				}
			})
		})
	}
}

// A budget stops what is posted, and what was paid by then is still fetched.
func TestABudgetInQueueMode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		fake := providertest.NewDataForSEO(t)
		fake.Instant = true
		p := apptest.Start(t, d, program(t, "map", vendor{name: "dataforseo", start: func(t *testing.T) ([]string, *providertest.Fake) {
			flags, _ := queueVendor.start(t)
			return append(flags, "--dataforseo-url="+fake.URL, "--dataforseo-budget=0.0115"), fake.Fake // a look-up and ten searches
		}}))
		_, campaign := collected(t, p, fake.Market[2].PlaceID)
		if detail := campaign.Text("data.statusDetail"); !strings.Contains(detail, "8 of 18 searches failed") || !strings.Contains(detail, "TRIGPOINT_DATAFORSEO_BUDGET") {
			t.Errorf("the report says %q", detail)
		}
		if n, left := len(fake.Posted()), fake.Unfetched(); n != 10 || len(left) != 0 {
			t.Errorf("%d tasks were posted, want 10; paid and lost: %v", n, left)
		}
		if spent := fake.Spent(); spent > provider.USD(0.0115) {
			t.Errorf("%s is spent", spent)
		}
		checkCredits(t, p, 10)
	})
}
