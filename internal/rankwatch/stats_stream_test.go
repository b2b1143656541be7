package rankwatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// streamOf makes the stats of n keywords; keyword i has the rank (i + day) % 30.
func streamOf(t interface{ Fatal(...any) }, r series.Range, n int) *statsStream {
	const histories = 30
	keywords, years := make([]trackedKeyword, n), map[int64][]series.DatedYear{}
	for i := range keywords {
		k := &keywords[i]
		*k = trackedKeyword{id: fmt.Sprint("id ", i), createdAt: r.From.Start()}
		if i >= histories { // the same again
			k.rankState = keywords[i-histories].rankState
			years[int64(i)] = years[int64(i-histories)]
		} else {
			past := make([]PastCheck, r.Days())
			for day := range past {
				past[day] = PastCheck{Day: r.From + series.Day(day), Observation: series.Observation{Rank: uint16((i + day) % histories)}}
			}
			var err error
			if years[int64(i)], _, err = k.importChecks(past, nil); err != nil {
				t.Fatal(err)
			}
		}
		k.number = int64(i)
	}
	stream, err := compute(r, keywords, make([]*int64, n), years)
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

// largest is the size of the largest piece that was written, and of all of them.
type largest struct{ piece, all int }

func (w *largest) Write(p []byte) (int, error) {
	w.piece, w.all = max(w.piece, len(p)), w.all+len(p)
	return len(p), nil
}

// A slow reader of two megabytes must not make the program hold them.
func TestStatsGoOutInSmallPieces(t *testing.T) {
	t.Parallel()
	to, _ := series.ParseDay("2026-03-10")
	var w largest
	if err := streamOf(t, series.Range{From: to - MaxDays + 1, To: to}, 1_000).PrintJSON(&w); err != nil {
		t.Fatal(err)
	}
	if w.all < 1_500_000 || w.piece > 200_000 {
		t.Errorf("of %d bytes %d went out at once", w.all, w.piece)
	}
}

func BenchmarkStats(b *testing.B) {
	to, _ := series.ParseDay("2026-03-10")
	stream := streamOf(b, series.Range{From: to - MaxDays + 1, To: to}, 1_000)
	b.ReportAllocs()
	for b.Loop() {
		again, err := compute(stream.r, stream.keywords, stream.volumes, stream.years)
		if err == nil {
			err = again.PrintJSON(io.Discard)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// Whatever the number of keywords, all are printed, in their order and with their own history, as one
// JSON object.
func TestStatsArePrintedKeywordByKeyword(t *testing.T) {
	t.Parallel()
	from, _ := series.ParseDay("2026-01-20")
	r := series.Range{From: from, To: from + 19}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 31, 32, 33, 64, 65, 150}).Draw(t, "keywords")
		stream := streamOf(t, r, n)
		keywords := stream.keywords
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
