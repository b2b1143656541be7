package research_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/serp"
)

const (
	base    = research.Prefix
	decatur = 4191124 // in Georgia
	georgia = 4197000
	usa     = 6252001
	london  = 2643743
)

var start = time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)

// organic makes a page of plain results.
func organic(urls ...string) provider.WebPage {
	page := provider.WebPage{Pages: 1}
	for i, u := range urls {
		page.Items = append(page.Items, provider.WebItem{Type: provider.Organic, Rank: i + 1, URL: u, Title: "Result " + u, Description: "About " + u, Domain: hostOf(u)})
	}
	return page
}

func hostOf(u string) string {
	parsed, err := url.Parse(u)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(parsed.Hostname(), "www.")
}

// scripted answers every search with the same page.
func scripted(page provider.WebPage) *providertest.Scripted {
	return &providertest.Scripted{Web: func(context.Context, provider.WebQuery) (provider.WebPage, error) { return page, nil }}
}

// with starts the program on a provider and a clock.
func with(web *providertest.Scripted, now *clock.Fake) func(*apptest.Setup) {
	return func(s *apptest.Setup) {
		s.Options.Web = web
		if now != nil {
			s.Options.Clock = now
		}
	}
}

// programs gives each program of a test a provider and a clock of its own, and finds the provider again.
type programs[W app.WebProvider] struct {
	make    func() W
	byClock sync.Map
}

func fleet[W app.WebProvider](make func() W) *programs[W] { return &programs[W]{make: make} }

func (f *programs[W]) setup(s *apptest.Setup) {
	web, now := f.make(), clock.NewFake(start)
	s.Options.Web, s.Options.Clock = web, now
	f.byClock.Store(now, web)
}

func (f *programs[W]) of(p *apptest.Program) W {
	web, _ := f.byClock.Load(p.Clock)
	return web.(W)
}

func get(t testing.TB, p *apptest.Program, path string, query ...string) *apptest.Answer {
	t.Helper()
	return p.Do(t, apptest.Call{Method: "GET", Path: address(path, query...)})
}

func address(path string, query ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		values.Add(query[i], query[i+1])
	}
	if len(values) == 0 {
		return base + path
	}
	return base + path + "?" + values.Encode()
}

// keep stores result pages of the owner as if they had been fetched.
func keep(t testing.TB, p *apptest.Program, accountID string, locationID int, at time.Time, pages map[string]provider.WebPage) {
	t.Helper()
	var packed []serp.Packed
	for kw, page := range pages {
		one, err := p.Serps.Pack(serp.Fetched{Key: serp.Key{AccountID: accountID, Keyword: kw, LocationID: locationID, PlatformID: serp.Desktop}, At: at, Page: page, Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		packed = append(packed, one)
	}
	if err := p.DB.Tx(t.Context(), func(tx *db.Tx) error { return p.Serps.Keep(t.Context(), tx, packed) }); err != nil {
		t.Fatal(err)
	}
}

func importDomains(t testing.TB, p *apptest.Program, source, list string) {
	t.Helper()
	if _, err := p.Research.ImportDomains(t.Context(), strings.NewReader(list), source, nil, func(line int, reason string) { t.Errorf("line %d: %s", line, reason) }); err != nil {
		t.Fatal(err)
	}
}

// errorsOf lists what an answer of area C says is wrong.
func errorsOf(a *apptest.Answer) []string {
	list, _ := a.At("error.errors").([]any)
	var all []string
	for _, one := range list {
		all = append(all, one.(string))
	}
	return all
}

// wantErrors checks that each problem is named, and no other.
func wantErrors(t testing.TB, a *apptest.Answer, parts ...string) {
	t.Helper()
	got := errorsOf(a)
	for _, part := range parts {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(strings.ToLower(s), part) }) {
			t.Errorf("no problem names %q: %q", part, got)
		}
	}
	if len(got) != len(parts) {
		t.Errorf("%d problems, want %d: %q", len(got), len(parts), got)
	}
	if a.Text("error.type") != "ValidationError" {
		t.Errorf("type %q", a.Text("error.type"))
	}
}

func rows(t testing.TB, p *apptest.Program, table string) int64 {
	t.Helper()
	n, err := db.One(t.Context(), p.DB, db.Value[int64], "SELECT count(*) FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEveryOperationNeedsAKey(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for _, path := range []string{
			"/keywordtool/related-keywords", "/keywordtool/suggested-keywords", "/keywordtool/competitor-keywords", "/keywordtool/competitor-domain",
			"/serpcheck/serps", "/serpcheck/serps/0123/snapshot", "/serpcheck/url-metrics", "/shared/locations",
		} {
			a := p.Do(t, apptest.Call{Method: "GET", Path: base + path, Header: http.Header{"X-Access-Token": {"tpk_wrong"}}}).Want(t, 401)
			if a.Text("error.type") != "AuthError" || a.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: %s %v", path, a.Raw, a.Header)
			}
		}
		for _, path := range []string{"/keywordtool/keyword-imports", "/keywordtool/gap-analysis", "/keywordtool/competitor-keywords"} {
			p.Do(t, apptest.Call{Method: "POST", Path: base + path, Body: map[string]any{}, Header: http.Header{"X-Access-Token": {""}}}).Want(t, 401)
		}
	})
}

func TestLocations(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		found := get(t, p, "/shared/locations", "query", "London").Want(t, 200)
		if found.At("0._id") != float64(london) || found.Text("0.country_code") != "GB" || found.Text("0.code") != "gb" || found.At("0.type") != 3.0 || found.Text("0.target_type") != "City" || found.At("0.parent_id") == nil || found.Text("0.google_domain") != "google.co.uk" {
			t.Errorf("London finds %v first", found.At("0"))
		}
		if a := get(t, p, "/shared/locations", "query", "sao pau").Want(t, 200); !strings.HasPrefix(a.Text("0.name"), "São Paulo") {
			t.Errorf("sao pau finds %v", a.At("0"))
		}
		if a := get(t, p, "/shared/locations", "query", "san").Want(t, 200); a.Len("") > 100 {
			t.Errorf("%d places", a.Len(""))
		}
		if a := get(t, p, "/shared/locations", "query", "xyzzyplugh").Want(t, 200); string(a.Raw) != "[]\n" {
			t.Errorf("nothing found is %s", a.Raw)
		}
		wantErrors(t, get(t, p, "/shared/locations", "query", "L").Want(t, 422), "2 to 100")
		wantErrors(t, get(t, p, "/shared/locations").Want(t, 422), "query")
		get(t, p, "/shared/locations", "query", strings.Repeat("x", 5000)).Want(t, 422)
		get(t, p, "/shared/locations", "query", "a\xffb").Want(t, 422)
	})
}

// Existing clients send the country ids of the advertising world.
func TestAdvertisingCountriesAreUnderstood(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		first := get(t, p, "/serpcheck/serps", "kw", "pizza", "location_id", "2840").Want(t, 200)
		same := get(t, p, "/serpcheck/serps", "kw", "pizza", "location_id", "6252001").Want(t, 200)
		if first.At("location_id") != float64(usa) || first.Text("location.label") != "United States" || first.Text("location.code") != "us" || same.Text("_id") != first.Text("_id") {
			t.Errorf("%s", first.Raw)
		}
		ranks := get(t, p, "/keywordtool/competitor-keywords", "url", "a.example", "location_id", "2840").Want(t, 200)
		if ranks.At("totalCount") != 1.0 || ranks.At("location._id") != float64(usa) {
			t.Errorf("%s", ranks.Raw)
		}
		tracking := map[string]any{"domain": "a.example", "location_id": 2840, "platform_id": 1, "keywords": []string{"pizza"}}
		if made := post(t, p, "/rankwatch/trackings", tracking).Want(t, 201); made.At("tracking.location._id") != float64(usa) {
			t.Errorf("%s", made.Raw)
		}
		tracking["location_id"] = usa
		post(t, p, "/rankwatch/trackings", tracking).Want(t, 409)
		get(t, p, "/serpcheck/serps", "kw", "pizza", "location_id", "2999").Want(t, 422)
	}, with(scripted(organic("https://a.example/")), nil))
}

func TestWrongQueriesNameEveryProblem(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for _, test := range []struct {
			path  string
			query []string
			wants []string
		}{
			{"/serpcheck/serps", nil, []string{"kw"}},
			{"/serpcheck/serps", []string{"kw", "pizza", "location_id", "77", "platform_id", "3"}, []string{"77 is unknown", "platform_id"}},
			{"/serpcheck/serps", []string{"kw", "   ", "location_id", "-1"}, []string{"not specified", "-1 is unknown"}},
			{"/serpcheck/serps", []string{"kw", strings.Repeat("a", 81)}, []string{"80 characters"}},
			{"/serpcheck/serps", []string{"kw", "1 2 3 4 5 6 7 8 9 10 11"}, []string{"10 words"}},
			{"/serpcheck/serps", []string{"kw", "a\x01b"}, []string{"not text"}},
			{"/serpcheck/serps", []string{"kw", "pizza", "location_id", "x"}, []string{"location_id"}},
			{"/keywordtool/related-keywords", []string{"location_id", "77", "language_id", "5"}, []string{"kw", "77 is unknown", "5 is unknown"}},
			{"/keywordtool/competitor-keywords", []string{"url", "not a domain", "location_id", "77", "page", "-1"}, []string{"spaces", "77 is unknown", "page"}},
			{"/keywordtool/suggested-keywords", []string{"page", "99999999"}, []string{"url", "page"}},
		} {
			wantErrors(t, get(t, p, test.path, test.query...).Want(t, 422), test.wants...)
		}
		for path, address := range map[string]string{
			"/keywordtool/competitor-keywords": "not a domain", "/keywordtool/suggested-keywords": strings.Repeat("x", 3000),
			"/keywordtool/competitor-domain": "co.uk", "/serpcheck/url-metrics": "http://127.0.0.1/",
		} {
			if a := get(t, p, path, "url", address).Want(t, 422); a.Text("error.type") != "InvalidInput" || len(errorsOf(a)) != 1 {
				t.Errorf("%s: %s", path, a.Raw)
			}
			if a := get(t, p, path).Want(t, 422); a.Text("error.type") != "ValidationError" || len(errorsOf(a)) != 1 {
				t.Errorf("%s without a url: %s", path, a.Raw)
			}
		}
		for _, path := range []string{"/keywordtool/gap-analysis", "/keywordtool/keyword-imports", "/keywordtool/competitor-keywords"} {
			a := p.Do(t, apptest.Call{Method: "POST", Path: base + path}).Want(t, 422)
			if a.Text("error.type") != "ValidationError" || len(errorsOf(a)) == 0 {
				t.Errorf("%s without a body: %s", path, a.Raw)
			}
		}
	}, with(scripted(organic()), nil))
}

func TestURLMetrics(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		keep(t, p, p.Owner.ID, decatur, start, map[string]provider.WebPage{
			"pizza": organic("https://a.example/", "https://shop.site.example/menu"), "pasta": organic("https://www.site.example/pasta"),
		})
		importDomains(t, p, "tranco", "10,site.example\n1000,other.example\n")
		importDomains(t, p, "commoncrawl", "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n100\t1e7\t5\t0.1\texample.site\t3\n")
		a := get(t, p, "/serpcheck/url-metrics", "url", "https://www.site.example").Want(t, 200)
		if a.Text("domain") != "site.example" || a.At("topRank") != 10.0 || a.At("m.tranco.v.rank") != 10.0 || a.At("m.commoncrawl.v.rank") != 100.0 ||
			a.At("m.seen.v.keywords") != 2.0 || a.At("m.seen.v.best_position") != 1.0 || a.At("m.seen.v.mean_position") != 1.5 {
			t.Errorf("%s", a.Raw)
		}
		if a := get(t, p, "/serpcheck/url-metrics", "url", "site.example/pasta").Want(t, 200); a.At("m.seen.v.keywords") != 1.0 {
			t.Errorf("a URL prefix has %s", a.Raw)
		}
		unknown := get(t, p, "/serpcheck/url-metrics", "url", "nobody.example").Want(t, 200)
		if unknown.At("topRank") != nil || fmt.Sprint(unknown.At("m")) != "map[]" {
			t.Errorf("nothing known is %s", unknown.Raw)
		}
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "pro")
		if a := p.Do(t, apptest.Call{Method: "GET", Path: address("/serpcheck/url-metrics", "url", "site.example"), As: &stranger}).Want(t, 200); a.At("m.seen") != nil {
			t.Errorf("a stranger sees what the owner searched: %s", a.Raw)
		}
	})
}
