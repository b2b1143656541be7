package webindex

import (
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/webtarget"
)

func demo(t testing.TB) *Web {
	t.Helper()
	return NewWeb(1, InventBusinesses(1, 240))
}

func indexOn(t testing.TB, w *Web, day int) *Index {
	t.Helper()
	x, err := w.Index(day)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestDemoWebIsAlwaysTheSame(t *testing.T) {
	t.Parallel()
	a, b := demo(t), demo(t)
	if !slices.Equal(a.Pages(10), b.Pages(10)) || a.Prior(99)("town-score.example") != b.Prior(99)("town-score.example") {
		t.Error("the same seed gives another web")
	}
	if other := NewWeb(2, InventBusinesses(1, 240)); slices.Equal(a.Pages(10), other.Pages(10)) {
		t.Error("another seed gives the same web")
	}
}

func TestDemoWebIsNobodys(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range demo(t).Pages(52) {
		if !strings.HasSuffix(webtarget.Domain(p.URL), ".example") {
			t.Errorf("%s is on a domain that could exist", p.URL)
		}
		if seen[key(p.URL)] {
			t.Errorf("%s twice", p.URL)
		}
		seen[key(p.URL)] = true
		if p.Title == "" || p.Description == "" || p.Body == "" || strings.Contains(p.Title+p.Description+p.Body, "%!") {
			t.Errorf("%+v", p)
		}
	}
	if len(seen) < 1000 {
		t.Errorf("%d pages", len(seen))
	}
}

func TestDemoTakesBusinessesOfAnyMarket(t *testing.T) {
	t.Parallel()
	w := NewWeb(1, []Business{
		{Name: "Old Tansywick Locksmith", Kind: "Locksmith", Town: "Stone Mountain", Website: "https://old-tansywick-locksmith.example"},
		{Name: "Real Looking Site", Kind: "Locksmith", Town: "Stone Mountain", Website: "https://someone.com"},
		{Name: "No Site", Kind: "", Town: "Tucker"},
	})
	got := indexOn(t, w, 0).Search(Query{Words: "locksmith stone mountain"})
	var domains []string
	for _, r := range got {
		domains = append(domains, r.Domain)
	}
	if !slices.Contains(domains, "old-tansywick-locksmith.example") || !slices.Contains(domains, "town-score.example") || slices.Contains(domains, "someone.com") {
		t.Errorf("found on %q", domains)
	}
}

func TestDemoSearchesLookLikeSearches(t *testing.T) {
	t.Parallel()
	w := demo(t)
	x := indexOn(t, w, 364)
	keywords := w.Keywords()
	if len(keywords) < 80 || len(slices.Compact(slices.Sorted(slices.Values(keywords)))) != len(keywords) {
		t.Fatalf("%d keywords, or some twice", len(keywords))
	}
	for _, keyword := range keywords {
		results := x.Search(Query{Words: keyword, Country: "US", Language: "en", Place: "Decatur,Georgia,United States"})
		if len(results) < 10 {
			t.Errorf("%q has %d results", keyword, len(results))
			continue
		}
		domains := map[string]bool{}
		for _, r := range results[:10] {
			domains[r.Domain] = true
		}
		if len(domains) < 5 {
			t.Errorf("%q has %d sites on its first page", keyword, len(domains))
		}
	}
}

// history is the daily rank of each domain for a keyword.
func history(t testing.TB, w *Web, keyword string, days int) map[string][]int {
	t.Helper()
	ranks := map[string][]int{}
	var x *Index
	for day := range days {
		if day%7 == 0 {
			x = indexOn(t, w, day)
		}
		for i, r := range x.WithPrior(w.Prior(day)).Search(Query{Words: keyword, Place: "Decatur"}) {
			if ranks[r.Domain] == nil {
				ranks[r.Domain] = make([]int, days)
			}
			if ranks[r.Domain][day] == 0 {
				ranks[r.Domain][day] = i + 1
			}
		}
	}
	return ranks
}

func TestDemoHistoryMovesAsRanksDo(t *testing.T) {
	t.Parallel()
	const days = 77 // with one of the updates
	quiet, steps, moved := 0, 0, 0
	for domain, ranks := range history(t, demo(t), "emergency plumber decatur", days) {
		low, high := 101, 0
		for day, rank := range ranks {
			if rank == 0 {
				continue
			}
			low, high = min(low, rank), max(high, rank)
			if day > 0 && ranks[day-1] > 0 {
				if steps++; max(rank-ranks[day-1], ranks[day-1]-rank) <= 2 {
					quiet++
				}
			}
		}
		if high > low {
			moved++
		}
		if domain == "fennholt-plumbing.example" && high > 20 {
			t.Errorf("a well-matching site falls to %d", high)
		}
	}
	if steps == 0 || float64(quiet)/float64(steps) < 0.8 {
		t.Errorf("%d of %d daily moves are small", quiet, steps)
	}
	if moved < 10 {
		t.Errorf("only %d sites ever moved", moved)
	}
}

func TestDemoStandingsStayInRange(t *testing.T) {
	t.Parallel()
	w := demo(t)
	for day := 0; day < 1500; day += 13 {
		prior := w.Prior(day)
		for domain := range w.sites {
			if p := prior(domain); !(p >= 0 && p <= 1) {
				t.Fatalf("%s has %v on day %d", domain, p, day)
			}
		}
	}
	if w.Prior(1)("unknown.example") != 0 {
		t.Error("an unknown domain has a standing")
	}
}

func TestRewrittenSitesClimb(t *testing.T) {
	t.Parallel()
	w := demo(t)
	rewritten, climbed := 0, 0
	for i, p := range w.pages {
		if p.until == forever || !strings.HasSuffix(p.URL, ".example/") {
			continue
		}
		if rewritten == 12 { // enough to tell
			break
		}
		rewritten++
		after := w.pages[i+1] // the new version of the same page
		noun, _, _ := strings.Cut(after.Title, " in ")
		query := Query{Words: noun + " " + after.Title[strings.Index(after.Title, " in ")+4:strings.Index(after.Title, ",")], Limit: MaxResults}
		rank := func(day int) int {
			at := slices.IndexFunc(indexOn(t, w, day).Search(query), func(r Result) bool { return strings.HasPrefix(r.URL, p.URL) })
			if at < 0 {
				return MaxResults
			}
			return at
		}
		if rank(p.until*7+1) < rank(p.until*7-1) {
			climbed++
		}
	}
	if climbed*2 <= rewritten { // a rival may be rewritten in the same week
		t.Errorf("%d of %d rewritten sites climb for their own words", climbed, rewritten)
	}
}

func BenchmarkDemoYear(b *testing.B) {
	w := demo(b)
	for b.Loop() {
		history(b, w, "pizza place decatur", 365)
	}
}
