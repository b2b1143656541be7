package serper

import (
	"context"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// pageSize is what Google serves. A larger num costs double, and free accounts are refused it.
const pageSize = 10

type searchRequest struct {
	Q        string `json:"q"`
	GL       string `json:"gl,omitempty"`
	HL       string `json:"hl,omitempty"`
	Location string `json:"location,omitempty"`
	Num      int    `json:"num"`
	Page     int    `json:"page"`
}

// SearchWeb fetches pages of ten until the depth is reached, Until says yes, or Google has no more.
// Serper searches as a desktop browser only: a mobile query is refused rather than answered wrongly.
func (p *Provider) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	if err := q.Check(); err != nil {
		return provider.WebPage{}, err
	}
	if !p.Describe().SearchesAs(q.Device) {
		return provider.WebPage{}, provider.Errorf(provider.BadQuery, "Serper", "Serper searches as a desktop browser only: it has no mobile ranks.")
	}
	req := searchRequest{Q: q.Keyword, GL: strings.ToLower(q.Country), HL: q.Language, Location: q.Location, Num: pageSize}
	found := collected{limit: q.Limit(), until: q.Until, seen: map[string]bool{}}
	// Pages are billed: a depth of 100 is ten of them, even where some hold less than ten results.
	for req.Page = 1; !found.complete && req.Page <= (found.limit+pageSize-1)/pageSize; req.Page++ {
		if req.Page > 1 {
			if err := provider.Turn(ctx); err != nil {
				return provider.WebPage{}, err
			}
		}
		answer := searchAnswer{envelope: envelope{asked: echo{Type: "search", Q: text(req.Q)}}}
		if err := p.post(ctx, "/search", req, &answer); err != nil {
			return provider.WebPage{}, err
		}
		found.add(answer)
	}
	return found.page, nil
}

// collected is a result page in the making.
type collected struct {
	limit    int
	until    func(provider.WebItem) bool
	seen     map[string]bool // links of the pages before
	page     provider.WebPage
	rank     int
	complete bool
}

// add appends one of Serper's pages. What surrounds the organic results is taken from the first page,
// where a person sees it; positions start again on each of Serper's pages, so ranks are counted here.
func (c *collected) add(answer searchAnswer) {
	first := c.page.Pages == 0
	c.page.Pages++
	if first {
		c.page.Items = append(c.page.Items, above(answer)...)
	}
	c.addOrganic(answer.Organic)
	if first {
		c.page.Items = append(c.page.Items, below(answer)...)
		for _, r := range answer.RelatedSearches {
			if r.Query != "" {
				c.page.Related = append(c.page.Related, string(r.Query))
			}
		}
	}
}

// addOrganic leaves out what an earlier page has shown, since results move up while pages are turned.
// A page without anything new is the end.
func (c *collected) addOrganic(organic []result) {
	var links []string
	for _, r := range organic {
		if r.Link == "" || c.seen[string(r.Link)] {
			continue
		}
		if c.rank == c.limit {
			break
		}
		c.rank++
		links = append(links, string(r.Link))
		item := organicItem(r, c.rank)
		c.page.Items = append(c.page.Items, item)
		if c.until != nil && c.until(item) {
			c.complete = true
		}
	}
	for _, link := range links {
		c.seen[link] = true
	}
	if len(links) == 0 || c.rank == c.limit {
		c.complete = true
	}
}
