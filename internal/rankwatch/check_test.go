package rankwatch

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

func target(t testing.TB, domain string) webtarget.Target {
	t.Helper()
	target, err := webtarget.Parse(domain)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func organic(urls ...string) (items []provider.WebItem) {
	for i, url := range urls {
		items = append(items, provider.WebItem{Type: provider.Organic, Rank: i + 1, URL: url})
	}
	return items
}

func TestFindOnAPage(t *testing.T) {
	t.Parallel()
	pack := provider.WebItem{Type: provider.LocalPack, Items: []provider.WebItem{{Title: "Other", URL: "https://other.example"}, {Title: " joe's PIZZA "}}}
	tests := []struct {
		name     string
		domain   string
		business string
		items    []provider.WebItem
		rank     uint16
		url      string
		more     bool
		mapPack  uint8
		snippet  bool
	}{
		{name: "nothing on the page", domain: "site.com"},
		{name: "not among them", domain: "site.com", items: organic("https://notsite.com/", "https://site.com.evil.example/", "https://site.co/")},
		{name: "www and path", domain: "site.com", items: organic("https://a.example/", "http://www.site.com/x?y#z"), rank: 2, url: "http://www.site.com/x?y#z"},
		{name: "a subdomain", domain: "site.com", items: organic("https://shop.site.com/"), rank: 1, url: "https://shop.site.com/"},
		{name: "a prefix", domain: "site.com/shop", items: organic("https://site.com/shopping", "https://site.com/shop/a"), rank: 2, url: "https://site.com/shop/a"},
		{name: "two URLs", domain: "site.com", items: organic("https://site.com/a", "https://b.example/", "https://site.com/b"), rank: 1, url: "https://site.com/a", more: true},
		{name: "the same URL twice", domain: "site.com", items: organic("https://site.com/a", "https://site.com/a"), rank: 1, url: "https://site.com/a"},
		{name: "an ad is no rank", domain: "site.com", items: []provider.WebItem{{Type: provider.AdTop, URL: "https://site.com/"}}},
		{name: "map pack by name", domain: "site.com", business: "Joe's Pizza", items: []provider.WebItem{pack}, mapPack: 2},
		{name: "map pack of others", domain: "site.com", items: []provider.WebItem{pack}},
		{name: "own snippet", domain: "site.com", items: []provider.WebItem{{Type: provider.FeaturedSnippet, URL: "https://site.com/"}}, snippet: true},
		{name: "another's snippet", domain: "site.com", items: []provider.WebItem{{Type: provider.FeaturedSnippet, URL: "https://b.example/"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := find(provider.WebPage{Items: tt.items}, target(t, tt.domain), tt.business)
			if f.Rank != tt.rank || f.url != tt.url {
				t.Errorf("found at %d as %q, want %d and %q", f.Rank, f.url, tt.rank, tt.url)
			}
			if f.MoreURL != tt.more {
				t.Errorf("further URLs: %v, want %v", f.MoreURL, tt.more)
			}
			if f.MapPack != tt.mapPack {
				t.Errorf("%d in the map pack, want %d", f.MapPack, tt.mapPack)
			}
			if f.OwnSnippet != tt.snippet {
				t.Errorf("own snippet: %v, want %v", f.OwnSnippet, tt.snippet)
			}
			f.URL = min(f.Rank, 1)
			if _, err := series.Chunk(nil).Set(1, f.Observation); err != nil {
				t.Errorf("it cannot be kept: %v", err)
			}
		})
	}
}

func TestURLNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := ""
		seen := map[string]uint16{}
		for _, url := range rapid.SliceOfN(rapid.SampledFrom([]string{"https://a/", "https://b/", "https://a/b", "http://a/"}), 0, 20).Draw(t, "urls") {
			var n uint16
			if n, list = urlNumber(list, url); n == 0 || (seen[url] != 0 && seen[url] != n) {
				t.Fatalf("%s is %d, was %d, in %q", url, n, seen[url], list)
			}
			seen[url] = n
		}
		k := rankState{urls: list}
		for url, n := range seen {
			if got := k.url(series.Observation{URL: n}); got == nil || *got != url {
				t.Fatalf("number %d reads as %v, want %s", n, got, url)
			}
		}
		if k.url(series.Observation{}) != nil || k.url(series.Observation{URL: series.MaxURL}) != nil {
			t.Fatal("a URL out of nothing")
		}
	})
}

func TestURLListIsBounded(t *testing.T) {
	t.Parallel()
	list := strings.TrimSuffix(strings.Repeat("https://a/\n", maxURLs), "\n")
	for _, url := range []string{"https://new/", "", "https://" + strings.Repeat("x", maxURLLen), "https://a/\nhttps://b/"} {
		if n, after := urlNumber(list, url); n != 0 || after != list {
			t.Errorf("%.20q: number %d, list grew by %d", url, n, len(after)-len(list))
		}
	}
}

func TestWhenAFailedCheckIsMadeAgain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 31, 22, 0, 0, 0, time.UTC)
	midnight := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	slow := provider.Errorf(provider.RateLimited, "X", "Slow down.")
	slow.RetryAfter = 20 * time.Minute
	tests := []struct {
		name string
		n    int
		err  error
		want time.Time
	}{
		{"first", 1, provider.Errorf(provider.Transient, "X", "Down."), now.Add(5 * time.Minute)},
		{"third", 3, provider.Errorf(provider.Transient, "X", "Down."), now.Add(20 * time.Minute)},
		{"after many", 99, provider.Errorf(provider.Transient, "X", "Down."), now.Add(6 * time.Hour)},
		{"as the vendor asks", 1, slow, now.Add(20 * time.Minute)},
		{"a refused key", 1, provider.Errorf(provider.Unauthorized, "X", "No."), now.Add(time.Hour)},
		{"no credits", 9, provider.Errorf(provider.QuotaSpent, "X", "None."), now.Add(time.Hour)},
		{"never answered", 1, provider.Errorf(provider.BadQuery, "X", "No mobile."), midnight},
		{"a fault of ours", 1, errors.New("boom"), now.Add(5 * time.Minute)},
	}
	for _, tt := range tests {
		if got := retryAt(now, tt.n, tt.err); !got.Equal(tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := reason(errors.New("dial tcp 10.0.0.1: refused")); strings.Contains(got, "10.0.0.1") {
		t.Errorf("a user reads %q", got)
	}
}
