package googleads

import (
	"encoding/json"
	"os"
	"testing"
)

func FuzzFigures(f *testing.F) {
	for _, name := range []string{"metrics", "ideas-2"} {
		recorded, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(recorded)
	}
	f.Add([]byte(`{"results":[{"text":"a","keywordIdeaMetrics":{"avgMonthlySearches":"-5","competitionIndex":1e9,"averageCpcMicros":"-1","monthlySearchVolumes":[{"month":"MAY","year":"1e300","monthlySearches":"1"}]}}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var ideas ideasAnswer
		if json.Unmarshal(raw, &ideas) != nil {
			return
		}
		for _, r := range ideas.Results {
			k := r.Metrics.figures(string(r.Text), 1)
			if (k.Volume != nil && *k.Volume < 0) || (k.CPC != nil && *k.CPC < 0) || (k.Competition != nil && (*k.Competition < 0 || *k.Competition > 100)) {
				t.Errorf("%+v", k)
			}
			for i, m := range k.Monthly {
				if m.Month < 0 || m.Month > 11 || m.Volume < 0 || (i > 0 && m.Year*12+m.Month <= k.Monthly[i-1].Year*12+k.Monthly[i-1].Month) {
					t.Errorf("months %v", k.Monthly)
				}
			}
		}
	})
}
