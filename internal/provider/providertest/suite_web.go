package providertest

import (
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func (s Subject) searchesWeb(t *testing.T) {
	p, _ := s.start(t, 0)
	w, ok := p.(provider.WebSearcher)
	if !ok {
		t.Skip("not a WebSearcher")
	}
	page, err := w.SearchWeb(t.Context(), s.Web)
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	if urls := organicURLs(t, page); !slices.Equal(urls, s.WebURLs) {
		t.Errorf("found in order:\n%q, want\n%q", urls, s.WebURLs)
	}
	if s.Vendor != nil && page.Pages < 2 {
		t.Error("the recording has no second page, where positions may start again")
	}
	s.stopsAtTarget(t, w)
	s.missesTarget(t, w)
	s.keepsDepth(t, w)
	s.keepsDevice(t, p.Describe(), w)
	for _, spoil := range []func(*provider.WebQuery){
		func(q *provider.WebQuery) { q.Keyword = "" },
		func(q *provider.WebQuery) { q.Keyword = strings.Repeat("k", 10_000) },
		func(q *provider.WebQuery) { q.Depth = 100_000 },
		func(q *provider.WebQuery) { q.Device = "toaster" },
	} {
		bad := s.Web
		spoil(&bad)
		_, err := w.SearchWeb(t.Context(), bad)
		s.failsAs(t, err, provider.BadQuery)
	}
}

// organicURLs checks that ranks run from 1 without a gap, and that only organic items have one.
func organicURLs(t *testing.T, page provider.WebPage) []string {
	t.Helper()
	var urls []string
	for _, item := range page.Items {
		if !slices.Contains(provider.ItemTypes(), item.Type) {
			t.Errorf("item of unknown type %q", item.Type)
		}
		if item.Type != provider.Organic {
			if item.Rank != 0 {
				t.Errorf("%s item has rank %d", item.Type, item.Rank)
			}
			continue
		}
		urls = append(urls, item.URL)
		if item.Rank != len(urls) {
			t.Errorf("%s has rank %d as organic result %d", item.URL, item.Rank, len(urls))
		}
		if item.Domain == "" || strings.HasPrefix(item.Domain, "www.") || !strings.Contains(strings.ToLower(item.URL), item.Domain) {
			t.Errorf("%s has domain %q", item.URL, item.Domain)
		}
	}
	if page.Depth() != len(urls) || page.Pages < 1 {
		t.Errorf("depth %d and %d pages for %d organic results", page.Depth(), page.Pages, len(urls))
	}
	return urls
}

// stopsAtTarget looks for the first result: no page but the first is needed.
func (s Subject) stopsAtTarget(t *testing.T, w provider.WebSearcher) {
	t.Helper()
	if len(s.WebURLs) == 0 {
		return
	}
	q := s.Web
	q.Target = provider.DomainOf(s.WebURLs[0])
	q.Until = func(item provider.WebItem) bool {
		if item.Type != provider.Organic {
			t.Errorf("Until was asked of an item of type %s", item.Type)
		}
		return item.URL == s.WebURLs[0]
	}
	page, err := w.SearchWeb(t.Context(), q)
	if err != nil {
		t.Fatalf("search until found: %v", err)
	}
	if page.Pages != 1 {
		t.Errorf("%d pages were fetched for a target on the first", page.Pages)
	}
	if urls := organicURLs(t, page); !slices.Equal(urls, s.WebURLs[:min(len(urls), len(s.WebURLs))]) {
		t.Errorf("found %q until the target", urls)
	}
}

// missesTarget looks for what is not there: the whole depth is the answer, and no error.
func (s Subject) missesTarget(t *testing.T, w provider.WebSearcher) {
	t.Helper()
	q := s.Web
	q.Until = func(provider.WebItem) bool { return false }
	page, err := w.SearchWeb(t.Context(), q)
	if urls := organicURLs(t, page); err != nil || !slices.Equal(urls, s.WebURLs) {
		t.Errorf("found %q without the target, %v", urls, err)
	}
}

func (s Subject) keepsDepth(t *testing.T, w provider.WebSearcher) {
	t.Helper()
	q := s.Web
	q.Depth = 3
	page, err := w.SearchWeb(t.Context(), q)
	if err != nil {
		t.Fatalf("search to a depth of 3: %v", err)
	}
	if urls := organicURLs(t, page); !slices.Equal(urls, s.WebURLs[:min(3, len(s.WebURLs))]) {
		t.Errorf("a depth of 3 gave %q", urls)
	}
}

// keepsDevice holds the provider to the devices that it names: ranks of another one would be wrong ranks.
func (s Subject) keepsDevice(t *testing.T, d provider.Descriptor, w provider.WebSearcher) {
	t.Helper()
	if len(d.Devices) == 0 {
		t.Error("searches the web as no device")
	}
	for _, device := range []provider.Device{provider.Desktop, provider.Mobile} {
		q := s.Web
		q.Device = device
		if _, err := w.SearchWeb(t.Context(), q); !d.SearchesAs(device) {
			s.failsAs(t, err, provider.BadQuery)
		} else if err != nil {
			t.Errorf("search as %s: %v", device, err)
		}
	}
}
