package rankwatch

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// What Stats prints by itself is what encoding/json prints of it.
func TestStatsPrintThemselves(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 2, 3, 250}).Draw(t, "keywords")
		s := Stats{
			StatsHead: StatsHead{
				Annotations: []Annotation{{ID: "a", Content: AnnotationContent{Text: rapid.String().Draw(t, "text")}}}, HistoryDates: []string{"2026-03-10"},
				Stats: StatsSummary{Timeframes: map[string]StatsItem{"2026-03-10": {PerformanceIndex: 1.5}}, TopUp: []string{}, TopDown: []string{}},
			},
			Keywords: make([]KeywordStats, n),
		}
		url := rapid.String().Draw(t, "url")
		for i := range s.Keywords {
			s.Keywords[i].MapPack.URL = &url
			s.Keywords[i].RankHistory = RankHistory{int16(i), NotChecked, 0}
		}
		var own bytes.Buffer
		if err := s.PrintJSON(&own); err != nil {
			t.Fatal(err)
		}
		whole, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if err := json.Unmarshal(own.Bytes(), &a); err != nil {
			t.Fatalf("%v: %s", err, own.Bytes())
		}
		if err := json.Unmarshal(whole, &b); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%s\n%s", own.Bytes(), whole)
		}
	})
}
