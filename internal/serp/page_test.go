package serp

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

func TestPackedPagesComeBack(t *testing.T) {
	t.Parallel()
	k := newCodec()
	rapid.Check(t, func(r *rapid.T) {
		item := rapid.Custom(func(r *rapid.T) provider.WebItem {
			return provider.WebItem{
				Type: rapid.SampledFrom(provider.ItemTypes()).Draw(r, "type"), Rank: rapid.IntRange(0, 100).Draw(r, "rank"),
				URL: rapid.StringN(0, 60, -1).Draw(r, "url"), Title: rapid.String().Draw(r, "title"), Description: rapid.String().Draw(r, "text"),
			}
		})
		page := NewPage(provider.WebPage{Items: rapid.SliceOfN(item, 1, 20).Draw(r, "items")})
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
	page := NewPage(provider.WebPage{Items: append(make([]provider.WebItem, 1000), huge), Related: make([]string, 1000)})
	if len(page.Items) != maxItems || len(page.Related) != maxSubItems {
		t.Errorf("%d items, %d related", len(page.Items), len(page.Related))
	}
	one := NewPage(provider.WebPage{Items: []provider.WebItem{huge}}).Items[0]
	if one.URL != "" || len(one.Title) > maxItemTitle || !utf8.ValidString(one.Title) || len(one.Text) > maxItemText || len(one.Items) != maxSubItems || len(one.Domain) > 253 {
		t.Errorf("%d %d %d %d", len(one.URL), len(one.Title), len(one.Text), len(one.Items))
	}
}

func TestWhatAPageTells(t *testing.T) {
	t.Parallel()
	page := NewPage(provider.WebPage{Related: []string{" Pizza Oven "}, Items: []provider.WebItem{
		{Type: provider.AdTop, URL: "https://ad.example/"},
		{Type: provider.Organic, Rank: 1, URL: "https://www.Site.example/a"},
		{Type: provider.SimilarQueries, Items: []provider.WebItem{{Title: "pizza oven"}, {Title: "Pizza dough"}}},
		{Type: provider.Organic, Rank: 2, URL: "mailto:nobody"},
		{Type: provider.Organic, Rank: 3, URL: "https://shop.site.example/b"},
	}})
	if got := page.Hosts(); got != "\nsite.example\n\nshop.site.example\n" {
		t.Errorf("hosts %q", got)
	}
	if got := strings.Join(page.Proposals(), ","); got != " Pizza Oven ,pizza oven,Pizza dough" {
		t.Errorf("proposals %q", got)
	}
	if page.Results() != 3 {
		t.Errorf("%d results", page.Results())
	}
	for prefix, want := range map[string]int{"site.example": 1, "site.example/a": 1, "shop.site.example/b": 3, "site.example/b": 0} {
		if got := page.Position(target(t, prefix)); got != want {
			t.Errorf("%s at %d, want %d", prefix, got, want)
		}
	}
	if empty := (Page{}); empty.Hosts() != "\n" {
		t.Errorf("an empty page tells %q", empty.Hosts())
	}
}

func target(t testing.TB, s string) webtarget.Target {
	t.Helper()
	parsed, err := webtarget.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func hostsOf(hosts ...string) Hosts { return Hosts("\n" + strings.Join(append(hosts, ""), "\n")) }

func TestPosition(t *testing.T) {
	t.Parallel()
	page := hostsOf("", "notsite.com", "site.com.evil.net", "shop.site.com", "site.com", "me.github.io", "xn--mnchen-3ya.de")
	for domain, want := range map[string]int{
		"site.com": 4, "www.site.com": 4, "https://SITE.com": 4, "shop.site.com": 4, "blog.site.com": 0, "notsite.com": 2, "evil.net": 3,
		"site.com/menu": 5, "me.github.io": 6, "github.io": 0, "münchen.de": 7, "ite.com": 0, "other.org": 0,
	} {
		parsed, err := webtarget.Parse(domain)
		if err != nil {
			if domain == "github.io" { // a shared suffix is refused or matches itself alone
				continue
			}
			t.Fatal(err)
		}
		if got := page.Position(parsed); got != want {
			t.Errorf("%s is at %d, want %d", domain, got, want)
		}
	}
	for _, empty := range []Hosts{"", hostsOf()} {
		if got := empty.Position(target(t, "site.com")); got != 0 {
			t.Errorf("on an empty page at %d", got)
		}
	}
}

func TestWhatIsNewerStandsAboveWhatIsDeeper(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ top, deeper, want Hosts }{
		{hostsOf("a", "b"), hostsOf("b", "a", "c", "d"), hostsOf("a", "b", "c", "d")},
		{hostsOf("a", "b"), hostsOf("c"), hostsOf("a", "b")},
		{hostsOf("a", "", "b"), hostsOf("c", "d", "e", ""), hostsOf("a", "", "b", "")},
		{hostsOf(), hostsOf("a"), hostsOf("a")},
		{hostsOf("a"), "", hostsOf("a")},
	} {
		if got := test.top.over(test.deeper); got != test.want {
			t.Errorf("%q over %q is %q, want %q", test.top, test.deeper, got, test.want)
		}
	}
}

func TestNormalKeyword(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"  Best\t Pizza\n": "best pizza", "CAFÉ": "café", "cafe\u0301": "café", "": "", "Straße": "straße", "ピザ　店": "ピザ 店",
	} {
		if got := NormalKeyword(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		s := rapid.String().Draw(r, "keyword")
		if once := NormalKeyword(s); NormalKeyword(once) != once {
			r.Fatalf("%q is %q and then %q", s, once, NormalKeyword(once))
		}
	})
}
