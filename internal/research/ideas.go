package research

import (
	"context"
	"strings"
	"unicode"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

const (
	maxIdeas  = 300 // of one question: vendors bill by the row
	ideaSeeds = 3   // keywords of a target for which ideas are asked
)

// ideas are keywords that a data provider proposes for seeds, best first. They are kept under what they are about.
func (s *Service) ideas(ctx context.Context, who *asker, kind, subject string, seeds []string, m market) (told[[]string], error) {
	m = m.country()
	q := provider.IdeaQuery{Keywords: seeds, Country: m.location.CountryCode, Language: m.language(), Limit: maxIdeas}
	return remembered(ctx, s, who, question{kind, subject, m, freshFigures}, func(p provider.Prices) provider.Money { return p.Keywords },
		func(ctx context.Context, from provider.KeywordIdeas) (finding[[]string], error) {
			proposed, err := from.IdeasFor(ctx, q)
			if err != nil {
				return finding[[]string]{}, err
			}
			proposed = proposed[:min(len(proposed), maxIdeas)]
			kws := make([]string, len(proposed))
			for i, one := range proposed {
				kws[i] = one.Keyword
			}
			return finding[[]string]{goodKeywords(kws), proposed}, nil
		})
}

// suggestIdeas adds what a data provider proposes for the keywords that the target ranks for best or, when it ranks for none, for
// the words of its address.
func (s *Service) suggestIdeas(ctx context.Context, who *asker, t webtarget.Target, m market, own []standing, scores map[string]float64) error {
	var seeds []string
	for _, one := range own[:min(len(own), ideaSeeds)] {
		seeds = append(seeds, one.kw)
	}
	if len(own) == 0 {
		seeds = goodKeywords([]string{strings.Join(strings.FieldsFunc(addressName(t), isNoLetter), " ")})
	}
	if len(seeds) == 0 {
		return nil // an address of very many words
	}
	ideas, err := s.ideas(ctx, who, askSuggestions, t.String(), seeds, m)
	for i, kw := range ideas.value {
		scores[kw] += wordScore * ideaScore(i, len(ideas.value))
	}
	return err
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
