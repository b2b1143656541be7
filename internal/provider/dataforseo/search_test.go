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

func TestMapSearchSetsAllThatARankDependsOn(t *testing.T) {
	t.Parallel()
	var tasks []map[string]any
	vendor := providertest.NewFake(t, asked(t, recorded(t), &tasks))
	p := start(t, settings(vendor.URL))
	if _, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "100% c++", At: provider.Point{Lat: 51.50735091234, Lng: -1e-9}, Language: "de"}); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{{
		"keyword": "100%25 c%2B%2B", "location_coordinate": "51.5073509,-0.0000000,15z", "language_code": "de", "device": "desktop", "os": "windows",
		"depth": 20.0, "search_this_area": true, "search_places": false,
	}}
	if !reflect.DeepEqual(tasks, want) {
		t.Errorf("asked %v, want %v", tasks, want)
	}
}

func TestWebSearchIsMadeInItsMarket(t *testing.T) {
	t.Parallel()
	var tasks []map[string]any
	vendor := providertest.NewFake(t, asked(t, recorded(t), &tasks))
	p := start(t, settings(vendor.URL))
	for _, c := range []struct {
		q    provider.WebQuery
		want map[string]any
	}{
		{provider.WebQuery{Keyword: "kaffee", Country: "de", Language: "de", Location: "Berlin,Berlin,Germany", GoogleDomain: "google.de", Device: provider.Mobile, Depth: 11, Target: "site.de"}, map[string]any{
			"keyword": "kaffee", "location_name": "Berlin,Berlin,Germany", "language_code": "de", "se_domain": "google.de", "device": "mobile", "os": "android", "depth": 20.0,
			"stop_crawl_on_match": []any{map[string]any{"match_value": "site.de", "match_type": "with_subdomains"}}, "find_targets_in": []any{"organic"},
		}},
		{provider.WebQuery{Keyword: "coffee", Country: "GB"}, map[string]any{
			"keyword": "coffee", "location_code": 2826.0, "language_code": "en", "device": "desktop", "os": "windows", "depth": 10.0,
		}},
		{provider.WebQuery{Keyword: "coffee"}, map[string]any{
			"keyword": "coffee", "location_code": 2840.0, "language_code": "en", "device": "desktop", "os": "windows", "depth": 10.0,
		}},
	} {
		if _, err := p.SearchWeb(t.Context(), c.q); err != nil {
			t.Fatalf("%+v: %v", c.q, err)
		}
		if !reflect.DeepEqual(tasks, []map[string]any{c.want}) {
			t.Errorf("asked %v, want %v", tasks, c.want)
		}
	}
	if _, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "coffee", Country: "QQ"}); provider.KindOf(err) != provider.BadQuery {
		t.Errorf("a country that does not exist: %v", err)
	}
}

func TestRowsOfAMapSearch(t *testing.T) {
	t.Parallel()
	server := providertest.NewFake(t, recorded(t))
	found, err := start(t, settings(server.URL)).SearchMap(t.Context(), provider.MapQuery{Keyword: "coffee", At: provider.Point{Lat: 40.1, Lng: -75.2}})
	if err != nil || len(found) != 5 {
		t.Fatalf("%d rows, %v", len(found), err)
	}
	if b := found[0]; b.CID != "1111111111111111111" || b.Rating != 4.6 || b.Reviews != 312 || b.CountryCode != "US" || !slices.Equal(b.Categories, []string{"Coffee shop", "Bakery"}) ||
		b.Phone != "+15550100001" || b.Website != "https://manana.example.org/" || b.Hours == nil || len(b.Hours[0]) != 0 || !slices.Equal(b.Hours[1], []provider.Span{{From: 420, To: 1080}}) {
		t.Errorf("the first row is %+v", b)
	}
	if b := found[1]; b.Closed != provider.ClosedTemporarily || b.Hours != nil {
		t.Errorf("a place that is closed for a while: %+v", b)
	}
	if b := found[2]; b.PlaceID != "" || b.CID != "3333333333333333333" {
		t.Errorf("a row with a cid only: %+v", b)
	}
	if b := found[3]; b.Closed != provider.ClosedForGood {
		t.Errorf("a place that is closed for good: %+v", b)
	}
}

func TestPlaceLookUp(t *testing.T) {
	t.Parallel()
	server := providertest.NewFake(t, recorded(t))
	b, err := start(t, settings(server.URL)).FindPlace(t.Context(), manana)
	if err != nil {
		t.Fatal(err)
	}
	// On Friday it is open twice, the second time until after midnight.
	if want := []provider.Span{{From: 420, To: 750}, {From: 1080, To: 1500}}; b.Hours == nil || !slices.Equal(b.Hours[5], want) || b.Closed != "" {
		t.Errorf("open at %v, want %v on Friday", b.Hours, want)
	}

	vendor, p := fake(t)
	known := vendor.Market[7]
	for _, id := range []string{known.PlaceID, known.CID} {
		if b, err := p.FindPlace(t.Context(), id); err != nil || b.PlaceID != known.PlaceID || b.CID != known.CID {
			t.Errorf("by %s: %+v, %v", id, b, err)
		}
	}
	vendor.Market[7].PlaceID, vendor.Market[7].CID = providertest.PlaceID(9, 9), "9"
	vendor.Next(providertest.Changed(recorded(t), func(map[string]any) {}))
	if b, err := p.FindPlace(t.Context(), known.PlaceID); provider.KindOf(err) != provider.NotFound {
		t.Errorf("another place was taken for the one asked for: %+v, %v", b, err)
	}
}

func TestResultPageKeepsItsOrder(t *testing.T) {
	t.Parallel()
	server := providertest.NewFake(t, recorded(t))
	page, err := start(t, settings(server.URL)).SearchWeb(t.Context(), provider.WebQuery{Keyword: "best coffee springfield", Depth: 100})
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, item := range page.Items {
		types = append(types, string(item.Type))
	}
	want := "ADV_TOP LOCAL_PACK ORGANIC SIMILAR_QUESTIONS ORGANIC" + strings.Repeat(" ORGANIC", 8) + " ADV_BOTTOM SIMILAR_QUERIES ORGANIC ORGANIC ORGANIC"
	if got := strings.Join(types, " "); got != want {
		t.Errorf("in order:\n%s, want\n%s", got, want)
	}
	if page.Pages != 2 || page.Total == nil || *page.Total != 1_230_000 || !slices.Equal(page.Related, []string{"coffee near me", "cheap coffee"}) {
		t.Errorf("%d pages, %v in all, related %q", page.Pages, page.Total, page.Related)
	}
	if pack := page.Items[1]; len(pack.Items) != 2 || pack.Items[0].Title != "Café Mañana & Söhne" || pack.Items[0].Domain != "manana.example.org" {
		t.Errorf("the local pack is %+v", pack)
	}
	if links := page.Items[2].Items; len(links) != 1 || links[0].URL != "https://guide.example.org/cafes/downtown" {
		t.Errorf("links below the first result: %+v", links)
	}
	if questions := page.Items[3].Items; len(questions) != 1 || questions[0].Title != "Who roasts coffee here?" || questions[0].URL != "https://roast.example.org/" {
		t.Errorf("questions: %+v", questions)
	}
}

// An ad of the target leads to its domain as well, and must not end the search.
func TestSearchEndsAtTheTargetsOrganicResult(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	items := vendor.Items
	vendor.Items = func(q providertest.DataForSEOTask) []map[string]any {
		all := items(q)
		all[0]["domain"] = "site-037.example"
		return all
	}
	var bill provider.Bill
	page, err := p.SearchWeb(provider.WithBill(t.Context(), &bill), provider.WebQuery{Keyword: "pizza", Depth: 100, Target: "site-037.example"})
	if err != nil || page.Depth() != 40 || page.Pages != 4 {
		t.Fatalf("depth %d on %d pages, %v", page.Depth(), page.Pages, err)
	}
	if item := page.Items[slices.IndexFunc(page.Items, func(i provider.WebItem) bool { return i.Rank == 37 })]; item.Domain != "site-037.example" {
		t.Errorf("rank 37 is %+v", item)
	}
	if requests, cost := bill.Total(); requests != 1 || cost != provider.USD(0.0065) || cost != vendor.Spent() {
		t.Errorf("%d requests for %s, the vendor charged %s", requests, cost, vendor.Spent())
	}
}

func TestAtMostTwentyAndPaidRowsTakeNoRank(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Places = func(providertest.DataForSEOTask) []map[string]any {
		rows := []map[string]any{{"type": "maps_paid_item", "title": "Paid first"}}
		for i, b := range vendor.Market[:30] {
			if i == 4 {
				rows = append(rows, map[string]any{"type": "maps_paid_item", "title": "Paid between"})
			}
			rows = append(rows, providertest.DataForSEORow(b))
		}
		return rows
	}
	found, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "pizza", At: providertest.Decatur})
	if err != nil || len(found) != 20 {
		t.Fatalf("%d results, %v", len(found), err)
	}
	for i, b := range found {
		if want := fmt.Sprintf("Invented Business %d", i+1); b.Name != want {
			t.Errorf("rank %d is %s", i+1, b.Name)
		}
	}
}
