package rankwatch

import (
	"testing"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// Between the reading of a keyword and of its years its month may have been closed.
func TestAMonthThatIsClosedMeanwhileCountsOnce(t *testing.T) {
	t.Parallel()
	day, _ := series.ParseDay("2026-03-31")
	chunk, err := series.Chunk(nil).Set(31, series.Observation{Rank: 4})
	if err != nil {
		t.Fatal(err)
	}
	year, err := series.Year(nil).Set(3, chunk)
	if err != nil {
		t.Fatal(err)
	}
	k := trackedKeyword{rankState: rankState{month: 202603, chunk: chunk}}
	checks, err := k.checks(series.Range{From: day - 1, To: day + 1}, []series.DatedYear{{Number: 2026, Year: year}}, nil)
	if err != nil || len(checks) != 1 || checks[0].Date != "2026-03-31" || *checks[0].Rank != 4 {
		t.Errorf("%+v, %v", checks, err)
	}
}
