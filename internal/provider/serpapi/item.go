package serpapi

import (
	"cmp"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// page brings the parts into the order in which Google usually shows them: SerpApi tells what there is, not where.
func (a *googleAnswer) page() provider.VendorPage {
	page := provider.VendorPage{Above: a.above(), Below: a.below()}
	for _, r := range a.Organic {
		page.Organic = append(page.Organic, r.item(provider.Organic))
	}
	for _, r := range a.Related.value {
		if r.Query != "" {
			page.Related = append(page.Related, string(r.Query))
		}
	}
	if a.Information.Total != nil && *a.Information.Total >= 0 {
		total := int64(min(*a.Information.Total, 1e15))
		page.Total = &total
	}
	return page
}

func (a *googleAnswer) above() []provider.WebItem {
	items := a.ads(provider.AdTop)
	if o := a.AIOverview.value; len(o.Blocks) > 0 || len(o.References) > 0 {
		item := provider.WebItem{Type: provider.AIOverview}
		if len(o.Blocks) > 0 {
			item.Description = string(o.Blocks[0].Snippet)
		}
		item.Items = each(provider.AIOverview, o.References)
		items = append(items, item)
	}
	if box := a.AnswerBox.value; box != nil {
		kind := provider.FeaturedSnippet
		if box.Link == "" {
			kind = provider.Other // a direct answer, such as the weather, which quotes no page
		}
		items = append(items, box.item(kind))
	}
	if a.Knowledge.value != nil {
		items = append(items, a.Knowledge.value.item(provider.KnowledgeGraph))
	}
	if places := a.Local.value.Places; len(places) > 0 {
		item := provider.WebItem{Type: provider.LocalPack}
		for _, p := range places {
			item.Items = append(item.Items, provider.WebItem{
				Type: provider.LocalPack, Title: string(p.Title), Description: string(p.Address),
				URL: string(p.Links.Website), Domain: provider.DomainOf(string(p.Links.Website)),
			})
		}
		items = append(items, item)
	}
	return append(items, holder(provider.TopStories, a.Stories.value)...)
}

func (a *googleAnswer) below() []provider.WebItem {
	items := holder(provider.SimilarQuestions, a.Questions.value)
	items = append(items, holder(provider.ImagePack, a.Images.value)...)
	items = append(items, holder(provider.VideoPack, a.Videos.value)...)
	items = append(items, holder(provider.ShopResults, a.Shopping.value)...)
	items = append(items, holder(provider.Other, a.Discussions.value)...)
	items = append(items, holder(provider.SimilarQueries, a.Related.value)...)
	return append(items, a.ads(provider.AdBottom)...)
}

// ads are those above the results, at whose side Google shows none any more, or those below.
func (a *googleAnswer) ads(kind provider.ItemType) []provider.WebItem {
	var items []provider.WebItem
	for _, shown := range a.Ads.value {
		if (shown.Block == "bottom") == (kind == provider.AdBottom) {
			items = append(items, shown.item(kind))
		}
	}
	return items
}

// holder is one item that holds others, or none when there is nothing to hold.
func holder(kind provider.ItemType, results []result) []provider.WebItem {
	if len(results) == 0 {
		return nil
	}
	return []provider.WebItem{{Type: kind, Items: each(kind, results)}}
}

func each(kind provider.ItemType, results []result) []provider.WebItem {
	var items []provider.WebItem
	for _, r := range results {
		items = append(items, r.item(kind))
	}
	return items
}

func (r result) item(kind provider.ItemType) provider.WebItem {
	link := string(cmp.Or(r.Link, r.Website))
	return provider.WebItem{
		Type:        kind,
		URL:         link,
		Title:       string(cmp.Or(r.Question, r.Title, r.Query)),
		Description: string(cmp.Or(r.Snippet, r.Description, r.Answer)),
		Domain:      provider.DomainOf(link),
		Items:       each(provider.Other, r.Sitelinks),
	}
}
