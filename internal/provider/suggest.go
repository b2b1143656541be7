package provider

import (
	"context"
	"strings"
)

const (
	// MaxSeeds is how many keywords may be asked for ideas at once.
	MaxSeeds = 20

	maxIdeas = 1000
)

// Check refuses what no vendor could answer, before a request is spent on it.
func (q IdeaQuery) Check() error {
	if len(q.Keywords) == 0 || len(q.Keywords) > MaxSeeds {
		return Errorf(BadQuery, "", "Ideas are asked for 1 to %d keywords, not %d.", MaxSeeds, len(q.Keywords))
	}
	if q.Limit < 0 || q.Limit > maxIdeas {
		return Errorf(BadQuery, "", "At most %d ideas are given at once, not %d.", maxIdeas, q.Limit)
	}
	for _, seed := range q.Keywords {
		if err := checkKeyword(seed); err != nil {
			return err
		}
	}
	return checkMarket(q.Country, q.Language, q.Location)
}

// Suggest makes ideas of what a search box suggests: it asks for the suggestions to each seed in turn and puts
// them together, without repeats and without the seeds themselves. Nobody tells their figures.
func Suggest(ctx context.Context, q IdeaQuery, suggestions func(ctx context.Context, seed string) ([]string, error)) ([]KeywordFigures, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	limit := q.Limit
	if limit == 0 {
		limit = maxIdeas
	}
	known := map[string]bool{}
	for _, seed := range q.Keywords {
		known[strings.ToLower(strings.TrimSpace(seed))] = true
	}
	ideas := []KeywordFigures{}
	for i, seed := range q.Keywords {
		if i > 0 {
			if err := Turn(ctx); err != nil {
				return nil, err
			}
		}
		found, err := suggestions(ctx, seed)
		if err != nil {
			return nil, err
		}
		for _, idea := range found {
			idea = strings.TrimSpace(idea)
			if key := strings.ToLower(idea); !known[key] && checkKeyword(idea) == nil {
				known[key] = true
				ideas = append(ideas, KeywordFigures{Keyword: idea})
			}
		}
		if len(ideas) >= limit {
			return ideas[:limit], nil
		}
	}
	return ideas, nil
}
