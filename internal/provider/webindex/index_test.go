package webindex

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func build(t testing.TB, prior func(string) float64, pages ...Page) *Index {
	t.Helper()
	b := NewBuilder()
	for _, p := range pages {
		if err := b.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build(prior)
}

func urls(results []Result) []string {
	var list []string
	for _, r := range results {
		list = append(list, r.URL)
	}
	return list
}

// filler keeps the words under test rare, as they are in a real web.
func filler(n int) []Page {
	var pages []Page
	for i := range n {
		pages = append(pages, Page{URL: fmt.Sprintf("https://filler%d.example/", i), Title: "Something else", Body: "Nothing of interest to anybody."})
	}
	return pages
}

func TestTheObviousRanksHigher(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("ordinary words about nothing in particular ", 20)
	tests := []struct {
		name          string
		query         Query
		better, worse Page
		prior         func(string) float64
	}{
		{
			name: "a word in the title beats one in the body", query: Query{Words: "pizza"},
			better: Page{Title: "Pizza", Body: body}, worse: Page{Title: "Home", Body: body + "pizza"},
		},
		{
			name: "a word in the address counts", query: Query{Words: "pizza"},
			better: Page{URL: "https://b.example/pizza", Title: "Home", Body: body + "pizza"}, worse: Page{Title: "Home", Body: body + "pizza"},
		},
		{
			name: "more mentions beat fewer", query: Query{Words: "pizza"},
			better: Page{Title: "Home", Body: body + "pizza pizza pizza"}, worse: Page{Title: "Home", Body: body + "pizza and more"},
		},
		{
			name: "a short text about it beats a long one that mentions it", query: Query{Words: "pizza"},
			better: Page{Title: "Home", Body: "pizza and more"}, worse: Page{Title: "Home", Body: body + body + "pizza"},
		},
		{
			name: "all words beat one word often", query: Query{Words: "pizza decatur"},
			better: Page{Title: "Home", Body: body + "pizza in decatur"}, worse: Page{Title: "Pizza pizza", Body: "pizza pizza pizza"},
		},
		{
			name: "a known domain beats an unknown one", query: Query{Words: "pizza"},
			better: Page{URL: "https://www.known.example/x", Title: "Pizza"}, worse: Page{URL: "https://a.example/x", Title: "Pizza"},
			prior: func(domain string) float64 { return map[string]float64{"known.example": 1}[domain] },
		},
		{
			name: "the searcher's country", query: Query{Words: "pizza", Country: "US"},
			better: Page{Title: "Pizza", Country: "us"}, worse: Page{Title: "Pizza pizza", Country: "GB"},
		},
		{
			name: "the searcher's language", query: Query{Words: "pizza", Language: "en"},
			better: Page{Title: "Pizza", Language: "en-GB"}, worse: Page{Title: "Pizza pizza", Language: "de"},
		},
		{
			name: "the searcher's place", query: Query{Words: "pizza", Place: "Decatur,Georgia,United States"},
			better: Page{Title: "Pizza", Body: "In Decatur since 1999"}, worse: Page{Title: "Pizza", Body: "In Macon since 1999"},
		},
		{
			name: "plurals and accents are one", query: Query{Words: "Cafés"},
			better: Page{Title: "The cafe"}, worse: Page{Title: "Home", Body: "A café among many other things"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			// The better page has the later address, so that it cannot win a tie.
			if tt.better.URL == "" {
				tt.better.URL = "https://b.example/x"
			}
			if tt.worse.URL == "" {
				tt.worse.URL = "https://a.example/x"
			}
			got := build(t, tt.prior, append(filler(20), tt.worse, tt.better)...).Search(tt.query)
			if len(got) == 0 || got[0].URL != tt.better.URL {
				t.Errorf("found %q, want %q first", urls(got), tt.better.URL)
			}
		})
	}
}

func TestSearchFindsAndDoesNotFind(t *testing.T) {
	t.Parallel()
	x := build(t, nil, append(filler(20),
		Page{URL: "https://joes.example/", Title: "Joe's Pizza", Body: "Best slices in Decatur"},
		Page{URL: "https://toky.example/", Title: "東京のピザ屋"},
		Page{URL: "https://one.example/", Title: "Decatur weather"},
	)...)
	tests := []struct {
		query string
		want  []string
	}{
		{"joes pizza", []string{"https://joes.example/"}},
		{"JOE'S  PIZZA!", []string{"https://joes.example/"}},
		{"best pizza near me", []string{"https://joes.example/"}},
		{"pizza decatur", []string{"https://joes.example/"}}, // the weather has too little of it
		{"ピザ", []string{"https://toky.example/"}},
		{"unheard words", nil},
		{"", nil},
		{"   \x00 ?!", nil},
		{"near me", nil},
	}
	for _, tt := range tests {
		if got := urls(x.Search(Query{Words: tt.query})); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.query, got, tt.want)
		}
	}
}

func TestAPageIsReplacedByItsNewVersion(t *testing.T) {
	t.Parallel()
	x := build(t, nil,
		Page{URL: "http://www.site.example/menu/", Title: "Old pizza"},
		Page{URL: "https://other.example/", Title: "Pasta"},
		Page{URL: "https://site.example/menu#top", Title: "New calzone"},
	)
	if got := urls(x.Search(Query{Words: "pizza"})); len(got) != 0 {
		t.Errorf("the old version is still found: %q", got)
	}
	if got := urls(x.Search(Query{Words: "calzone"})); !slices.Equal(got, []string{"https://site.example/menu#top"}) || x.Len() != 2 {
		t.Errorf("found %q among %d pages", got, x.Len())
	}
}

func TestBuilderRefuses(t *testing.T) {
	t.Parallel()
	for _, p := range []Page{
		{Title: "No address"},
		{URL: "ftp://a.example/", Title: "x"},
		{URL: "https://", Title: "x"},
		{URL: "site.example", Title: "x"},
		{URL: "https://a.example/"},
		{URL: "https://a.example/" + strings.Repeat("a", maxURL), Title: "x"},
	} {
		if err := NewBuilder().Add(p); err == nil {
			t.Errorf("%.60q %q was taken", p.URL, p.Title)
		}
	}
}

func TestResultsAreReadable(t *testing.T) {
	t.Parallel()
	x := build(t, nil, Page{
		URL: "https://WWW.Site.example/x", Title: "Pizza \x00 \n and   pasta", Body: strings.Repeat("Long text about dough. ", 100),
	})
	r := x.Search(Query{Words: "pizza"})[0]
	if r.Title != "Pizza and pasta" || r.Domain != "site.example" || len(r.Description) > shownText+len("…") || !strings.HasSuffix(r.Description, "…") {
		t.Errorf("%+v", r)
	}
}

func TestHostCrowding(t *testing.T) {
	t.Parallel()
	var pages []Page
	for i := range 30 {
		pages = append(pages, Page{URL: fmt.Sprintf("https://sub%d.big.example/%d", i%3, i), Title: "Pizza pizza pizza"})
	}
	for i := range 40 {
		pages = append(pages, Page{URL: fmt.Sprintf("https://small%02d.example/", i), Title: "Pizza", Body: "and some other words"})
	}
	x := build(t, nil, pages...)
	got := x.Search(Query{Words: "pizza", Limit: 40})
	if len(got) != 40 {
		t.Fatalf("%d results", len(got))
	}
	if domain(got[0]) != "big.example" || domain(got[1]) != "big.example" || domain(got[2]) == "big.example" {
		t.Errorf("the first are %q", urls(got[:3]))
	}
	checkCrowding(t, got)

	alone := build(t, nil, pages[:30]...).Search(Query{Words: "pizza"})
	if len(alone) != 30 {
		t.Errorf("%d results of a site that is alone, want all 30", len(alone))
	}
}

func domain(r Result) string {
	return strings.Join(strings.Split(r.Domain, ".")[strings.Count(r.Domain, ".")-1:], ".")
}

func checkCrowding(t rapid.TB, results []Result) {
	t.Helper()
	for i := range results {
		count := map[string]int{}
		for _, r := range results[max(0, i-CrowdWindow+1) : i+1] {
			if count[domain(r)]++; count[domain(r)] > CrowdLimit {
				t.Fatalf("%s has %d of the results before %d", domain(r), count[domain(r)], i+1)
			}
		}
	}
}

func TestCrowdingProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sites := rapid.SliceOfN(rapid.IntRange(0, 12), 1, 120).Draw(t, "site of each page")
		b := NewBuilder()
		for i, site := range sites {
			title := "pizza " + strings.Repeat("pizza ", i%7) + strings.Repeat("other ", i%5)
			if err := b.Add(Page{URL: fmt.Sprintf("https://s%d.example/%d", site, i), Title: title}); err != nil {
				t.Fatal(err)
			}
		}
		x := b.Build(nil)
		limit := rapid.IntRange(1, 150).Draw(t, "limit")
		got := x.Search(Query{Words: "pizza", Limit: limit})
		if want := min(limit, len(sites)); len(got) != want {
			t.Fatalf("%d results, want %d", len(got), want)
		}
		seen := map[string]bool{}
		best := map[string]float64{}
		for _, r := range got {
			if seen[r.URL] {
				t.Fatalf("%s twice", r.URL)
			}
			seen[r.URL] = true
			if former, ok := best[domain(r)]; ok && r.Score > former {
				t.Fatalf("%s is below a worse page of its own site", r.URL)
			}
			best[domain(r)] = r.Score
		}
		// A shorter list is the beginning of a longer one: depth never changes a rank.
		if longer := x.Search(Query{Words: "pizza", Limit: limit + 20}); !slices.Equal(urls(longer)[:len(got)], urls(got)) {
			t.Fatal("a deeper search has other ranks")
		}
	})
}

func TestSearchIsConcurrentAndRepeatable(t *testing.T) {
	t.Parallel()
	x := build(t, nil, generated(200)...)
	want := urls(x.Search(Query{Words: "alpha bravo"}))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 20 {
				x.Search(Query{Words: vocabulary[i%len(vocabulary)]})
				if got := urls(x.Search(Query{Words: "alpha bravo"})); !slices.Equal(got, want) {
					t.Errorf("got %q, want %q", got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestABetterPriorNeverLowersARank(t *testing.T) {
	t.Parallel()
	x := build(t, nil, generated(150)...)
	query := Query{Words: "charlie", Limit: MaxResults}
	found := x.Search(query)
	if len(found) < 9 {
		t.Fatalf("%d results", len(found))
	}
	site := domain(found[len(found)/2])
	place := func(prior float64) int {
		y := x.WithPrior(func(domain string) float64 {
			if domain == site {
				return prior
			}
			return 0.5
		})
		return slices.IndexFunc(y.Search(query), func(r Result) bool { return domain(r) == site })
	}
	last := place(0)
	for _, prior := range []float64{0.2, 0.5, 0.9, 1, 7} {
		now := place(prior)
		if now < 0 || now > last {
			t.Errorf("with a prior of %v it is at %d after %d", prior, now, last)
		}
		last = now
	}
}

func FuzzSearch(f *testing.F) {
	x := build(f, nil, generated(50)...)
	f.Add("alpha bravo", "us", "en", "Decatur", 10)
	f.Add("\xff東京's", "", "-", ",", -1)
	f.Fuzz(func(t *testing.T, words, country, language, place string, limit int) {
		results := x.Search(Query{words, country, language, place, limit})
		if len(results) > MaxResults || limit > 0 && len(results) > limit {
			t.Fatalf("%d results", len(results))
		}
		for i, r := range results {
			if !(r.Score > 0) || i > 0 && domain(r) == domain(results[i-1]) && r.Score > results[i-1].Score {
				t.Fatalf("score %v at %d", r.Score, i)
			}
		}
	})
}
