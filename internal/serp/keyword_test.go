package serp

import "testing"

func TestKeywordIDTellsMarketsApart(t *testing.T) {
	t.Parallel()
	id := KeywordID("Best  Pizza", 5, 1000)
	if other := KeywordID("best pizza", 5, 1000); other != id {
		t.Errorf("another spelling has id %s, not %s", other, id)
	}
	if len(id) != 32 {
		t.Errorf("id %s has %d characters, want 32", id, len(id))
	}
	for name, other := range map[string]string{
		"another place": KeywordID("best pizza", 6, 1000), "another language": KeywordID("best pizza", 5, 0), "another keyword": KeywordID("best pizzas", 5, 1000),
	} {
		if other == id {
			t.Errorf("%s has the same id", name)
		}
	}
}
