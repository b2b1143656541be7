package serpapi

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// IdeasFor asks Google's search box, one search for each seed. Locations smaller than a country make no difference to it.
func (p *Provider) IdeasFor(ctx context.Context, q provider.IdeaQuery) ([]provider.KeywordFigures, error) {
	return provider.Suggest(ctx, q, func(ctx context.Context, seed string) ([]string, error) {
		asked := search{Engine: "google_autocomplete", Q: wire.Text(seed), GL: lower(q.Country), HL: lower(q.Language)}
		answer := suggestAnswer{envelope: envelope{asked: asked}}
		if err := p.search(ctx, asked, &answer); err != nil {
			return nil, err
		}
		var ideas []string
		for _, s := range answer.Suggestions {
			if s.Type != "NAVIGATION" { // the address of a site
				ideas = append(ideas, string(s.Value))
			}
		}
		return ideas, nil
	})
}

type suggestAnswer struct {
	envelope
	Information struct {
		State wire.Text `json:"autocomplete_results_state"`
	} `json:"search_information"`
	Suggestions wire.List[struct {
		Value wire.Text `json:"value"`
		Type  wire.Text `json:"type"`
	}] `json:"suggestions"`
}

// Verify also wants suggestions, or the word that there are none.
func (a *suggestAnswer) Verify() error {
	if err := a.envelope.Verify(); err != nil {
		return err
	}
	return a.found(len(a.Suggestions), a.Information.State)
}
