package brave

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

type searchAnswer struct {
	Type  wire.Text `json:"type"`
	Query *struct {
		Original wire.Text `json:"original"`
		More     bool      `json:"more_results_available"`
	} `json:"query"`
	Mixed struct {
		Top  []slot `json:"top"`
		Main []slot `json:"main"`
		Side []slot `json:"side"`
	} `json:"mixed"`
	Web         section `json:"web"` // absent when nothing was found
	News        section `json:"news"`
	Videos      section `json:"videos"`
	FAQ         section `json:"faq"`
	Discussions section `json:"discussions"`
	Locations   section `json:"locations"`
	Infobox     section `json:"infobox"`

	asked wire.Text
}

// slot is a place on the page: for the next result of its type, or for all of them.
type slot struct {
	Type wire.Text `json:"type"`
	All  bool      `json:"all"`
}

type section struct {
	Results results `json:"results"`
}

// results is a list; an infobox may have but the one, without a list around it.
type results []result

func (r *results) UnmarshalJSON(raw []byte) error {
	if raw[0] == '{' {
		*r = make(results, 1)
		return json.Unmarshal(raw, &(*r)[0])
	}
	return json.Unmarshal(raw, (*wire.List[result])(r))
}

// result is a part of any section; each uses some of the fields.
type result struct {
	Title       wire.Text `json:"title"`
	Question    wire.Text `json:"question"`
	URL         wire.Text `json:"url"`
	Description wire.Text `json:"description"`
	Answer      wire.Text `json:"answer"`
	LongDesc    wire.Text `json:"long_desc"`
	Address     struct {
		Display wire.Text `json:"displayAddress"`
	} `json:"postal_address"`
	Deep struct {
		Buttons []result `json:"buttons"`
	} `json:"deep_results"`
}

// Verify wants the question repeated in an answer to a search.
func (a *searchAnswer) Verify() error {
	switch {
	case a.Type != "search":
		return errors.New("type is not search")
	case a.Query == nil:
		return errors.New("query is missing")
	case !a.Query.Original.Same(a.asked):
		return errors.New("query.original is another question")
	}
	return nil
}

// items are the parts of the page in the order of mixed. Web results come in their own order, whichever slot they
// fill; what mixed forgets follows at the end.
func (a *searchAnswer) items() []provider.WebItem {
	var items []provider.WebItem
	web, packs := a.Web.Results, a.packs()
	fill := func(slots ...slot) {
		for _, s := range slots {
			if s.Type != "web" {
				items = append(items, packs[string(s.Type)]...)
				delete(packs, string(s.Type)) // each pack is shown once, at its first slot
				continue
			}
			n := min(1, len(web))
			if s.All {
				n = len(web)
			}
			for _, r := range web[:n] {
				items = append(items, r.organic())
			}
			web = web[n:]
		}
	}
	fill(a.Mixed.Top...)
	fill(a.Mixed.Main...)
	fill(slot{Type: "web", All: true})
	fill(a.Mixed.Side...)
	fill(slot{Type: "locations"}, slot{Type: "news"}, slot{Type: "videos"}, slot{Type: "faq"}, slot{Type: "discussions"}, slot{Type: "infobox"})
	return items
}

// packs are the sections beside the web results, by the names that mixed calls them.
func (a *searchAnswer) packs() map[string][]provider.WebItem {
	packs := map[string][]provider.WebItem{}
	for name, s := range map[string]struct {
		kind provider.ItemType
		of   section
	}{
		"locations":   {provider.LocalPack, a.Locations},
		"news":        {provider.TopStories, a.News},
		"videos":      {provider.VideoPack, a.Videos},
		"faq":         {provider.SimilarQuestions, a.FAQ},
		"discussions": {provider.Other, a.Discussions},
		"infobox":     {provider.KnowledgeGraph, a.Infobox},
	} {
		if len(s.of.Results) == 0 {
			continue
		}
		pack := provider.WebItem{Type: s.kind}
		for _, r := range s.of.Results {
			pack.Items = append(pack.Items, r.item(s.kind))
		}
		packs[name] = []provider.WebItem{pack}
	}
	return packs
}

func (r result) organic() provider.WebItem {
	item := r.item(provider.Organic)
	for _, link := range r.Deep.Buttons {
		item.Items = append(item.Items, link.item(provider.Other))
	}
	return item
}

func (r result) item(kind provider.ItemType) provider.WebItem {
	return provider.WebItem{
		Type:        kind,
		URL:         string(r.URL),
		Title:       string(cmp.Or(r.Question, r.Title)),
		Description: string(cmp.Or(r.Description, r.Answer, r.LongDesc, r.Address.Display)),
		Domain:      provider.DomainOf(string(r.URL)),
	}
}
