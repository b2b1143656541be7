package formula

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

func TestTimeframesCountAKeywordOnlyWhileItIsTracked(t *testing.T) {
	t.Parallel()
	f := NewTimeframes(4)
	f.Add(100, []int16{1, 1, 1, 1}, 1, 3)
	f.Add(100, []int16{2, 2, 2, 2}, -5, 99)
	for day, want := range []int{1, 2, 2, 1} {
		if got := f.Item(day).KeywordsEligible; got != want {
			t.Errorf("day %d: %d keywords, want %d", day, got, want)
		}
	}
}

func TestMergedTimeframesAreThoseOfAllKeywords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		whole, one, two := NewTimeframes(3), NewTimeframes(3), NewTimeframes(3)
		for range rapid.IntRange(0, 30).Draw(t, "keywords") {
			ranks := rapid.SliceOfN(rapid.Int16Range(series.NotChecked, 130), 3, 3).Draw(t, "ranks")
			volume, from := rapid.Int64Range(0, 9999).Draw(t, "volume"), rapid.IntRange(0, 3).Draw(t, "from")
			whole.Add(volume, ranks, from, 3)
			rapid.SampledFrom([]*Timeframes{one, two}).Draw(t, "part").Add(volume, ranks, from, 3)
		}
		one.Merge(two)
		for day := range 3 {
			if one.Item(day) != whole.Item(day) {
				t.Fatalf("day %d: %+v, want %+v", day, one.Item(day), whole.Item(day))
			}
		}
	})
}
