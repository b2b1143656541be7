package location

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

// The ranking gives what sorting everything would.
func TestRankingEqualsSorting(t *testing.T) {
	t.Parallel()
	type offer struct{ Match, People, Place int }
	rapid.Check(t, func(t *rapid.T) {
		offers := rapid.SliceOf(rapid.Custom(func(t *rapid.T) offer {
			return offer{
				rapid.IntRange(1, exact).Draw(t, "match"),
				rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(0, 1<<32-1)).Draw(t, "people"),
				rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(0, gazetteer.MaxPlaces-1)).Draw(t, "place"),
			}
		})).Draw(t, "offers")
		r := ranking{limit: rapid.IntRange(1, 12).Draw(t, "limit")}
		for _, o := range offers {
			r.add(o.Match, o.People, o.Place)
		}

		slices.SortStableFunc(offers, func(a, b offer) int {
			return cmp.Or(cmp.Compare(b.Match, a.Match), cmp.Compare(b.People, a.People), cmp.Compare(a.Place, b.Place))
		})
		want := []int{}
		for _, o := range offers {
			if !slices.Contains(want, o.Place) && len(want) < r.limit {
				want = append(want, o.Place)
			}
		}
		if got := r.places(); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
