package serpapi

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// pageSize is what Google serves; it can no longer be asked for more.
const pageSize = 10

// SearchWeb fetches pages of ten until the depth is reached, Until says yes, or Google has no more.
func (p *Provider) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	if err := q.Check(); err != nil {
		return provider.WebPage{}, err
	}
	asked := search{
		Engine: "google", Q: wire.Text(q.Keyword), Location: wire.Text(q.Location), GoogleDomain: wire.Text(q.GoogleDomain),
		GL: lower(q.Country), HL: lower(q.Language), Device: wire.Text(cmp.Or(q.Device, provider.Desktop)),
	}
	found := provider.NewWebPages(q)
	for ; found.Wants(pageSize); asked.Start += pageSize {
		if asked.Start > 0 {
			if err := provider.Turn(ctx); err != nil {
				return provider.WebPage{}, err
			}
		}
		answer := googleAnswer{envelope: envelope{asked: asked}}
		if err := p.search(ctx, asked, &answer); err != nil {
			return provider.WebPage{}, err
		}
		found.Add(answer.page())
	}
	return found.Page(), nil
}

type googleAnswer struct {
	envelope
	Information struct {
		State wire.Text    `json:"organic_results_state"`
		Total *wire.Number `json:"total_results"`
	} `json:"search_information"`
	Organic wire.List[result] `json:"organic_results"`

	Ads         optional[[]ad]     `json:"ads"`
	AIOverview  optional[overview] `json:"ai_overview"`
	AnswerBox   optional[*result]  `json:"answer_box"`
	Knowledge   optional[*result]  `json:"knowledge_graph"`
	Local       optional[pack]     `json:"local_results"`
	Stories     optional[[]result] `json:"top_stories"`
	Questions   optional[[]result] `json:"related_questions"`
	Discussions optional[[]result] `json:"discussions_and_forums"`
	Images      optional[[]result] `json:"inline_images"`
	Videos      optional[[]result] `json:"inline_videos"`
	Shopping    optional[[]result] `json:"shopping_results"`
	Related     optional[[]result] `json:"related_searches"`
}

// Verify also wants results that lead somewhere, unless Google has none.
func (a *googleAnswer) Verify() error {
	if err := a.envelope.Verify(); err != nil {
		return err
	}
	links := 0
	for _, r := range a.Organic {
		if r.Link != "" {
			links++
		}
	}
	return a.found(links, a.Information.State)
}

// result is any of the parts of a result page; each uses some of the fields.
type result struct {
	Title       wire.Text `json:"title"`
	Link        wire.Text `json:"link"`
	Website     wire.Text `json:"website"`
	Snippet     wire.Text `json:"snippet"`
	Description wire.Text `json:"description"`
	Question    wire.Text `json:"question"`
	Answer      wire.Text `json:"answer"`
	Query       wire.Text `json:"query"`
	Sitelinks   sitelinks `json:"sitelinks"`
}

// sitelinks are a list below an ad, and in one of two lists below an organic result.
type sitelinks []result

func (s *sitelinks) UnmarshalJSON(raw []byte) error {
	var below struct {
		Inline   []result `json:"inline"`
		Expanded []result `json:"expanded"`
	}
	if json.Unmarshal(raw, (*[]result)(s)) != nil && json.Unmarshal(raw, &below) == nil {
		*s = append(below.Inline, below.Expanded...)
	}
	return nil // no rank hangs on them
}

type ad struct {
	result
	Block wire.Text `json:"block_position"` // top, right or bottom
}

type overview struct {
	Blocks []struct {
		Snippet wire.Text `json:"snippet"`
	} `json:"text_blocks"`
	References []result `json:"references"`
}

// pack is the local pack. The place_id of its rows is a cid, unlike that of a map search.
type pack struct {
	Places []struct {
		Title   wire.Text `json:"title"`
		Address wire.Text `json:"address"`
		Links   struct {
			Website wire.Text `json:"website"`
		} `json:"links"`
	} `json:"places"`
}
