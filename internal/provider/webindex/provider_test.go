package webindex

import (
	"fmt"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestProvider(t *testing.T) {
	t.Parallel()
	var pages []Page
	var want []string
	for i := range 25 {
		url := fmt.Sprintf("https://www.site%02d.example/pizza", i)
		pages, want = append(pages, Page{URL: url, Title: "Pizza"}), append(want, url)
	}
	providertest.Suite(t, providertest.Subject{
		New:     func(t testing.TB, _ providertest.Setup) provider.Provider { return New(build(t, nil, pages...)) },
		Web:     provider.WebQuery{Keyword: "pizza", Country: "US", Language: "en", Location: "Decatur,Georgia,United States", Depth: 100},
		WebURLs: want,
	})
}

func TestProviderStopsAtThePageOfTheTarget(t *testing.T) {
	t.Parallel()
	p := New(indexOn(t, demo(t), 0))
	q := provider.WebQuery{Keyword: "dentist decatur", Depth: 90}
	whole, err := p.SearchWeb(t.Context(), q)
	if err != nil || whole.Depth() != 90 || whole.Pages != 9 {
		t.Fatalf("%d results on %d pages, %v", whole.Depth(), whole.Pages, err)
	}
	target := whole.Items[13].URL
	q.Until = func(item provider.WebItem) bool { return item.URL == target }
	if page, err := p.SearchWeb(t.Context(), q); err != nil || page.Depth() != 20 || page.Pages != 2 {
		t.Errorf("%d results on %d pages, %v; want the two pages up to the target", page.Depth(), page.Pages, err)
	}
	p.Replace(build(t, nil, Page{URL: "https://new.example/", Title: "Dentist Decatur"}))
	if page, err := p.SearchWeb(t.Context(), q); err != nil || page.Depth() != 1 || page.Items[0].Domain != "new.example" {
		t.Errorf("after the index was replaced: %+v, %v", page, err)
	}
}
