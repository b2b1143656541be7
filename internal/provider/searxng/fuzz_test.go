package searxng

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
)

func FuzzResults(f *testing.F) {
	recorded, err := os.ReadFile("testdata/search-1.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(recorded)
	f.Add([]byte(`{"results":[{"engines":["google"],"positions":[]},{"engines":["google"],"positions":["2"],"url":"https://[::1"}],"unresponsive_engines":[[],["google"],["google","\u0000"]]}`))
	p, err := New(Options{Engine: "google", Access: provider.Access{URL: "http://searxng.example"}}, clock.System{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer searchAnswer
		if json.Unmarshal(raw, &answer) != nil || answer.Results == nil {
			return
		}
		items, err := p.organic(answer)
		if err != nil && len(items) > 0 {
			t.Errorf("%d items and %v", len(items), err)
		}
		for _, item := range items {
			if item.Type != provider.Organic || item.Domain != provider.DomainOf(item.URL) {
				t.Errorf("%+v", item)
			}
		}
	})
}
