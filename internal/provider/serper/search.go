package serper

import (
	"context"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
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
	found := provider.NewWebPages(q)
	for req.Page = 1; found.Wants(pageSize); req.Page++ {
		if req.Page > 1 {
			if err := provider.Turn(ctx); err != nil {
				return provider.WebPage{}, err
			}
		}
		answer := searchAnswer{envelope: envelope{asked: echo{Type: "search", Q: wire.Text(req.Q)}}}
		if err := p.post(ctx, "/search", req, &answer); err != nil {
			return provider.WebPage{}, err
		}
		found.Add(answer.page())
	}
	return found.Page(), nil
}

func (a *searchAnswer) page() provider.VendorPage {
	page := provider.VendorPage{Above: above(*a), Organic: organic(a.Organic), Below: below(*a)}
	for _, r := range a.RelatedSearches {
		if r.Query != "" {
			page.Related = append(page.Related, string(r.Query))
		}
	}
	return page
}
