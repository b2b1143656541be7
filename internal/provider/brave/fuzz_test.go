package brave

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func FuzzResultPage(f *testing.F) {
	recorded, err := os.ReadFile("testdata/search-0.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(recorded)
	f.Add([]byte(`{"web":{"results":[{"url":"//x"},{"url":"https://[::1"}]},"mixed":{"main":[{"type":"web"},{"type":"web"},{"type":"web","all":true},{"type":"?"}]},"infobox":{"results":{}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer searchAnswer
		if json.Unmarshal(raw, &answer) != nil {
			return
		}
		organic := 0
		for _, item := range answer.items() {
			if item.Type == provider.Organic {
				if item.URL != string(answer.Web.Results[organic].URL) {
					t.Errorf("%s is organic result %d", item.URL, organic+1)
				}
				organic++
			}
		}
		if organic != len(answer.Web.Results) {
			t.Errorf("%d of %d web results", organic, len(answer.Web.Results))
		}
	})
}
