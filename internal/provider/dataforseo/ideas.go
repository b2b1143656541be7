package dataforseo

import (
	"context"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// relatedTask asks for what Google proposes at the foot of result pages, and what it proposes there for that: 72 keywords at most.
type relatedTask struct {
	Keyword string `json:"keyword"`
	market
	Depth int `json:"depth"`
	Limit int `json:"limit"`
}

// suggestionTask asks for longer keywords that hold this one.
type suggestionTask struct {
	Keyword string `json:"keyword"`
	market
	Limit int `json:"limit"`
}

// IdeasFor asks both ways for each seed and takes from all lists in turn, so that a short list still holds the best of each.
func (p *Provider) IdeasFor(ctx context.Context, q provider.IdeaQuery) ([]provider.KeywordFigures, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	in, err := marketOf(q.Country, q.Language)
	if err != nil {
		return nil, err
	}
	limit := rowLimit(q.Limit)
	var lists [][]provider.KeywordFigures
	for i, seed := range q.Keywords {
		if i > 0 {
			if err := provider.Turn(ctx); err != nil {
				return nil, err
			}
		}
		seed = strings.ToLower(seed)
		related, err := labs[struct {
			Data keywordData `json:"keyword_data"`
		}](ctx, p, "related_keywords", relatedTask{Keyword: seed, market: in.filled(), Depth: 2, Limit: limit}, limit)
		if err != nil {
			return nil, err
		}
		if err := provider.Turn(ctx); err != nil {
			return nil, err
		}
		suggested, err := labs[keywordData](ctx, p, "keyword_suggestions", suggestionTask{Keyword: seed, market: in.filled(), Limit: limit}, limit)
		if err != nil {
			return nil, err
		}
		var one, other []provider.KeywordFigures
		for _, row := range related.Items {
			one = append(one, row.Data.figures())
		}
		for _, row := range suggested.Items {
			other = append(other, row.figures())
		}
		lists = append(lists, one, other)
	}
	return inTurn(lists, q.Keywords, limit), nil
}

// inTurn takes from each list its first, then its second, and so on, without repeats and without the seeds.
func inTurn(lists [][]provider.KeywordFigures, seeds []string, limit int) []provider.KeywordFigures {
	known := map[string]bool{"": true}
	for _, seed := range seeds {
		known[strings.ToLower(strings.TrimSpace(seed))] = true
	}
	ideas := []provider.KeywordFigures{}
	for row, left := 0, true; left; row++ {
		left = false
		for _, list := range lists {
			if row >= len(list) {
				continue
			}
			left = true
			if key := strings.ToLower(list[row].Keyword); !known[key] && len(ideas) < limit {
				known[key] = true
				ideas = append(ideas, list[row])
			}
		}
	}
	return ideas
}
