package provider_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestSuggestionsArePutTogether(t *testing.T) {
	t.Parallel()
	box := map[string][]string{
		"coffee": {"coffee", "Coffee shop", " coffee beans ", ""},
		"tea":    {"coffee SHOP", "tea room"},
	}
	for _, c := range []struct {
		limit, asked int
		want         []string
	}{
		{0, 2, []string{"Coffee shop", "coffee beans", "tea room"}},
		{3, 2, []string{"Coffee shop", "coffee beans", "tea room"}},
		{1, 1, []string{"Coffee shop"}},
	} {
		asked := 0
		ideas, err := provider.Suggest(t.Context(), provider.IdeaQuery{Keywords: []string{"coffee", "tea"}, Limit: c.limit},
			func(_ context.Context, seed string) ([]string, error) { asked++; return box[seed], nil })
		var got []string
		for _, idea := range ideas {
			got = append(got, idea.Keyword)
		}
		if err != nil || !slices.Equal(got, c.want) || asked != c.asked {
			t.Errorf("limit %d: %q after %d questions, %v", c.limit, got, asked, err)
		}
	}
}

func TestSuggestAsksOnlyWhatCanBeAnswered(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]provider.IdeaQuery{
		"no seed":        {},
		"empty seed":     {Keywords: []string{" "}},
		"too many seeds": {Keywords: slices.Repeat([]string{"tea"}, provider.MaxSeeds+1)},
		"negative limit": {Keywords: []string{"tea"}, Limit: -1},
		"bad country":    {Keywords: []string{"tea"}, Country: "USA"},
	} {
		_, err := provider.Suggest(t.Context(), q, func(context.Context, string) ([]string, error) {
			t.Errorf("%s: asked", name)
			return nil, nil
		})
		if provider.KindOf(err) != provider.BadQuery {
			t.Errorf("%s: %v", name, err)
		}
	}
	fault := errors.New("the second fails")
	ideas, err := provider.Suggest(t.Context(), provider.IdeaQuery{Keywords: []string{"a", "b"}}, func(_ context.Context, seed string) ([]string, error) {
		if seed == "b" {
			return nil, fault
		}
		return []string{"a1"}, nil
	})
	if !errors.Is(err, fault) || ideas != nil {
		t.Errorf("part of the ideas was shown as all: %v, %v", ideas, err)
	}
}
