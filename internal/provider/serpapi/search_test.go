package serpapi_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serpapi"
)

func TestEveryPartOfAResultPage(t *testing.T) {
	t.Parallel()
	page, err := replayed(t).SearchWeb(t.Context(), provider.WebQuery{Keyword: "best coffee springfield", Depth: 10})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []provider.ItemType
	byType := map[provider.ItemType]provider.WebItem{}
	for _, item := range page.Items {
		if item.Type != provider.Organic || item.Rank == 1 {
			kinds = append(kinds, item.Type)
			byType[item.Type] = item
		}
	}
	want := []provider.ItemType{
		provider.AdTop, provider.AIOverview, provider.FeaturedSnippet, provider.KnowledgeGraph, provider.LocalPack, provider.Organic,
		provider.SimilarQuestions, provider.VideoPack, provider.SimilarQueries, provider.AdBottom,
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("parts %v, want %v", kinds, want)
	}
	if item := byType[provider.AdTop]; item.Domain != "ads.example.org" || len(item.Items) != 1 {
		t.Errorf("ad %+v", item)
	}
	if item := byType[provider.LocalPack]; len(item.Items) != 2 || item.Items[0].Domain != "manana.example.org" {
		t.Errorf("local pack %+v", item)
	}
	if item := byType[provider.Organic]; len(item.Items) != 1 || item.Items[0].Title != "Downtown" {
		t.Errorf("first organic result %+v", item)
	}
	if item := byType[provider.SimilarQuestions]; len(item.Items) != 1 || item.Items[0].Title != "Who roasts coffee here?" {
		t.Errorf("questions %+v", item)
	}
	if item := byType[provider.AIOverview]; item.Description != "Invented overview." || item.Items[0].Domain != "roast.example.org" {
		t.Errorf("overview %+v", item)
	}
	if !slices.Equal(page.Related, []string{"coffee near me"}) || page.Total == nil || *page.Total != 1230000 {
		t.Errorf("related %q of %v", page.Related, page.Total)
	}
}

func TestPagesAreTurnedOnlyAsFarAsNeeded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                string
		depth, until        int
		pages, found, asked int
	}{
		{"one page by default", 0, 0, 1, 10, 1},
		{"depth within a page", 25, 0, 3, 25, 3},
		{"found on the third page", 100, 21, 3, 30, 3},
		{"beyond what there is", 150, 0, 11, 100, 11},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			page, err := p.SearchWeb(t.Context(), provider.WebQuery{
				Keyword: "pizza", Depth: c.depth, Until: func(item provider.WebItem) bool { return item.Rank == c.until },
			})
			if err != nil || page.Depth() != c.found || page.Pages != c.pages || vendor.Requests() != c.asked {
				t.Errorf("%d results on %d pages with %d requests, %v", page.Depth(), page.Pages, vendor.Requests(), err)
			}
		})
	}
}

func TestSearchIsMadeInItsMarket(t *testing.T) {
	t.Parallel()
	var asked url.Values
	server := providertest.NewFake(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query()
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	p := start(t, serpapi.Options{APIKey: "k", Access: provider.Access{URL: server.URL}})
	for _, c := range []struct {
		name string
		ask  func() error
		want url.Values
	}{
		{"web", func() error {
			_, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "kaffee", Country: "DE", Language: "pt-BR", Location: "Berlin,Germany", GoogleDomain: "google.de", Device: provider.Mobile})
			return err
		}, url.Values{"engine": {"google"}, "q": {"kaffee"}, "gl": {"de"}, "hl": {"pt-br"}, "location": {"Berlin,Germany"}, "google_domain": {"google.de"}, "device": {"mobile"}}},
		{"map", func() error {
			_, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "fish & chips", At: provider.Point{Lat: 51.50735091234, Lng: -0.1277583}, Country: "GB", Language: "en"})
			return err
		}, url.Values{"engine": {"google_maps"}, "type": {"search"}, "q": {"fish & chips"}, "ll": {"@51.5073509,-0.1277583,15z"}, "gl": {"gb"}, "hl": {"en"}}},
		{"place", func() error {
			_, err := p.FindPlace(t.Context(), "1111111111111111111")
			return err
		}, url.Values{"engine": {"google_maps"}, "data_cid": {"1111111111111111111"}, "hl": {"en"}}},
		{"ideas", func() error {
			_, err := p.IdeasFor(t.Context(), provider.IdeaQuery{Keywords: []string{"kaffee"}, Country: "DE", Language: "de"})
			return err
		}, url.Values{"engine": {"google_autocomplete"}, "q": {"kaffee"}, "gl": {"de"}, "hl": {"de"}}},
	} {
		c.want.Set("api_key", "k")
		if err := c.ask(); err == nil || asked.Encode() != c.want.Encode() {
			t.Errorf("%s asked %v, want %v; %v", c.name, asked, c.want, err)
		}
	}
}

// What surrounds the results may come in a form that nobody has seen; ranks are read all the same.
func TestOddPartsDoNotHideTheRanks(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Next(providertest.Body(`{"search_metadata":{"status":"Success"},"search_parameters":{"engine":"google","q":"pizza","device":"desktop"},
		"local_results":[{"title":"a list"}],"answer_box":"text","knowledge_graph":[1],"ads":{},"ai_overview":{"page_token":"x"},"related_searches":null,
		"organic_results":[{"title":"no link"},{"title":"One","link":"https://a.example/","sitelinks":"odd"}]}`))
	page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza"})
	if err != nil || len(page.Items) != 1 || page.Items[0].Rank != 1 || page.Items[0].Domain != "a.example" {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestAPageWithoutItsResultsIsAFault(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	for name, rest := range map[string]string{
		"no list":     `"search_information":{"organic_results_state":"Results for exact spelling"}`,
		"no links":    `"organic_results":[{"title":"A"}]`,
		"other start": `"organic_results":[{"link":"https://a.example/"}],"search_parameters":{"engine":"google","q":"pizza","start":30}`,
		"as a tablet": `"organic_results":[{"link":"https://a.example/"}],"search_parameters":{"engine":"google","q":"pizza","device":"tablet"}`,
	} {
		vendor.Next(providertest.Body(`{"search_metadata":{"status":"Success"},"search_parameters":{"engine":"google","q":"pizza"},` + rest + `}`))
		if page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza"}); provider.KindOf(err) != provider.Transient {
			t.Errorf("%s: %+v, %v", name, page, err)
		}
	}
}
