package serper_test

import (
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// The echo proves an answer only when it repeats the question; then, and only then, nothing found is nothing there.
func TestOnlyTheEchoOfTheQuestionProvesAnAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, maps, search string
		found              bool
	}{
		{"empty", `{"searchParameters":{"q":"pizza","type":"maps"},"places":[]}`, `{"searchParameters":{"q":"pizza","type":"search"},"organic":[]}`, true},
		{"no list", `{"searchParameters":{"q":"pizza","type":"maps"},"credits":3}`, `{"searchParameters":{"q":"pizza","type":"search"},"credits":1}`, true},
		{"the point with fewer decimals", `{"searchParameters":{"q":"pizza","type":"maps","ll":"@33.774467,-84.295087,15z"},"places":[]}`, `{"searchParameters":{"q":"pizza","type":"search"},"organic":[]}`, true},
		{"other spacing and case", `{"searchParameters":{"q":" Pizza ","type":"maps"},"places":[]}`, `{"searchParameters":{"q":"PIZZA","type":"search"},"organic":[]}`, true},
		{"one row of many without an id", `{"searchParameters":{"q":"pizza","type":"maps"},"places":[{"title":"A"},{"title":"B","cid":"7"}]}`, `{"searchParameters":{"q":"pizza","type":"search"},"organic":[{"title":"A"},{"link":"https://b.example"}]}`, true},

		{"null", `{"searchParameters":{"q":"pizza","type":"maps"},"places":null}`, `{"searchParameters":{"q":"pizza","type":"search"},"organic":null}`, false},
		{"null echo", `{"searchParameters":null,"places":[]}`, `{"searchParameters":null,"organic":[]}`, false},
		{"empty echo", `{"searchParameters":{},"places":[]}`, `{"searchParameters":{},"organic":[]}`, false},
		{"another query", `{"searchParameters":{"q":"pasta","type":"maps"},"places":[]}`, `{"searchParameters":{"q":"pasta","type":"search"},"organic":[]}`, false},
		{"another type", `{"searchParameters":{"q":"pizza","type":"places"},"places":[]}`, `{"searchParameters":{"q":"pizza","type":"news"},"organic":[]}`, false},
		{"another point", `{"searchParameters":{"q":"pizza","type":"maps","ll":"@40.1,-75.2,15z"},"places":[]}`, `{"searchParameters":{"q":"pizza","type":"search","ll":"@40.1,-75.2,15z"},"organic":[]}`, false},
		{"message beside the echo", `{"searchParameters":{"q":"pizza","type":"maps"},"message":"Oops"}`, `{"searchParameters":{"q":"pizza","type":"search"},"message":"Oops"}`, false},
		{"error beside the echo", `{"searchParameters":{"q":"pizza","type":"maps"},"error":"Oops"}`, `{"searchParameters":{"q":"pizza","type":"search"},"error":"Oops"}`, false},
		{"no row with an id", `{"searchParameters":{"q":"pizza","type":"maps"},"places":[{"title":"A"},{"title":"B"}]}`, `{"searchParameters":{"q":"pizza","type":"search"},"organic":[{"title":"A"}]}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			vendor.Next(providertest.Body(c.maps), providertest.Body(c.search))
			_, ofMap := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "pizza", At: providertest.Decatur})
			_, ofWeb := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza"})
			for what, err := range map[string]error{"map": ofMap, "web": ofWeb} {
				if (err == nil) != c.found || (err != nil && provider.KindOf(err) != provider.Transient) {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
}

// What a free account is refused, and why, is told; what it may ask is asked so that it is answered.
func TestAFreeAccountIsAskedWithinItsBounds(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.FreeAccount = true
	if page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza", Depth: 100}); err != nil || page.Depth() != 100 {
		t.Errorf("%d results, %v", page.Depth(), err)
	}
	_, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: `"pizza"`})
	if provider.KindOf(err) != provider.BadQuery || !strings.Contains(err.Error(), "Take quotes and operators") {
		t.Errorf("a quoted keyword: %v", err)
	}
}
