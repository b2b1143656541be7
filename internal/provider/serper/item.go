package serper

import (
	"cmp"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// above are the parts that Google shows before the organic results. Serper tells what there is, not
// where, so the usual order is kept. It does not tell of ads.
func above(a searchAnswer) []provider.WebItem {
	var items []provider.WebItem
	if a.AnswerBox != nil {
		kind := provider.FeaturedSnippet
		if a.AnswerBox.Link == "" {
			kind = provider.Other // a direct answer, such as the weather, which quotes no page
		}
		items = append(items, a.AnswerBox.item(kind))
	}
	if a.KnowledgeGraph != nil {
		items = append(items, a.KnowledgeGraph.item(provider.KnowledgeGraph))
	}
	items = append(items, localPack(append(a.Places, a.LocalPack...))...)
	return append(items, pack(provider.TopStories, a.TopStories)...)
}

// below are the parts that follow the organic results.
func below(a searchAnswer) []provider.WebItem {
	items := pack(provider.SimilarQuestions, a.PeopleAlsoAsk)
	items = append(items, pack(provider.ImagePack, a.Images)...)
	items = append(items, pack(provider.VideoPack, a.Videos)...)
	items = append(items, pack(provider.ShopResults, a.Shopping)...)
	var queries []result
	for _, r := range a.RelatedSearches {
		if r.Query != "" {
			queries = append(queries, result{Title: r.Query})
		}
	}
	return append(items, pack(provider.SimilarQueries, queries)...)
}

// pack is one item that holds others, or none when there is nothing to hold.
func pack(kind provider.ItemType, results []result) []provider.WebItem {
	if len(results) == 0 {
		return nil
	}
	item := provider.WebItem{Type: kind}
	for _, r := range results {
		item.Items = append(item.Items, r.item(kind))
	}
	return []provider.WebItem{item}
}

func localPack(places []place) []provider.WebItem {
	if len(places) == 0 {
		return nil
	}
	item := provider.WebItem{Type: provider.LocalPack}
	for _, p := range places {
		item.Items = append(item.Items, provider.WebItem{
			Type: provider.LocalPack, Title: string(p.Title), Description: string(p.Address),
			URL: string(p.Website), Domain: provider.DomainOf(string(p.Website)),
		})
	}
	return []provider.WebItem{item}
}

func organic(results []result) []provider.WebItem {
	items := make([]provider.WebItem, len(results))
	for i, r := range results {
		items[i] = r.item(provider.Organic)
		for _, link := range r.Sitelinks {
			items[i].Items = append(items[i].Items, link.item(provider.Other))
		}
	}
	return items
}

func (r result) item(kind provider.ItemType) provider.WebItem {
	link := cmp.Or(r.Link, r.Website)
	return provider.WebItem{
		Type:        kind,
		URL:         string(link),
		Title:       string(cmp.Or(r.Question, r.Title)),
		Description: string(cmp.Or(r.Snippet, r.Description, r.Answer, r.Source)),
		Domain:      provider.DomainOf(string(link)),
	}
}
