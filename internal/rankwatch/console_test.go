package rankwatch_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/connection"
	"github.com/trigpoint/trigpoint/internal/connection/connectiontest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider/searchconsole/searchconsoletest"
)

const (
	consoleScope = "https://www.googleapis.com/auth/webmasters.readonly"
	property     = "sc-domain:site.com"
)

// site is the world with a fake Google Search Console. It is 10 March; figures are final up to the 7th.
type site struct {
	*world
	google  *connectiontest.Google
	console *searchconsoletest.Console
	path    string // of the tracking's Search Console
}

func eachSite(t *testing.T, test func(t *testing.T, s *site)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &site{google: connectiontest.Start(t)}
		s.console = searchconsoletest.Start(t, func(r *http.Request) bool { return s.google.Admits(r, consoleScope) })
		s.console.AddSite("https://www.site.com/", "siteRestrictedUser")
		s.console.AddSite(property, "siteOwner")
		s.console.AddSite("sc-domain:other.com", "siteFullUser")
		s.console.AddSite("https://shop.site.com/", "siteUnverifiedUser")
		s.console.IncompleteFrom("2026-03-08")
		s.world = start(t, d, s.configure)
		s.engine.set(map[string]int{"pizza decatur": 7})
		tracking, _ := s.track(t, "pizza decatur", "pasta")
		s.path = tracking + "/search-console"
		test(t, s)
		s.wantNoSecrets(t)
	})
}

func (s *site) configure(setup *apptest.Setup) {
	s.google.Configure(&setup.Config)
	setup.Config.SearchConsoleURL = s.console.URL
}

func (s *site) connect(t *testing.T) {
	t.Helper()
	credential, err := connection.NewRefreshToken(s.google.Grant(consoleScope))
	if err == nil {
		_, err = s.Connections.Connect(t.Context(), s.Owner.ID, connection.SearchConsole, credential)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (s *site) link(t *testing.T) {
	t.Helper()
	s.Do(t, apptest.Call{Method: "PUT", Path: s.path, Body: map[string]any{"site_url": property}}).Want(t, 200)
}

// fetched waits until so many days are kept and nothing more is to be fetched.
func (s *site) fetched(t *testing.T, days int) *apptest.Answer {
	t.Helper()
	return s.Eventually(t, apptest.Call{Method: "GET", Path: s.path}, func(a *apptest.Answer) bool {
		return a.At("days") == float64(days) && a.At("fetched_at") == float64(s.clock.Now().Unix())
	})
}

// failed waits until the fetch says why it failed.
func (s *site) failed(t *testing.T, words string) {
	t.Helper()
	s.Eventually(t, apptest.Call{Method: "GET", Path: s.path}, func(a *apptest.Answer) bool { return strings.Contains(a.Text("error"), words) })
}

func found(date, query, page, country, device string, clicks, impressions, position float64) searchconsoletest.Row {
	return searchconsoletest.Row{Date: date, Query: query, Page: "https://site.com" + page, Country: country, Device: device, Clicks: clicks, Impressions: impressions, Position: position}
}

func (s *site) wantNoSecrets(t *testing.T) {
	t.Helper()
	rows, err := db.All(t.Context(), s.DB, db.Value[string], "SELECT site_url || error FROM console_properties")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, hidden := range s.google.Secrets() {
			if strings.Contains(row, hidden) {
				t.Errorf("%q shows the secret %s", row, hidden)
			}
		}
	}
}

func TestPropertyIsChosenAmongThoseOfTheUser(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		refused := s.get(t, s.path+"/properties").Want(t, 424)
		if !strings.Contains(refused.Text("error.message"), "trigpoint google connect --service search-console") {
			t.Errorf("not connected: %s", refused.Raw)
		}
		if status := s.get(t, s.path).Want(t, 200); status.At("linked") != false {
			t.Errorf("before: %s", status.Raw)
		}
		s.connect(t)
		listed := s.get(t, s.path+"/properties").Want(t, 200)
		if listed.Text("0.site_url") != property || listed.At("0.suggested") != true || listed.Text("1.site_url") != "https://www.site.com/" || listed.At("1.suggested") != false {
			t.Errorf("listed %s", listed.Raw)
		}
		for bad, words := range map[string]string{
			"sc-domain:SITE.com": "such as " + property, "https://shop.site.com/": "verify the property", "": "must be the name", strings.Repeat("x", 3000): "must be the name",
		} {
			refused := s.Do(t, apptest.Call{Method: "PUT", Path: s.path, Body: map[string]any{"site_url": bad}}).Want(t, 422)
			if !strings.Contains(string(refused.Raw), words) {
				t.Errorf("%.30q: %s", bad, refused.Raw)
			}
		}
		s.Do(t, apptest.Call{Method: "PUT", Path: s.path, Body: map[string]any{"site_url": property, "since": "2026-04-01"}}).Want(t, 422)
		s.get(t, s.path+"/queries").Want(t, 404)
		other := s.NewAccount(t, "other@trigpoint.example", "pro")
		for _, call := range []apptest.Call{
			{Method: "GET", Path: s.path},
			{Method: "GET", Path: s.path + "/properties"},
			{Method: "GET", Path: s.path + "/queries"},
			{Method: "GET", Path: s.path + "/proposals"},
			{Method: "GET", Path: s.path + "/history?query=x"},
			{Method: "DELETE", Path: s.path},
			{Method: "PUT", Path: s.path, Body: map[string]any{"site_url": property}},
		} {
			call.As = &other
			s.Do(t, call).Want(t, 404)
		}
	})
}

func TestDaysAreFetchedOnceAndGapsAreFilled(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		s.connect(t)
		for _, date := range []string{"2024-10-01", "2025-01-15", "2026-03-01", "2026-03-04", "2026-03-07", "2026-03-08", "2026-03-09"} {
			s.console.Add(property, found(date, "pizza decatur", "/", "usa", "MOBILE", 1, 10, 4))
		}
		s.link(t)
		status := s.fetched(t, 4)
		if status.Text("first_day") != "2025-01-15" || status.Text("last_day") != "2026-03-07" || status.Text("error") != "" {
			t.Errorf("after the link: %s", status.Raw)
		}
		if asked := s.console.Asked(); len(asked) != 8 || !strings.HasPrefix(asked[0], "2026-03-07/") || !strings.HasPrefix(asked[7], "2025-01-15/") {
			t.Errorf("days are not asked for newest first: %v", asked)
		}
		// The service was down for a week; a day that had no figures has some now.
		s.console.IncompleteFrom("2026-03-15")
		s.console.Add(property, found("2026-03-03", "pasta", "/", "usa", "MOBILE", 0, 5, 9), found("2026-03-12", "pasta", "/", "usa", "MOBILE", 0, 5, 9), found("2026-03-15", "pasta", "/", "usa", "MOBILE", 0, 5, 9))
		s.clock.Advance(7 * 24 * time.Hour)
		if status := s.fetched(t, 8); status.Text("last_day") != "2026-03-12" {
			t.Errorf("after a week: %s", status.Raw)
		}
		asked := s.console.Asked()
		slices.Sort(asked)
		if len(asked) != 16 || len(slices.Compact(asked)) != 16 {
			t.Errorf("a day was asked for twice: %v", asked)
		}
		// Where Google does not tell which days are final, the last three are not.
		s.console.IncompleteFrom("")
		s.clock.Advance(24 * time.Hour)
		if status := s.fetched(t, 9); status.Text("last_day") != "2026-03-15" {
			t.Errorf("where nothing is told: %s", status.Raw)
		}
	})
}

func TestTwoProcessesFetchADayOnce(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		start(t, s.DB, s.configure, func(setup *apptest.Setup) {
			setup.Email, setup.Options.Clock = "second@trigpoint.example", s.clock
		})
		s.connect(t)
		for day := range 28 {
			s.console.Add(property, found(fmt.Sprintf("2026-02-%02d", day+1), "pizza decatur", "/", "usa", "MOBILE", 1, 10, 4))
		}
		s.link(t)
		s.link(t) // which wakes them again
		s.fetched(t, 28)
		asked := s.console.Asked()
		slices.Sort(asked)
		if len(asked) != 56 || len(slices.Compact(asked)) != 56 {
			t.Errorf("%d questions for 28 days: %v", len(asked), asked)
		}
	})
}

// A process that died while it fetched leaves a claim; the days that it had not kept are fetched when that has ended.
func TestClaimOfADeadProcessEnds(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		s.connect(t)
		s.console.Add(property, found("2026-03-05", "pizza decatur", "/", "usa", "MOBILE", 1, 10, 4))
		s.link(t)
		s.fetched(t, 1)
		err := s.DB.Tx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(t.Context(), "UPDATE console_properties SET next_fetch_at = 0, fetched_at = NULL, claimed_until = $1", db.Micros(s.clock.Now().Add(15*time.Minute)))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		s.console.Add(property, found("2026-03-06", "pizza decatur", "/", "usa", "MOBILE", 1, 10, 4))
		s.clock.Advance(15 * time.Minute)
		s.fetched(t, 2)
	})
}

func TestQueriesAddUp(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		s.connect(t)
		s.console.Add(property,
			found("2026-03-05", "pizza decatur", "/", "usa", "MOBILE", 3, 30, 2),
			found("2026-03-05", "pizza decatur", "/menu", "usa", "DESKTOP", 0, 10, 6),
			found("2026-03-06", "pizza decatur", "/", "can", "MOBILE", 1, 20, 5),
			found("2026-03-06", "best pizza", "/", "usa", "MOBILE", 9, 18, 1),
			found("2026-03-06", "deep dish", "/", "usa", "MOBILE", 0, 90, 30),
			found("2026-03-06", strings.Repeat("long ", 20), "/", "usa", "MOBILE", 5, 5, 1),
			found("2026-02-01", "winter", "/", "usa", "MOBILE", 50, 50, 1),
		)
		s.link(t)
		s.fetched(t, 3)
		all := s.get(t, s.path+"/queries").Want(t, 200)
		if all.At("totalCount") != 4.0 || all.Text("queries.0.query") != "best pizza" || all.Text("queries.2.query") != "pizza decatur" {
			t.Fatalf("all: %s", all.Raw)
		}
		if all.At("queries.2.impressions") != 60.0 || all.At("queries.2.position") != (30*2+10*6+20*5)/60.0 || all.At("queries.2.clicks") != 4.0 || all.Text("queries.2.tracked_keyword_id") == "" || all.At("queries.0.tracked_keyword_id") != nil {
			t.Errorf("pizza decatur: %s", all.Raw)
		}
		for query, want := range map[string]string{
			"sort=position&size=1":                          "best pizza 18",
			"sort=impressions":                              "deep dish 90",
			"sort=clicks&order=asc":                         "deep dish 90",
			"sort=query&page=3&size=1":                      "pizza decatur 60",
			"country=CAN":                                   "pizza decatur 20",
			"device=desktop":                                "pizza decatur 10",
			"page_url=https%3A%2F%2Fsite.com%2Fmenu":        "pizza decatur 10",
			"from=2026-03-05&to=2026-03-05":                 "pizza decatur 40",
			"from=2026-02-01&to=2026-02-01&sort=ctr&size=5": "winter 50",
		} {
			got := s.get(t, s.path+"/queries?"+query).Want(t, 200)
			if text := fmt.Sprint(got.Text("queries.0.query"), " ", got.At("queries.0.impressions")); text != want {
				t.Errorf("%s: %s, want %s", query, text, want)
			}
		}
		if none := s.get(t, s.path+"/queries?country=fra").Want(t, 200); none.Len("queries") != 0 {
			t.Errorf("France: %s", none.Raw)
		}
		bad := s.get(t, s.path+"/queries?device=watch&country=us&from=x").Want(t, 422)
		if bad.Len("error.errors") != 3 {
			t.Errorf("not all problems are told: %s", bad.Raw)
		}
		proposed := s.get(t, s.path+"/proposals").Want(t, 200)
		if proposed.At("totalCount") != 2.0 || proposed.Text("queries.0.query") != "best pizza" || proposed.Text("queries.1.query") != "deep dish" {
			t.Errorf("proposed %s", proposed.Raw)
		}
		s.post(t, strings.TrimSuffix(s.path, "/search-console")+"/tracked-keywords", map[string]any{"keywords": []string{"Best Pizza"}}).Want(t, 201)
		if proposed := s.get(t, s.path+"/proposals").Want(t, 200); proposed.Text("queries.0.query") != "deep dish" {
			t.Errorf("proposed after best pizza is tracked: %s", proposed.Raw)
		}
	})
}

func TestQueryStandsBesideItsCheckedRanks(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		s.connect(t)
		s.checked(t, strings.TrimSuffix(s.path, "/search-console"))
		s.console.Add(property, found("2026-03-07", "pizza decatur", "/", "usa", "MOBILE", 3, 30, 8.5), found("2026-03-10", "pizza decatur", "/", "usa", "MOBILE", 1, 10, 8))
		s.link(t)
		s.fetched(t, 1)
		s.console.IncompleteFrom("2026-03-14")
		s.clock.Advance(7 * 24 * time.Hour)
		s.fetched(t, 2)
		call := apptest.Call{Method: "GET", Path: s.path + "/history?from=2026-03-06&to=2026-03-11&query=" + url.QueryEscape("Pizza Decatur")}
		history := s.Do(t, call).Want(t, 200)
		if history.Len("days") != 6 || history.Text("tracked_keyword_id") == "" {
			t.Fatalf("%s", history.Raw)
		}
		for path, want := range map[string]any{
			"days.0.is_fetched": false, "days.0.position": nil, "days.1.position": 8.5, "days.1.rank": nil, "days.1.is_checked": false,
			"days.4.date": "2026-03-10", "days.4.position": 8.0, "days.4.clicks": 1.0, "days.4.rank": 7.0, "days.4.is_checked": true,
		} {
			if got := history.At(path); got != want {
				t.Errorf("%s is %v, want %v", path, got, want)
			}
		}
		s.get(t, s.path+"/history?query=%20").Want(t, 422)
		untracked := s.get(t, s.path+"/history?query=nothing").Want(t, 200)
		if untracked.At("tracked_keyword_id") != nil || untracked.At("days.0.rank") != nil {
			t.Errorf("untracked: %s", untracked.Raw)
		}
		s.get(t, s.path+"/history").Want(t, 422)
	})
}

func TestFetchSurvivesWhatGoogleDoes(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		s.connect(t)
		s.console.Add(property, found("2026-03-05", "pizza decatur", "/", "usa", "MOBILE", 3, 30, 2), found("2026-03-06", "pizza decatur", "/", "usa", "MOBILE", 3, 30, 2))
		s.link(t)
		s.fetched(t, 2)
		// An access token that ends before its time is renewed.
		s.google.EndAccess()
		s.console.Add(property, found("2026-03-07", "pizza decatur", "/", "usa", "MOBILE", 3, 30, 2))
		s.clock.Advance(24 * time.Hour)
		s.fetched(t, 3)
		// One day is answered wrongly: nothing of it is kept, and it is fetched later.
		s.console.Add(property, found("2026-03-04", "pasta", "/", "usa", "MOBILE", 3, 30, 2))
		s.console.Fail(searchconsoletest.Failure{Status: 403, Body: `{"error":{"message":"User does not have sufficient permission"}}`})
		s.clock.Advance(24 * time.Hour)
		s.failed(t, "no access to the property")
		s.clock.Advance(24 * time.Hour)
		s.fetched(t, 4)
		// The user has removed the application; connecting again mends it.
		s.google.RevokeAll()
		s.clock.Advance(24 * time.Hour)
		s.failed(t, "has ended: Token has been expired or revoked.")
		s.connect(t)
		s.clock.Advance(24 * time.Hour)
		s.fetched(t, 4)
	})
}

func TestTrackingsShareAPropertyUntilTheLastIsUnlinked(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		s.connect(t)
		s.console.Add(property, found("2026-03-05", "pizza decatur", "/", "usa", "MOBILE", 3, 30, 2))
		s.link(t)
		s.fetched(t, 1)
		second := s.post(t, trackings, map[string]any{"domain": "site.com/menu", "location_id": 0, "platform_id": 1, "keywords": []string{"menu"}}).Want(t, 201)
		other := *s
		other.path = trackings + "/" + second.Text("tracking._id") + "/search-console"
		other.link(t)
		other.fetched(t, 1)
		if asked := s.console.Asked(); len(asked) != 2 {
			t.Errorf("the property was fetched twice: %v", asked)
		}
		s.Do(t, apptest.Call{Method: "DELETE", Path: s.path}).Want(t, 204)
		s.get(t, s.path+"/queries").Want(t, 404)
		if left := s.get(t, other.path+"/queries").Want(t, 200); left.Len("queries") != 1 {
			t.Errorf("the other lost it: %s", left.Raw)
		}
		other.Do(t, apptest.Call{Method: "DELETE", Path: other.path}).Want(t, 204)
		other.Do(t, apptest.Call{Method: "DELETE", Path: other.path}).Want(t, 204)
		s.wantNoDays(t)
	})
}

func TestDeletedAccountLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		s.connect(t)
		s.console.Add(property, found("2026-03-05", "pizza decatur", "/", "usa", "MOBILE", 3, 30, 2))
		s.link(t)
		s.fetched(t, 1)
		if err := s.DeleteAccount(t.Context(), s.Owner.ID); err != nil {
			t.Fatal(err)
		}
		s.wantNoDays(t)
		if live := s.google.Live(); len(live) != 0 {
			t.Errorf("at Google these tokens still work: %v", live)
		}
	})
}

func (s *site) wantNoDays(t *testing.T) {
	t.Helper()
	kept, err := db.One(t.Context(), s.DB, db.Value[int], "SELECT count(*) FROM console_days")
	if err != nil || kept != 0 {
		t.Errorf("%d days are still kept, %v", kept, err)
	}
}
