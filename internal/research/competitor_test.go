package research

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

func target(t testing.TB, s string) webtarget.Target {
	t.Helper()
	parsed, err := webtarget.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func pageOf(kw string, hosts ...string) serp.Search {
	return serp.Search{Keyword: kw, Hosts: serp.Hosts("\n" + strings.Join(append(hosts, ""), "\n"))}
}

func positions(searches []serp.Search, t webtarget.Target) []int {
	list := make([]int, len(searches))
	for i, s := range searches {
		list[i] = s.Hosts.Position(t)
	}
	return list
}

func TestStandingsKeepTheBestRankOfEachKeyword(t *testing.T) {
	t.Parallel()
	site := target(t, "site.com")
	searches := []serp.Search{
		pageOf("pizza", "a.com", "site.com"), pageOf("pizza", "site.com"), pageOf("pizza", "a.com"),
		pageOf("bread", "a.com", "b.com", "www2.site.com"), pageOf("cake", "a.com"), pageOf("apple", "site.com"),
	}
	list := standings(searches, positions(searches, site))
	var got []string
	for _, s := range list {
		got = append(got, fmt.Sprint(s.kw, s.position))
	}
	if want := []string{"apple1", "pizza1", "bread3"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	other := target(t, "a.com")
	gap := missing(standings(searches, positions(searches, other)), list)
	if len(gap) != 1 || gap[0].kw != "cake" {
		t.Errorf("the gap is %v", gap)
	}
}

// Rivals are counted again here from the pages, one domain at a time.
func TestRivalsAgainstACountByHand(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		hosts := []string{"site.com", "shop.site.com", "a.com", "www2.a.com", "b.com", "c.co.uk", "d.example", ""}
		var searches []serp.Search
		for range rapid.IntRange(0, 12).Draw(r, "pages") {
			kw := fmt.Sprint("kw", rapid.IntRange(0, 5).Draw(r, "kw"))
			searches = append(searches, pageOf(kw, rapid.SliceOfN(rapid.SampledFrom(hosts), 0, 6).Draw(r, "hosts")...))
		}
		site := target(t, "site.com")
		want := map[string]int{}
		for domain, names := range map[string][]string{"a.com": {"a.com", "www2.a.com"}, "b.com": {"b.com"}, "c.co.uk": {"c.co.uk"}, "d.example": {"d.example"}} {
			shared := map[string]bool{}
			for _, s := range searches {
				lines := strings.Split(string(s.Hosts), "\n")
				if (slices.Contains(lines, "site.com") || slices.Contains(lines, "shop.site.com")) && slices.ContainsFunc(names, func(n string) bool { return slices.Contains(lines, n) }) {
					shared[s.Keyword] = true
				}
			}
			if len(shared) > 0 {
				want[domain] = len(shared)
			}
		}
		got := map[string]int{}
		last := 1 << 30
		for _, rv := range competitorsOf(searches, site) {
			got[rv.domain] = rv.shared
			if rv.shared > last {
				r.Fatalf("%s is out of order", rv.domain)
			}
			last = rv.shared
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			r.Fatalf("competitors %v, want %v", got, want)
		}
		for kw, score := range suggest(searches, site) {
			if score <= 0 || !slices.ContainsFunc(searches, func(s serp.Search) bool { return s.Keyword == kw }) {
				r.Fatalf("%s is suggested with %v", kw, score)
			}
		}
	})
}

func TestSuggestPrefersWhatCloseRivalsRankFor(t *testing.T) {
	t.Parallel()
	searches := []serp.Search{
		pageOf("own one", "site.com", "close.com"), pageOf("own two", "close.com", "site.com", "far.com"),
		pageOf("near", "close.com"), pageOf("distant", "far.com"), pageOf("nothing to do with it", "stranger.com"),
	}
	scores := suggest(searches, target(t, "site.com"))
	if scores["near"] <= scores["distant"] || scores["distant"] <= 0 || scores["nothing to do with it"] != 0 || scores["own one"] <= scores["near"] {
		t.Errorf("%v", scores)
	}
}
