package provider

import (
	"net/url"
	"strings"
)

// WebPages puts a web search together from the pages that a vendor serves one by one.
type WebPages struct {
	limit    int
	until    func(WebItem) bool
	seen     map[string]bool // links of the pages before
	page     WebPage
	rank     int
	complete bool
}

// VendorPage is one page of a vendor. What surrounds the organic results is taken from the first page, where a
// person sees it.
type VendorPage struct {
	Above   []WebItem
	Organic []WebItem // in their order, with what stands between them; those without a URL take no rank
	Below   []WebItem
	Related []string
	Total   *int64
}

// NewWebPages begins the answer to a query.
func NewWebPages(q WebQuery) *WebPages {
	return &WebPages{limit: q.Limit(), until: q.Until, seen: map[string]bool{}}
}

// Add appends a page. Ranks are counted here: at many vendors positions start again on each page.
func (w *WebPages) Add(p VendorPage) {
	first := w.page.Pages == 0
	w.page.Pages++
	if first {
		w.page.Items = append(w.page.Items, p.Above...)
	}
	w.addOrganic(p.Organic)
	if first {
		w.page.Items = append(w.page.Items, p.Below...)
		w.page.Related, w.page.Total = p.Related, p.Total
	}
}

// addOrganic leaves out what an earlier page has shown, since results move up while pages are turned.
// A page without anything new is the end.
func (w *WebPages) addOrganic(organic []WebItem) {
	var links []string
	for _, item := range organic {
		if item.Type != "" && item.Type != Organic {
			if w.page.Pages == 1 {
				w.page.Items = append(w.page.Items, item)
			}
			continue
		}
		if item.URL == "" || w.seen[item.URL] {
			continue
		}
		if w.rank == w.limit {
			continue
		}
		w.rank++
		item.Type, item.Rank = Organic, w.rank
		links = append(links, item.URL)
		w.page.Items = append(w.page.Items, item)
		if w.until != nil && w.until(item) {
			w.complete = true
		}
	}
	for _, link := range links {
		w.seen[link] = true
	}
	if len(links) == 0 || w.rank == w.limit {
		w.complete = true
	}
}

// Wants tells whether a further page is needed, of a vendor that serves this many results on each. Pages are
// billed: a depth of 100 is ten pages of ten, even where some hold less.
func (w *WebPages) Wants(perPage int) bool {
	return !w.complete && w.page.Pages < (w.limit+perPage-1)/perPage
}

// Page is what was put together so far.
func (w *WebPages) Page() WebPage { return w.page }

// DomainOf is the host of a URL in lower case without "www."; "" of what is no URL.
func DomainOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}
