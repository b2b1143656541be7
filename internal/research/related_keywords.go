package research

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/serp"
)

const (
	maxRelated = 1_000 // keywords of an answer
	maxByWords = 5_000 // keywords with a word of the seed that are looked at
)

// RelatedKeywords are keywords that have to do with a seed.
type RelatedKeywords struct {
	ID          string    `json:"_id"`
	Keywords    []Keyword `json:"keywords" doc:"The seed first, then the most related."`
	Language    Language  `json:"language"`
	Location    Place     `json:"location"`
	CountBefore int       `json:"countKeywordsBeforeLimit"`
	Source      *string   `json:"source" doc:"Always null: keywords come from what this service has seen and was told."`
}

func (s *Service) related(ctx context.Context, accountID, seed string, m market) (RelatedKeywords, error) {
	near := newRelatives(seed)
	byWords, err := keywordsByWords(ctx, s.db, accountID, tellingWords(seed), maxByWords)
	if err != nil {
		return RelatedKeywords{}, err
	}
	for _, kw := range byWords {
		near.addByWords(kw)
	}
	if err := s.relatedByResults(ctx, accountID, seed, m, near); err != nil {
		return RelatedKeywords{}, err
	}
	kws := append([]string{seed}, near.ordered()...)
	total := len(kws)
	list, err := s.describeAll(ctx, accountID, askedIn(&m, kws[:min(total, maxRelated)]))
	language, _ := languageOf(m.languageID)
	return RelatedKeywords{
		ID: serp.KeywordID(seed, m.location.ID, m.languageID), Keywords: list, Language: language, Location: placeOf(m.location), CountBefore: total,
	}, err
}

// relatedByResults adds keywords whose result pages are like the seed's, if that has one.
func (s *Service) relatedByResults(ctx context.Context, accountID, seed string, m market, near *relatives) error {
	own, err := serp.SearchesFor(ctx, s.db, accountID, []int{m.location.ID}, []string{seed})
	if err != nil || len(own) == 0 {
		return err
	}
	newest, err := s.serps.Get(ctx, s.db, accountID, own[0].PageID())
	if err != nil {
		return err
	}
	near.addProposed(goodKeywords(newest.Page.Proposals()))
	others, err := searchesIn(ctx, s.db, accountID, m)
	near.addByResults(own[0], others)
	return err
}
