package serper_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
)

func TestEveryPartOfAResultPage(t *testing.T) {
	t.Parallel()
	server := providertest.NewFake(t, recorded(t))
	p := start(t, serper.Options{APIKey: "k", Access: provider.Access{URL: server.URL}})
	page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza decatur", Depth: 10})
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
		provider.FeaturedSnippet, provider.KnowledgeGraph, provider.LocalPack, provider.TopStories, provider.Organic,
		provider.SimilarQuestions, provider.ImagePack, provider.VideoPack, provider.ShopResults, provider.SimilarQueries,
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("parts %v, want %v", kinds, want)
	}
	if item := byType[provider.FeaturedSnippet]; item.URL != "https://magazine.example/best-pizza" || item.Domain != "magazine.example" || item.Description == "" {
		t.Errorf("featured snippet %+v", item)
	}
	if item := byType[provider.KnowledgeGraph]; item.URL != "https://www.pizza-1.example/" || item.Title != "Antico Decatur" {
		t.Errorf("knowledge graph %+v", item)
	}
	if item := byType[provider.LocalPack]; len(item.Items) != 2 || item.Items[0].Domain != "pizza-1.example" || item.Items[1].Title != "Row Without Place Id" {
		t.Errorf("local pack %+v", item)
	}
	if item := byType[provider.SimilarQuestions]; len(item.Items) != 2 || item.Items[1].Title != "Who invented pizza?" {
		t.Errorf("questions %+v", item)
	}
	if item := byType[provider.Organic]; item.Domain != "pizza-1.example" || len(item.Items) != 2 || item.Items[0].Rank != 0 {
		t.Errorf("first organic result %+v", item)
	}
	if !slices.Equal(page.Related, []string{"pizza delivery decatur", "best pizza near me"}) {
		t.Errorf("related %q", page.Related)
	}
	if page.Pages != 1 || page.Depth() != 9 {
		t.Errorf("%d pages, depth %d", page.Pages, page.Depth())
	}
}

func TestPagesAreTurnedOnlyAsFarAsNeeded(t *testing.T) {
	t.Parallel()
	on := func(rank int) func(provider.WebItem) bool {
		return func(item provider.WebItem) bool { return item.Rank == rank }
	}
	for _, c := range []struct {
		name         string
		depth        int
		until        func(provider.WebItem) bool
		pages, found int
	}{
		{"one page by default", 0, nil, 1, 10},
		{"the whole depth", 100, nil, 10, 100},
		{"depth within a page", 25, nil, 3, 25},
		{"found on the third page", 100, on(21), 3, 30},
		{"found at the end of a page", 100, on(30), 3, 30},
		{"never found", 50, on(51), 5, 50},
		{"beyond what there is", 150, nil, 11, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza", Depth: c.depth, Until: c.until})
			if err != nil {
				t.Fatal(err)
			}
			if page.Depth() != c.found || page.Pages != c.pages || vendor.Requests() != c.pages {
				t.Errorf("%d results on %d pages with %d requests, want %d on %d", page.Depth(), page.Pages, vendor.Requests(), c.found, c.pages)
			}
			rank := 0
			for _, item := range page.Items {
				if item.Type != provider.Organic {
					continue
				}
				if rank++; item.Rank != rank || item.Title != fmt.Sprintf("Result %d", rank) {
					t.Fatalf("organic result %d is %+v", rank, item)
				}
			}
		})
	}
}

func TestAFailedPageFailsTheSearch(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Next(nil, nil, providertest.Status(502, "Bad gateway"))
	page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza", Depth: 100})
	if provider.KindOf(err) != provider.Transient || page.Items != nil {
		t.Errorf("got %d items, %v", len(page.Items), err)
	}
	if vendor.Requests() != 3 {
		t.Errorf("%d requests", vendor.Requests())
	}
}

func TestAVendorThatIgnoresThePageIsNotAskedTenTimes(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	first := vendor.Page
	vendor.Page = func(q providertest.SerperSearch) any { q.Page = 1; return first(q) }
	page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza", Depth: 100})
	if err != nil || page.Depth() != 10 || vendor.Requests() != 2 {
		t.Errorf("depth %d after %d requests, %v", page.Depth(), vendor.Requests(), err)
	}
}

func TestSearchIsMadeInItsMarket(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	answer := vendor.Page
	var asked providertest.SerperSearch
	vendor.Page = func(q providertest.SerperSearch) any { asked = q; return answer(q) }
	_, err := p.SearchWeb(t.Context(), provider.WebQuery{
		Keyword: "kaffee", Country: "DE", Language: "de", Location: "Berlin,Germany", GoogleDomain: "google.de", Device: provider.Desktop,
	})
	want := providertest.SerperSearch{Q: "kaffee", GL: "de", HL: "de", Location: "Berlin,Germany", Num: 10, Page: 1}
	if err != nil || asked != want {
		t.Errorf("asked %+v, want %+v; %v", asked, want, err)
	}
	if _, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "kaffee", Device: provider.Mobile}); provider.KindOf(err) != provider.BadQuery {
		t.Errorf("a mobile search was answered with desktop ranks: %v", err)
	}
}

func TestDirectAnswerIsNoFeaturedSnippet(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Next(providertest.Body(`{"searchParameters":{"q":"weather","type":"search"},"answerBox":{"title":"Weather","answer":"87°F"},"organic":[{"title":"no link"},{"title":"One","link":"https://a.example/"}]}`))
	page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "weather"})
	if err != nil || len(page.Items) != 2 || page.Items[0].Type != provider.Other || page.Items[0].Description != "87°F" {
		t.Errorf("%+v, %v", page, err)
	}
	if page.Items[1].Rank != 1 {
		t.Errorf("a row without a link took a rank: %+v", page.Items[1])
	}
}

// Each further page counts against the vendor's rate: three pages take two more turns.
func TestPagesKeepThePace(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	d := p.Describe()
	d.Pace = provider.Pace{Concurrent: 4, PerSecond: 200}
	caller := provider.NewCaller(d, provider.CallerOptions{})
	began := time.Now()
	page, err := ask(t, caller, p, 30)
	if err != nil || page.Pages != 3 || vendor.Requests() != 3 {
		t.Fatalf("%d pages, %v", page.Pages, err)
	}
	if took := time.Since(began); took < 2*time.Second/200 {
		t.Errorf("three requests at 200 a second took %s", took)
	}
}

func ask(t *testing.T, caller *provider.Caller, p *serper.Provider, depth int) (provider.WebPage, error) {
	return provider.Call(t.Context(), caller, func(ctx context.Context) (provider.WebPage, error) {
		return p.SearchWeb(ctx, provider.WebQuery{Keyword: "pizza", Depth: depth})
	})
}
