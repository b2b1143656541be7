package rankwatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Whatever the number of keywords, all are printed, in their order and with their own history, as one
// JSON object.
func TestStatsArePrintedKeywordByKeyword(t *testing.T) {
	t.Parallel()
	from, _ := ParseDay("2026-01-20")
	r := Range{from, from + 19}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 31, 32, 33, 64, 65, 150}).Draw(t, "keywords")
		keywords, years := make([]trackedKeyword, n), map[int64][]yearOf{}
		for i := range keywords {
			var state rankState
			var past []PastCheck
			for day := range r.Days() {
				past = append(past, PastCheck{Day: from + Day(day), Observation: Observation{Rank: uint16((i + day) % 30)}})
			}
			_, rows, err := state.imported(past, nil)
			if err != nil {
				t.Fatal(err)
			}
			keywords[i] = trackedKeyword{number: int64(i), id: fmt.Sprint("id ", i), month: state.month, chunk: state.chunk, createdAt: from.Start()}
			for _, row := range rows {
				years[int64(i)] = append(years[int64(i)], row.yearOf)
			}
		}
		stream, err := compute(r, keywords, make([]*int64, n), years)
		if err != nil {
			t.Fatal(err)
		}
		stream.head.Annotations = []Annotation{{Content: AnnotationContent{Text: rapid.String().Draw(t, "text")}}}
		var text bytes.Buffer
		if err := stream.PrintJSON(&text); err != nil {
			t.Fatal(err)
		}
		var printed Stats
		strict := json.NewDecoder(&text)
		strict.DisallowUnknownFields()
		if err := strict.Decode(&printed); err != nil {
			t.Fatal(err)
		}
		if len(printed.Keywords) != n || printed.HistoryDates[0] != r.To.String() || len(printed.HistoryDates) != r.Days() {
			t.Fatalf("%d of %d keywords, %v", len(printed.Keywords), n, printed.HistoryDates)
		}
		for i, k := range printed.Keywords {
			if k.ID != keywords[i].id || len(k.RankHistory) != r.Days() {
				t.Fatalf("keyword %d is %s with %d days", i, k.ID, len(k.RankHistory))
			}
			for back, rank := range k.RankHistory { // null is read as 0
				if want := (i + r.Days() - 1 - back) % 30; int(rank) != want {
					t.Fatalf("keyword %d, %d days back: %d, want %d", i, back, rank, want)
				}
			}
		}
	})
}
