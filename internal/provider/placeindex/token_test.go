package placeindex

import (
	"strings"
	"testing"
)

func TestTokensAreBounded(t *testing.T) {
	t.Parallel()
	if got := tokens(strings.Repeat("word ", maxTokens+26)); len(got) != maxTokens {
		t.Errorf("%d tokens, want %d", len(got), maxTokens)
	}
	if got := appendTokens([]string{"before"}, strings.Repeat("word ", maxTokens+26)); len(got) != maxTokens+1 {
		t.Errorf("%d tokens after another, want %d", len(got)-1, maxTokens)
	}
}

func TestMeaningfulDropsFillerUnlessItIsAll(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"best pizza near me":         "pizza",
		"places to eat in Decatur":   "eat decatur",
		"the bed and breakfast":      "bed breakfast",
		"The Best":                   "the best",
		"open now":                   "open now",
		"closest local coffee shops": "coffee shop",
	} {
		if got := phrase(meaningful(tokens(query))); got != want {
			t.Errorf("%q means %q, want %q", query, got, want)
		}
	}
}
