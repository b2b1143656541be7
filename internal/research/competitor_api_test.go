package research_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestCompetitorKeywords(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		keep(t, p, p.Owner.ID, decatur, start.Add(-time.Hour), map[string]provider.WebPage{"old": organic("https://site.example/")})
		keep(t, p, p.Owner.ID, decatur, start, map[string]provider.WebPage{
			"old":   organic("https://other.example/"), // it has fallen out since
			"pizza": organic("https://other.example/", "https://site.example/menu/pizza"),
			"pasta": organic("https://blog.site.example/pasta"),
		})
		keep(t, p, p.Owner.ID, london, start, map[string]provider.WebPage{"pie": organic("https://notsite.example/", "https://x.example/", "https://www.site.example/pie"), "pizza": organic("https://site.example/")})
		table(t, p, nil, "?location_id=4191124", "text/csv", "Keyword,Avg. monthly searches\npizza,100\n").Want(t, 200)

		list := func(url string, locationID int) string {
			a := get(t, p, "/keywordtool/competitor-keywords", "url", url, "location_id", fmt.Sprint(locationID)).Want(t, 200)
			b := post(t, p, "/keywordtool/competitor-keywords", map[string]any{"url": url, "location_id": locationID}).Want(t, 200)
			if string(a.Raw) != string(b.Raw) {
				t.Errorf("GET and POST differ:\n%s%s", a.Raw, b.Raw)
			}
			var all []string
			for i, kw := range texts(t, a, "keywords", "kw") {
				all = append(all, kw+" "+texts(t, a, "keywords", "position")[i])
			}
			return fmt.Sprint(a.Text("url_type"), " ", all, " ", a.At("totalCount"), "/", a.At("originalItemsCount"))
		}
		for _, test := range []struct {
			url      string
			location int
			want     string
		}{
			{"site.example", decatur, "RootDomain [pasta 1 pizza 2] 2/2"},
			{"https://www.site.example/", georgia, "RootDomain [pasta 1 pizza 2] 2/2"},
			{"site.example", usa, "RootDomain [pasta 1 pizza 2] 2/2"},
			{"site.example", london, "RootDomain [pizza 1 pie 3] 2/2"},
			{"site.example", 0, "RootDomain [pasta 1 pizza 1 pie 3] 3/3"},
			{"blog.site.example", 0, "SubDomain [pasta 1] 1/3"},
			{"site.example/menu", 0, "URL [pizza 2] 1/3"},
			{"site.example/men", 0, "URL [] 0/3"},
			{"nobody.example", 0, "RootDomain [] 0/0"},
		} {
			if got := list(test.url, test.location); got != test.want {
				t.Errorf("%s in %d: %s, want %s", test.url, test.location, got, test.want)
			}
		}
		here := get(t, p, "/keywordtool/competitor-keywords", "url", "site.example", "location_id", fmt.Sprint(usa)).Want(t, 200)
		if here.At("keywords.1.sv") != 100.0 || here.At("keywords.1.lid") != float64(decatur) || here.At("keywords.0.sv") != nil {
			t.Errorf("figures of the place: %s", here.Raw)
		}
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "pro")
		for _, path := range []string{"/keywordtool/competitor-keywords", "/keywordtool/suggested-keywords"} {
			if a := p.Do(t, apptest.Call{Method: "GET", Path: address(path, "url", "site.example"), As: &stranger}).Want(t, 200); a.At("totalCount") != 0.0 {
				t.Errorf("a stranger sees what the owner searched: %s", a.Raw)
			}
		}
		wantErrors(t, post(t, p, "/keywordtool/competitor-keywords", map[string]any{"url": 5, "location_id": 77, "page": -1}).Want(t, 422), "url must be a string", "77 is unknown", "page must be")
		wantErrors(t, p.Do(t, apptest.Call{Method: "POST", Path: base + "/keywordtool/competitor-keywords"}).Want(t, 422), "url")
		wantErrors(t, p.Do(t, apptest.Call{
			Method: "POST", Path: address("/keywordtool/competitor-keywords", "page", "x"), Body: map[string]any{"url": "co.uk", "location_id": 77},
		}).Want(t, 422), "page", "url", "77 is unknown")
		p.Do(t, apptest.Call{Method: "POST", Path: address("/keywordtool/competitor-keywords", "url", "site.example")}).Want(t, 200)
		post(t, p, "/keywordtool/competitor-keywords", "{").Want(t, 400)
	})
}

func TestPagesOfKeywords(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		pages := map[string]provider.WebPage{}
		for i := range 250 {
			pages[fmt.Sprintf("keyword %03d", i)] = organic("https://site.example/", "https://rival.example/")
		}
		keep(t, p, p.Owner.ID, decatur, start, pages)
		var seen []string
		for page, size := range []int{100, 100, 50, 0} {
			a := get(t, p, "/keywordtool/competitor-keywords", "url", "site.example", "page", fmt.Sprint(page)).Want(t, 200)
			if a.Len("keywords") != size || a.At("totalCount") != 250.0 || a.At("page") != float64(page) || a.At("resultsSize") != 100.0 || a.At("isAllowedPagination") != true {
				t.Errorf("page %d: %d of %v", page, a.Len("keywords"), a.At("totalCount"))
			}
			seen = append(seen, texts(t, a, "keywords", "kw")...)
		}
		for i, kw := range seen {
			if kw != fmt.Sprintf("keyword %03d", i) {
				t.Fatalf("keyword %d is %s", i, kw)
			}
		}
		gap := post(t, p, "/keywordtool/gap-analysis", map[string]any{"domain": "new.example", "competitors": []string{"rival.example"}, "page": 3}).Want(t, 200)
		if gap.Len("results.0.keywords") != 50 || gap.At("results.0.totalCount") != 250.0 || gap.At("page") != 3.0 {
			t.Errorf("%s", gap.Raw)
		}
	})
}

func TestGapAnalysisAndRivals(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		keep(t, p, p.Owner.ID, decatur, start, map[string]provider.WebPage{
			"both":       organic("https://mine.example/", "https://a.example/", "https://b.example/"),
			"both again": organic("https://a.example/x", "https://www.mine.example/"),
			"only a":     organic("https://z.example/", "https://shop.a.example/"),
			"only b":     organic("https://b.example/"),
			"none":       organic("https://z.example/"),
		})
		a := post(t, p, "/keywordtool/gap-analysis", map[string]any{"domain": "https://mine.example", "competitors": []string{"b.example", "a.example", "nobody.example"}, "location_id": usa}).Want(t, 200)
		if a.Text("mode") != "domains" || strings.Join(texts(t, a, "results", "domain"), " ") != "b.example a.example nobody.example" {
			t.Errorf("%s", a.Raw)
		}
		for path, want := range map[string]any{
			"0.totalCount": 1.0, "0.originalItemsCount": 2.0, "0.keywords.0.kw": "only b", "0.keywords.0.position": 1.0,
			"1.totalCount": 1.0, "1.originalItemsCount": 3.0, "1.keywords.0.kw": "only a", "1.keywords.0.position": 2.0, "2.totalCount": 0.0,
		} {
			if got := a.At("results." + path); got != want {
				t.Errorf("%s is %v, want %v", path, got, want)
			}
		}
		if a.Len("results.2.keywords") != 0 {
			t.Errorf("%s", a.Raw)
		}
		rivals := get(t, p, "/keywordtool/competitor-domain", "url", "mine.example", "location_id", fmt.Sprint(usa)).Want(t, 200)
		if got := strings.TrimSpace(string(rivals.Raw)); got != `["a.example","b.example"]` {
			t.Errorf("rivals %s", got)
		}
		suggested := get(t, p, "/keywordtool/suggested-keywords", "url", "mine.example").Want(t, 200)
		got := texts(t, suggested, "keywords", "kw")
		if len(got) != 4 || got[0] != "both" || strings.Contains(strings.Join(got, ","), "none") || suggested.At("keywords.3.position") != nil || suggested.At("keywords.0.position") != 1.0 {
			t.Errorf("suggested %v", got)
		}
		for _, body := range []string{"[", `{"domain":`} {
			if a := post(t, p, "/keywordtool/gap-analysis", body).Want(t, 400); len(errorsOf(a)) != 1 {
				t.Errorf("a body that is not JSON has other problems too: %s", a.Raw)
			}
		}
		wantErrors(t, post(t, p, "/keywordtool/gap-analysis", map[string]any{"location_id": 77}).Want(t, 422), "domain", "competitors", "77 is unknown")
		wantErrors(t, post(t, p, "/keywordtool/gap-analysis", map[string]any{"domain": "a.example", "competitors": []string{"A.example", "co.uk", "b.example", "www.b.example"}, "page": "x"}).Want(t, 422),
			"competitors[0]", "competitors[1]", "competitors[3]", "page")
		wantErrors(t, post(t, p, "/keywordtool/gap-analysis", map[string]any{"domain": "a.example", "competitors": []string{"1.example", "2.example", "3.example", "4.example", "5.example", "6.example"}}).Want(t, 422), "1 to 5")
	})
}

// A site that ranks for nothing yet is judged by the words of its address.
func TestSuggestionsForANewSite(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		table(t, p, nil, "", "text/csv", "Keyword,Avg. monthly searches\npizza delivery,100\nshoes,10\n").Want(t, 200)
		a := get(t, p, "/keywordtool/suggested-keywords", "url", "joes-pizza.example/delivery").Want(t, 200)
		if a.At("totalCount") != 1.0 || a.Text("keywords.0.kw") != "pizza delivery" || a.At("keywords.0.position") != nil || a.At("keywords.0.sv") != 100.0 {
			t.Errorf("%s", a.Raw)
		}
	})
}
