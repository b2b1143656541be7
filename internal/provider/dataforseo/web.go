package dataforseo

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// pageSize is what Google serves, and what is billed as one.
const pageSize = 10

var webSearch = engine[provider.WebQuery, element, provider.WebPage]{name: "organic", write: webTask, read: resultPage}

// SearchWeb asks now, whatever the mode, and for all pages in one request.
func (p *Provider) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	return search(ctx, p, webSearch, q)
}

// webTask ends the search on the page of the first organic result of the target: an ad or a place of the local pack leads to the
// same domain, and would end it too early.
func webTask(q provider.WebQuery) (searchTask, error) {
	if err := q.Check(); err != nil {
		return searchTask{}, err
	}
	country, err := countryCode(q.Country)
	if err != nil {
		return searchTask{}, err
	}
	t := searchTask{
		Keyword:      escaped(q.Keyword),
		LocationName: q.Location,
		LanguageCode: cmp.Or(q.Language, defaultLanguage),
		SEDomain:     q.GoogleDomain,
		Device:       "desktop",
		OS:           "windows",
		Depth:        (q.Limit() + pageSize - 1) / pageSize * pageSize,
	}
	if q.Location == "" {
		t.LocationCode = cmp.Or(country, defaultCountry)
	}
	if q.Device == provider.Mobile {
		t.Device, t.OS = "mobile", "android"
	}
	if q.Target != "" {
		t.StopAt, t.StopIn = []match{{Value: q.Target, Type: "with_subdomains"}}, []string{"organic"}
	}
	return t, nil
}

// element is an item of a result page; each type uses some of the fields.
type element struct {
	Type        string          `json:"type"`
	Page        int             `json:"page"`
	URL         wire.Text       `json:"url"`
	Title       wire.Text       `json:"title"`
	Description wire.Text       `json:"description"`
	IsPaid      bool            `json:"is_paid"`          // a place of the local pack
	Links       json.RawMessage `json:"links"`            // elements, below a result
	Items       json.RawMessage `json:"items"`            // searches as texts, or elements
	Answers     json.RawMessage `json:"expanded_element"` // elements, below a question
}

var itemTypes = map[string]provider.ItemType{
	"organic":            provider.Organic,
	"featured_snippet":   provider.FeaturedSnippet,
	"local_pack":         provider.LocalPack,
	"knowledge_graph":    provider.KnowledgeGraph,
	"people_also_ask":    provider.SimilarQuestions,
	"people_also_search": provider.SimilarQueries,
	"related_searches":   provider.SimilarQueries,
	"images":             provider.ImagePack,
	"video":              provider.VideoPack,
	"short_videos":       provider.VideoPack,
	"top_stories":        provider.TopStories,
	"shopping":           provider.ShopResults,
	"popular_products":   provider.ShopResults,
	"commercial_units":   provider.ShopResults,
	"ai_overview":        provider.AIOverview,
}

// resultPage puts together the pages, whose elements stand in the order in which Google shows them.
func resultPage(q provider.WebQuery, list listing[element]) provider.WebPage {
	var pages [][]element
	for _, e := range list.Items {
		number := min(max(1, e.Page), provider.MaxWebDepth)
		for len(pages) < number {
			pages = append(pages, nil)
		}
		pages[number-1] = append(pages[number-1], e)
	}
	found := provider.NewWebPages(q)
	for _, elements := range pages {
		found.Add(vendorPage(elements))
	}
	page := found.Page()
	page.Pages = max(1, page.Pages, list.PagesCount)
	if list.ResultsCount != nil && *list.ResultsCount > 0 {
		page.Total = list.ResultsCount // Google often tells none, which reads as 0
	}
	return page
}

func vendorPage(elements []element) provider.VendorPage {
	var page provider.VendorPage
	organic := false
	for _, e := range elements {
		if e.Type == "local_pack" {
			page.Organic = addPlace(page.Organic, e)
			continue
		}
		page.Organic = append(page.Organic, e.item(e.itemType(organic)))
		organic = organic || e.Type == "organic"
		if e.Type == "related_searches" {
			page.Related = append(page.Related, e.searches()...)
		}
	}
	return page
}

// itemType tells ads above the organic results from those below.
func (e element) itemType(below bool) provider.ItemType {
	switch {
	case e.Type == "paid" && below:
		return provider.AdBottom
	case e.Type == "paid":
		return provider.AdTop
	default:
		return cmp.Or(itemTypes[e.Type], provider.Other)
	}
}

// addPlace gathers the places of the local pack, each of which is an element of its own, in one item. Paid ones do not belong to it.
func addPlace(items []provider.WebItem, e element) []provider.WebItem {
	if e.IsPaid {
		return items
	}
	last := len(items) - 1
	if last < 0 || items[last].Type != provider.LocalPack {
		items = append(items, provider.WebItem{Type: provider.LocalPack})
		last++
	}
	items[last].Items = append(items[last].Items, e.item(provider.LocalPack))
	return items
}

func (e element) item(kind provider.ItemType) provider.WebItem {
	item := e.alone(kind)
	for _, link := range elements(e.Links) {
		item.Items = append(item.Items, link.alone(provider.Other))
	}
	for _, text := range e.searches() {
		item.Items = append(item.Items, provider.WebItem{Type: kind, Title: text})
	}
	for _, part := range elements(e.Items) {
		if answers := elements(part.Answers); len(answers) > 0 {
			part.URL, part.Description = answers[0].URL, answers[0].Description
		}
		item.Items = append(item.Items, part.alone(kind))
	}
	return item
}

// alone is the element without what it holds.
func (e element) alone(kind provider.ItemType) provider.WebItem {
	return provider.WebItem{
		Type: kind, URL: string(e.URL), Title: string(e.Title), Description: string(e.Description), Domain: provider.DomainOf(string(e.URL)),
	}
}

// searches are the texts that the element holds.
func (e element) searches() []string {
	var texts []wire.Text
	if json.Unmarshal(e.Items, &texts) != nil {
		return nil
	}
	var searches []string
	for _, text := range texts {
		if text != "" {
			searches = append(searches, string(text))
		}
	}
	return searches
}

// elements are those that another one holds. What is written in some other way is left out, and spoils nothing else.
func elements(raw json.RawMessage) []element {
	var list []element
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}
