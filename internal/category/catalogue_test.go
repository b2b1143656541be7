package category

import "testing"

func unpack(t testing.TB) string {
	t.Helper()
	text, err := unzip(packed)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Every rule leads to a category, and every category but the open groups can be reached by tags.
func TestRulesAndCategoriesAgree(t *testing.T) {
	t.Parallel()
	c := load()
	reached := map[string]bool{}
	for tag, rules := range c.tags {
		for _, rule := range rules {
			reached[rule.id] = true
			if rule.id != noPlace && c.find(rule.id) == nil {
				t.Errorf("%s leads to %q", tag, rule.id)
			}
		}
	}
	open := map[string]bool{"amenity": true, "attraction": true, "leisure": true, "tourism": true}
	for i := range c.entries {
		if id := c.entries[i].ID; !reached[id] && !open[id] {
			t.Errorf("no tags lead to %s", id)
		}
	}
}

func TestTranslationsAreOfCategories(t *testing.T) {
	t.Parallel()
	found := map[string]string{}
	for id, term := range Translations() {
		if _, ok := Get(id); !ok || term == "" {
			t.Errorf("%q is called %q", id, term)
		}
		if found[term] == "" {
			found[term] = id
		}
	}
	for term, id := range map[string]string{"bäckerei": "shop.bakery", "кафе": "amenity.cafe", "supermercat": "shop.supermarket", "パン屋": "shop.bakery"} {
		if found[term] != id {
			t.Errorf("%s is %q, want %q", term, found[term], id)
		}
	}
}

func TestDamagedCatalogueIsRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"unknown line":     "categories\ta\n",
		"missing column":   "category\ta\t\tA\t\n",
		"unknown parent":   "category\ta\tb\tA\t\ta\n",
		"circle":           "category\ta\tb\tA\t\ta\ncategory\tb\ta\tB\t\tb\n",
		"its own parent":   "category\ta\ta\tA\t\ta\n",
		"tag without a id": "tag\ta=b\n",
	} {
		if _, err := parse(text); err == nil {
			t.Errorf("%s: accepted %q", name, text)
		}
	}
}

// The first request that needs the catalogue pays for this.
func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(unpack(b)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkList(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		List("US", 1000, 0)
	}
}
