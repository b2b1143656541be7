package providertest

import (
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func (s Subject) knowsKeywords(t *testing.T) {
	p, _ := s.start(t, 0)
	f, ok := p.(provider.KeywordSource)
	if !ok {
		t.Skip("not a KeywordSource")
	}
	known, err := f.LookUpKeywords(t.Context(), s.Keywords)
	if err != nil {
		t.Fatalf("look up: %v", err)
	}
	var names []string
	for _, k := range known {
		names = append(names, k.Keyword)
		plausible(t, k)
	}
	if !slices.Equal(names, s.KeywordNames) {
		t.Errorf("knows %q, want %q", names, s.KeywordNames)
	}
	if len(s.KeywordNames) >= len(s.Keywords.Keywords) {
		t.Error("no keyword that the vendor does not know was asked for")
	}
	for _, keywords := range [][]string{nil, {" "}, {strings.Repeat("k", 10_000)}} {
		q := s.Keywords
		q.Keywords = keywords
		if known, err := f.LookUpKeywords(t.Context(), q); len(known) > 0 || (err != nil && provider.KindOf(err) != provider.BadQuery) {
			t.Errorf("keywords that nobody can know: %v, %v", known, err)
		}
	}
}

// plausible holds figures to their units and months to their order.
func plausible(t *testing.T, k provider.KeywordFigures) {
	t.Helper()
	for name, figure := range map[string]*float64{"competition": k.Competition, "difficulty": k.Difficulty} {
		if figure != nil && (*figure < 0 || *figure > 100) {
			t.Errorf("%s has a %s of %v", k.Keyword, name, *figure)
		}
	}
	for i, m := range k.Monthly {
		if m.Month < 0 || m.Month > 11 {
			t.Errorf("%s has a month %d", k.Keyword, m.Month)
		}
		if i > 0 && m.Year*12+m.Month <= k.Monthly[i-1].Year*12+k.Monthly[i-1].Month {
			t.Errorf("%s has months that do not run oldest first: %v", k.Keyword, k.Monthly)
		}
	}
}

func (s Subject) knowsDomains(t *testing.T) {
	p, _ := s.start(t, 0)
	if f, ok := p.(provider.DomainSource); ok {
		found, err := f.DomainKeywords(t.Context(), s.Domain)
		if err != nil {
			t.Fatalf("keywords of the domain: %v", err)
		}
		var names []string
		for _, k := range found.Items {
			names = append(names, k.Keyword)
			plausible(t, k.KeywordFigures)
			if k.Rank < 1 {
				t.Errorf("%s has rank %d", k.Keyword, k.Rank)
			}
		}
		if !slices.Equal(names, s.DomainNames) || found.Total < len(names) {
			t.Errorf("ranks for %q of %d, want %q", names, found.Total, s.DomainNames)
		}
	}
	if f, ok := p.(provider.CompetitorSource); ok {
		found, err := f.Competitors(t.Context(), s.Domain)
		if err != nil {
			t.Fatalf("competitors: %v", err)
		}
		var names []string
		for _, c := range found {
			names = append(names, c.Domain)
		}
		if !slices.Equal(names, s.Rivals) {
			t.Errorf("competes with %q, want %q", names, s.Rivals)
		}
	}
}

func (s Subject) knowsLinks(t *testing.T) {
	p, _ := s.start(t, 0)
	f, ok := p.(provider.LinkSource)
	if !ok {
		t.Skip("not a LinkSource")
	}
	links, err := f.LinksTo(t.Context(), s.Links)
	if err != nil {
		t.Fatalf("links: %v", err)
	}
	if links.Links == nil || *links.Links < 1 || (links.Rank != nil && (*links.Rank < 0 || *links.Rank > 100)) {
		t.Errorf("%+v", links)
	}
}
