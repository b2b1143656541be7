package providertest

import (
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func (s Subject) hasIdeas(t *testing.T) {
	p, _ := s.start(t, 0)
	f, ok := p.(provider.KeywordIdeas)
	if !ok {
		t.Skip("no KeywordIdeas")
	}
	ideas, err := f.IdeasFor(t.Context(), s.Ideas)
	if err != nil {
		t.Fatalf("ideas: %v", err)
	}
	var names []string
	for _, idea := range ideas {
		names = append(names, idea.Keyword)
	}
	if !slices.Equal(names, s.IdeaNames) {
		t.Errorf("proposed %q, want %q", names, s.IdeaNames)
	}
	one := s.Ideas
	one.Limit = 1
	if ideas, err := f.IdeasFor(t.Context(), one); err != nil || len(ideas) != 1 {
		t.Errorf("a limit of 1 gave %d ideas, %v", len(ideas), err)
	}
	for _, seeds := range [][]string{nil, {""}, {strings.Repeat("k", 10_000)}} {
		bad := s.Ideas
		bad.Keywords = seeds
		_, err := f.IdeasFor(t.Context(), bad)
		s.failsAs(t, err, provider.BadQuery)
	}
}
