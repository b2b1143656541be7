package serper

import (
	"context"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

type suggestRequest struct {
	Q  string `json:"q"`
	GL string `json:"gl,omitempty"`
	HL string `json:"hl,omitempty"`
}

// IdeasFor asks Google's search box, one request for each seed. Locations smaller than a country make no difference to it.
func (p *Provider) IdeasFor(ctx context.Context, q provider.IdeaQuery) ([]provider.KeywordFigures, error) {
	return provider.Suggest(ctx, q, func(ctx context.Context, seed string) ([]string, error) {
		req := suggestRequest{Q: seed, GL: strings.ToLower(q.Country), HL: q.Language}
		answer := suggestAnswer{envelope: envelope{asked: echo{Type: "autocomplete", Q: wire.Text(seed)}}}
		if err := p.post(ctx, "/autocomplete", req, &answer); err != nil {
			return nil, err
		}
		ideas := make([]string, len(answer.Suggestions))
		for i, s := range answer.Suggestions {
			ideas[i] = string(s.Value)
		}
		return ideas, nil
	})
}

type suggestAnswer struct {
	envelope
	Suggestions wire.List[struct {
		Value wire.Text `json:"value"`
	}] `json:"suggestions"`
}
