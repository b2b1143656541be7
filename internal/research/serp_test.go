package research

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestPackedPagesComeBack(t *testing.T) {
	t.Parallel()
	k := newPacker()
	rapid.Check(t, func(r *rapid.T) {
		item := rapid.Custom(func(r *rapid.T) provider.WebItem {
			return provider.WebItem{
				Type: rapid.SampledFrom(provider.ItemTypes()).Draw(r, "type"), Rank: rapid.IntRange(0, 100).Draw(r, "rank"),
				URL: rapid.StringN(0, 60, -1).Draw(r, "url"), Title: rapid.String().Draw(r, "title"), Description: rapid.String().Draw(r, "text"),
			}
		})
		page := newSerpPage(provider.WebPage{Items: rapid.SliceOfN(item, 1, 20).Draw(r, "items")})
		packed, err := k.pack(page)
		if err != nil {
			r.Fatal(err)
		}
		again, err := k.unpack(packed)
		if err != nil || !reflect.DeepEqual(page, again) {
			r.Fatalf("%v: %+v became %+v", err, page, again)
		}
	})
	for _, bad := range [][]byte{nil, {0}, {1}, {1, 2, 3, 4}, {9, 40, 181, 47, 253}} {
		if _, err := k.unpack(bad); err == nil {
			t.Errorf("%v unpacks", bad)
		}
	}
}

// A provider may send anything; what is kept is bounded text.
func TestKeptPagesAreBounded(t *testing.T) {
	t.Parallel()
	huge := provider.WebItem{Type: provider.Organic, URL: "https://a.example/" + strings.Repeat("x", 5000), Title: strings.Repeat("é", 5000) + "\xff", Description: strings.Repeat("y", 1<<20), Domain: strings.Repeat("d", 5000)}
	huge.Items = make([]provider.WebItem, 500)
	page := newSerpPage(provider.WebPage{Items: append(make([]provider.WebItem, 1000), huge), Related: make([]string, 1000)})
	if len(page.Items) != maxItems || len(page.Related) != maxSubItems {
		t.Errorf("%d items, %d related", len(page.Items), len(page.Related))
	}
	one := newSerpPage(provider.WebPage{Items: []provider.WebItem{huge}}).Items[0]
	if one.URL != "" || len(one.Title) > maxItemTitle || !utf8.ValidString(one.Title) || len(one.Text) > maxItemText || len(one.Items) != maxSubItems || len(one.Domain) > 253 {
		t.Errorf("%d %d %d %d", len(one.URL), len(one.Title), len(one.Text), len(one.Items))
	}
}

func TestWhatAPageTells(t *testing.T) {
	t.Parallel()
	page := newSerpPage(provider.WebPage{Related: []string{" Pizza Oven ", "", strings.Repeat("x", 200)}, Items: []provider.WebItem{
		{Type: provider.AdTop, URL: "https://ad.example/"},
		{Type: provider.Organic, Rank: 1, URL: "https://www.Site.example/a"},
		{Type: provider.SimilarQueries, Items: []provider.WebItem{{Title: "pizza oven"}, {Title: "Pizza dough"}}},
		{Type: provider.Organic, Rank: 2, URL: "mailto:nobody"},
		{Type: provider.Organic, Rank: 3, URL: "https://shop.site.example/b"},
	}})
	if got := page.hosts(); got != "\nsite.example\n\nshop.site.example\n" {
		t.Errorf("hosts %q", got)
	}
	if got := strings.Join(page.proposals(), ","); got != "pizza oven,pizza dough" {
		t.Errorf("proposals %q", got)
	}
	if page.results() != 3 || page.featuresImpact() != 40 {
		t.Errorf("%d results, impact %v", page.results(), page.featuresImpact())
	}
	for prefix, want := range map[string]int{"site.example": 1, "site.example/a": 1, "shop.site.example/b": 3, "site.example/b": 0} {
		if got := page.position(target(t, prefix)); got != want {
			t.Errorf("%s at %d, want %d", prefix, got, want)
		}
	}
	if empty := (serpPage{}); empty.featuresImpact() != 0 || empty.hosts() != "\n" {
		t.Errorf("an empty page tells %v %q", empty.featuresImpact(), empty.hosts())
	}
}
