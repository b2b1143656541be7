package rankwatch

import (
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// RankHistory is a rank for each day of a range. It prints null for a day on which the target did not
// rank and for one without a check; spans of the latter are listed beside it.
type RankHistory []int16

// MarshalJSON prints the ranks.
func (h RankHistory) MarshalJSON() ([]byte, error) { return h.append(make([]byte, 0, 2+4*len(h))), nil }

func (h RankHistory) append(text []byte) []byte {
	text = append(text, '[')
	for i, rank := range h {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendRank(text, rank)
	}
	return append(text, ']')
}

// appendNewestFirst prints ranks that are in the order of their days the other way round.
func appendNewestFirst(text []byte, ranks []int16) []byte {
	text = append(text, '[')
	for i := len(ranks) - 1; i >= 0; i-- {
		text = appendRank(text, ranks[i])
		if i > 0 {
			text = append(text, ',')
		}
	}
	return append(text, ']')
}

func appendRank(text []byte, rank int16) []byte {
	if rank > 0 {
		return strconv.AppendInt(text, int64(rank), 10)
	}
	return append(text, "null"...)
}

// Schema documents the list.
func (RankHistory) Schema(r huma.Registry) *huma.Schema {
	rank := *r.Schema(reflect.TypeFor[int](), true, "")
	rank.Nullable = true
	return &huma.Schema{Type: huma.TypeArray, Items: &rank}
}

// DaySpan is days in a row, both included.
type DaySpan struct {
	From string `json:"from" format:"date"`
	To   string `json:"to" format:"date"`
}

// notChecked lists the days without a check; ranks begin with the day from.
func notChecked(ranks []int16, from series.Day) []DaySpan {
	spans := []DaySpan{}
	for i := 0; i < len(ranks); i++ {
		if ranks[i] != series.NotChecked {
			continue
		}
		first := from + series.Day(i)
		for i+1 < len(ranks) && ranks[i+1] == series.NotChecked {
			i++
		}
		spans = append(spans, DaySpan{first.String(), (from + series.Day(i)).String()})
	}
	return spans
}

// RankSeries is the ranks of a keyword, day by day.
type RankSeries struct {
	From       string      `json:"from" format:"date"`
	To         string      `json:"to" format:"date"`
	Ranks      RankHistory `json:"ranks" doc:"One for each day; null when the target did not rank, or on a day listed in not_checked."`
	NotChecked []DaySpan   `json:"not_checked" nullable:"false" doc:"Days without a check, or whose check failed."`
}
