package performance_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
)

func rowsOf(t *rapid.T) []performance.Row {
	word := rapid.SampledFrom([]string{"", "a", "pizza decatur", "東京", "b\x00c"})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) performance.Row {
		return performance.Row{
			Query: word.Draw(t, "query"), Page: word.Draw(t, "page"), Country: word.Draw(t, "country"), Device: word.Draw(t, "device"),
			Figures: performance.Figures{Clicks: rapid.Int64Range(0, 1e9).Draw(t, "clicks"), Impressions: rapid.Int64Range(0, 1e9).Draw(t, "impressions"), Positions: rapid.Int64Range(0, 1e11).Draw(t, "positions")},
		}
	}), 0, 50).Draw(t, "rows")
}

func unpack(t *rapid.T, c performance.Codec, packed []byte, f performance.Filter) []performance.Row {
	var rows []performance.Row
	if err := c.Each(packed, f, func(r *performance.Row) { rows = append(rows, *r) }); err != nil {
		t.Fatal(err)
	}
	return rows
}

// What is packed comes back, and a filter gives the rows that it admits.
func TestPackedRowsComeBack(t *testing.T) {
	t.Parallel()
	c := performance.NewCodec()
	rapid.Check(t, func(t *rapid.T) {
		rows := rowsOf(t)
		packed, err := c.Pack(rows)
		if err != nil {
			t.Fatal(err)
		}
		got := unpack(t, c, packed, performance.Filter{})
		if !sameRows(got, rows) {
			t.Fatalf("got %v, want %v", got, rows)
		}
		var want []performance.Row
		for _, r := range rows {
			if r.Query == "a" && r.Device == "東京" {
				want = append(want, r)
			}
		}
		if got := unpack(t, c, packed, performance.Filter{Query: "a", Device: "東京"}); !sameRows(got, want) {
			t.Fatalf("filtered %v, want %v", got, want)
		}
	})
}

// sameRows compares them in any order.
func sameRows(a, b []performance.Row) bool {
	count := map[performance.Row]int{}
	for _, r := range a {
		count[r]++
	}
	for _, r := range b {
		count[r]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return len(a) == len(b)
}

// A day of a large site: 50,000 rows of 10,000 queries and 500 pages take less than half a megabyte.
func TestDaysAreSmall(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"pizza", "near", "me", "best", "cheap", "open", "now", "decatur", "atlanta", "delivery", "menu", "deep", "dish", "vegan", "gluten", "free", "lunch", "dinner"}
	queries := make([]string, 10_000)
	for i := range queries {
		for range 2 + random.IntN(4) {
			queries[i] += words[random.IntN(len(words))] + " "
		}
	}
	rows := make([]performance.Row, 50_000)
	for i := range rows {
		impressions := 1 + int64(random.ExpFloat64()*5)
		rows[i] = performance.Row{
			Query: queries[int(random.ExpFloat64()*2000)%len(queries)], Page: fmt.Sprintf("https://www.example.com/restaurants/%d", random.IntN(500)),
			Country: []string{"usa", "can", "mex"}[random.IntN(3)], Device: []string{"MOBILE", "DESKTOP", "TABLET"}[random.IntN(3)],
			Figures: performance.Of(impressions/10, impressions, 1+random.Float64()*30),
		}
	}
	packed, err := performance.NewCodec().Pack(rows)
	if err != nil || len(packed) > 512<<10 {
		t.Errorf("%d rows take %d bytes, %v", len(rows), len(packed), err)
	}
	t.Logf("%.1f bytes a row", float64(len(packed))/float64(len(rows)))
}

func TestDamageIsFound(t *testing.T) {
	t.Parallel()
	c := performance.NewCodec()
	packed, err := c.Pack([]performance.Row{{Query: "pizza", Figures: performance.Of(1, 3, 2.5)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, {}, {9}, packed[:len(packed)-3], append([]byte{2}, packed[1:]...), {1, 2, 3}} {
		if err := c.Each(bad, performance.Filter{}, func(*performance.Row) {}); err == nil {
			t.Errorf("%v is read", bad)
		}
	}
}

func TestPositionsWeighByImpressions(t *testing.T) {
	t.Parallel()
	sum := performance.Of(12, 340, 8.273529411764706)
	sum.Add(performance.Of(1, 10, 1))
	if sum.Clicks != 13 || sum.Impressions != 350 || sum.Positions != 2823 || sum.Position() != 2823.0/350 {
		t.Errorf("%+v", sum)
	}
	if none := (performance.Figures{}); none.CTR() != 0 || none.Position() != 0 {
		t.Errorf("without impressions: %v, %v", none.CTR(), none.Position())
	}
}
