package dataforseo_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestKeywordsAreLookedUpAThousandAtATime(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	var keywords []string
	for i := range 1500 {
		keywords = append(keywords, fmt.Sprintf("keyword %d", i))
	}
	var bill provider.Bill
	found, err := p.LookUpKeywords(provider.WithBill(t.Context(), &bill), provider.KeywordQuery{Keywords: keywords, Country: "US", Language: "en"})
	if err != nil || len(found) != 1500 || vendor.Requests() != 4 {
		t.Fatalf("%d keywords after %d requests, %v", len(found), vendor.Requests(), err)
	}
	for i, f := range found {
		if f.Keyword != keywords[i] || f.Volume == nil || f.Difficulty == nil || len(f.Monthly) != 7 || f.Monthly[0].Month != 0 {
			t.Fatalf("keyword %d is %+v", i, f)
		}
	}
	if requests, cost := bill.Total(); requests != 4 || cost != vendor.Spent() {
		t.Errorf("%d requests for %s, the vendor charged %s", requests, cost, vendor.Spent())
	}
	if _, err := p.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: make([]string, 20_001)}); provider.KindOf(err) != provider.BadQuery {
		t.Errorf("too many keywords: %v", err)
	}
}

// One keyword that Google Ads does not take would spoil the question for all.
func TestKeywordsAreAskedForAsGoogleAdsTakesThem(t *testing.T) {
	t.Parallel()
	_, p := fake(t)
	asked := []string{"Café Größe", "what is seo?", "what is seo!", "C++", "pizza 🍕", strings.Repeat("long ", 20), strings.Repeat("w", 81), "🍕", "unknown thing"}
	found, err := p.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: asked, Country: "US", Language: "en"})
	var names []string
	for _, f := range found {
		if f.Volume != nil {
			names = append(names, f.Keyword)
		}
	}
	if err != nil || !slices.Equal(names, asked[:5]) {
		t.Errorf("known are %q, %v", names, err)
	}
	if found, err := p.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: []string{"🍕"}}); err != nil || len(found) != 0 {
		t.Errorf("nothing to ask for: %v, %v", found, err)
	}
}

func TestMarketsOfKeywords(t *testing.T) {
	t.Parallel()
	var volume, difficulty map[string]any
	var tasks []map[string]any
	vendor := providertest.NewDataForSEO(t)
	proxy := providertest.NewFake(t, asked(t, vendor, &tasks))
	for _, c := range []struct {
		q                  provider.KeywordQuery
		volume, difficulty string
	}{
		{provider.KeywordQuery{Country: "BR", Language: "pt-BR"}, "code 2076 name <nil> language pt", "code 2076 language pt"},
		{provider.KeywordQuery{Country: "TW", Language: "zh-TW"}, "code 2158 name <nil> language zh_TW", "code 2158 language zh-TW"},
		{provider.KeywordQuery{Country: "DE", Language: "de", Location: "Berlin,Berlin,Germany"}, "code <nil> name Berlin,Berlin,Germany language de", "code 2276 language de"},
		{provider.KeywordQuery{}, "code <nil> name <nil> language <nil>", "code 2840 language en"},
	} {
		opts := settings(proxy.URL)
		opts.Difficulty = false
		c.q.Keywords = []string{"pizza"}
		if _, err := start(t, opts).LookUpKeywords(t.Context(), c.q); err != nil {
			t.Fatal(err)
		}
		volume = tasks[0]
		opts.Difficulty = true
		if _, err := start(t, opts).LookUpKeywords(t.Context(), c.q); err != nil {
			t.Fatal(err)
		}
		difficulty = tasks[0]
		if got := fmt.Sprintf("code %v name %v language %v", volume["location_code"], volume["location_name"], volume["language_code"]); got != c.volume {
			t.Errorf("%+v: search volume in %s, want %s", c.q, got, c.volume)
		}
		if got := fmt.Sprintf("code %v language %v", difficulty["location_code"], difficulty["language_code"]); got != c.difficulty {
			t.Errorf("%+v: difficulty in %s, want %s", c.q, got, c.difficulty)
		}
	}
}

// Google Ads knows markets that DataForSEO's own database does not have.
func TestDifficultyMayStayUnknown(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Next(nil, providertest.DataForSEOCode(40501, "Invalid Field: 'location_code'.", 0))
	found, err := p.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: []string{"pizza"}, Country: "VA", Language: "it"})
	if err != nil || len(found) != 1 || found[0].Volume == nil || found[0].Difficulty != nil {
		t.Errorf("%+v, %v", found, err)
	}
	vendor.Next(nil, providertest.Status(500, "down"))
	if found, err := p.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: []string{"pizza"}}); provider.KindOf(err) != provider.Transient || found != nil {
		t.Errorf("a part was taken for the whole: %v, %v", found, err)
	}
}

func TestFiguresKeepTheirUnits(t *testing.T) {
	t.Parallel()
	server := providertest.NewFake(t, recorded(t))
	p := start(t, settings(server.URL))
	found, err := p.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: []string{"coffee shop springfield"}})
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	f := found[0]
	if *f.Volume != 1300 || *f.CPC != 0.98 || *f.Competition != 12 || f.Difficulty != nil {
		t.Errorf("of Google Ads: %d, %v, %v, %v", *f.Volume, *f.CPC, *f.Competition, f.Difficulty)
	}
	if first, last := f.Monthly[0], f.Monthly[11]; first != (provider.MonthVolume{Year: 2025, Month: 7, Volume: 1300}) || last != (provider.MonthVolume{Year: 2026, Month: 6, Volume: 1900}) {
		t.Errorf("months run from %v to %v", first, last)
	}
	ranked, err := p.DomainKeywords(t.Context(), provider.DomainQuery{Target: "manana.example.org"})
	if err != nil || len(ranked.Items) != 3 || ranked.Total != 60 {
		t.Fatalf("%+v, %v", ranked, err)
	}
	if k := ranked.Items[0]; *k.Volume != 1300 || *k.Competition != 12 || *k.Difficulty != 14 || k.Rank != 1 || k.URL != "https://manana.example.org/" {
		t.Errorf("of the database: %+v", k)
	}
	if k := ranked.Items[1]; k.CPC != nil || k.Competition != nil || k.Difficulty != nil || k.Monthly != nil {
		t.Errorf("what is unknown became something: %+v", k)
	}
	rivals, err := p.Competitors(t.Context(), provider.DomainQuery{Target: "https://www.manana.example.org/"})
	if err != nil || len(rivals) != 1 || rivals[0].Shared != 30 || *rivals[0].Keywords != 900 || *rivals[0].Rank != 14.9 {
		t.Errorf("%+v, %v", rivals, err)
	}
	links, err := p.LinksTo(t.Context(), "manana.example.org")
	if err != nil || *links.Rank != 19 || *links.Links != 420 || *links.Domains != 51 || links.FirstSeen != "2021-03-02" {
		t.Errorf("%+v, %v", links, err)
	}
}

func TestTargetsOfDomainsAndLinks(t *testing.T) {
	t.Parallel()
	var tasks []map[string]any
	proxy := providertest.NewFake(t, asked(t, recorded(t), &tasks))
	p := start(t, settings(proxy.URL))
	for _, c := range []struct {
		target, host, links string
		filters             any
	}{
		{"Site.com", "site.com", "site.com", nil},
		{"https://www.site.com/", "site.com", "site.com", nil},
		{"site.com/shop.1/", "site.com", "https://site.com/shop.1", []any{"ranked_serp_element.serp_item.relative_url", "regex", `^/shop\.1([/?#]|$)`}},
	} {
		if _, err := p.DomainKeywords(t.Context(), provider.DomainQuery{Target: c.target, Country: "US", Limit: 5000, Offset: 7}); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{
			"target": c.host, "location_code": 2840.0, "item_types": []any{"organic"}, "historical_serp_mode": "live", "limit": 1000.0, "offset": 7.0,
			"order_by": []any{"ranked_serp_element.serp_item.rank_group,asc", "keyword_data.keyword_info.search_volume,desc"},
		}
		if c.filters != nil {
			want["filters"] = c.filters
		}
		if !reflect.DeepEqual(tasks[0], want) {
			t.Errorf("%s: asked %v, want %v", c.target, tasks[0], want)
		}
		if _, err := p.LinksTo(t.Context(), c.target); err != nil || tasks[0]["target"] != c.links || tasks[0]["rank_scale"] != "one_hundred" {
			t.Errorf("%s: asked for the links of %v, %v", c.target, tasks[0], err)
		}
	}
	for _, bad := range []string{"", "https://", "two words", strings.Repeat("a", 3000)} {
		_, ofDomain := p.DomainKeywords(t.Context(), provider.DomainQuery{Target: bad})
		_, ofLinks := p.LinksTo(t.Context(), bad)
		if provider.KindOf(ofDomain) != provider.BadQuery || provider.KindOf(ofLinks) != provider.BadQuery {
			t.Errorf("%.20q: %v, %v", bad, ofDomain, ofLinks)
		}
	}
}

func TestLinksNeedASubscription(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.NoBacklinks = true
	if _, err := p.LinksTo(t.Context(), "site.com"); provider.KindOf(err) != provider.BadQuery || !strings.Contains(err.Error(), "subscription of its own") {
		t.Errorf("%v", err)
	}
	vendor.Next(providertest.DataForSEOCode(40102, "No Search Results.", 0.02))
	vendor.NoBacklinks = false
	if links, err := p.LinksTo(t.Context(), "nobody.example"); err != nil || links != (provider.Links{}) {
		t.Errorf("of a domain that nobody links to: %+v, %v", links, err)
	}
}

func TestIdeasComeFromBothListsInTurn(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	var bill provider.Bill
	ideas, err := p.IdeasFor(provider.WithBill(t.Context(), &bill), provider.IdeaQuery{Keywords: []string{"pizza", "pasta"}, Limit: 5})
	var names []string
	for _, idea := range ideas {
		names = append(names, idea.Keyword)
	}
	want := []string{"pizza delivery", "pasta delivery", "pizza near me", "pasta near me", "best pizza"}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("ideas are %q, want %q; %v", names, want, err)
	}
	if requests, cost := bill.Total(); requests != 4 || vendor.Requests() != 4 || cost != vendor.Spent() {
		t.Errorf("%d requests for %s, the vendor charged %s", requests, cost, vendor.Spent())
	}
}
