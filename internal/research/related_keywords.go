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
	Source      *string   `json:"source" doc:"Data provider that proposed some of the keywords; null when all come from what this service has seen and imported."`
	SourceAt    *int64    `json:"source_ts" doc:"When it proposed them, Unix seconds; null without a source."`
	Incomplete  string    `json:"incomplete,omitempty" doc:"Why a data provider could not be asked for more; absent when it could, or none is configured."`
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
	who := &asker{accountID: accountID}
	ideas, err := s.ideas(ctx, who, askIdeas, seed, []string{seed}, m)
	if err != nil {
		return RelatedKeywords{}, err
	}
	near.addIdeas(ideas.value)
	kws := append([]string{seed}, near.ordered()...)
	total := len(kws)
	list, err := s.describeAll(ctx, who, askedIn(&m, kws[:min(total, maxRelated)]))
	if err != nil {
		return RelatedKeywords{}, err
	}
	language, _ := languageOf(m.languageID)
	answer := RelatedKeywords{
		ID: serp.KeywordID(seed, m.location.ID, m.languageID), Keywords: list, Language: language, Location: placeOf(m.location), CountBefore: total,
	}
	if ideas.source != "" {
		at := ideas.at.Unix()
		answer.Source, answer.SourceAt = &ideas.source, &at
	}
	answer.Incomplete, err = who.excuse(total > 1 || list[0].isKnown())
	return answer, err
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
