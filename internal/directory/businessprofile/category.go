package businessprofile

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed categories.tsv
var categoryTable string

// commonCategories are Google's names of categories by ours.
var commonCategories = sync.OnceValue(func() map[string]string {
	table := map[string]string{}
	for line := range strings.Lines(categoryTable) {
		ours, theirs, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && !strings.HasPrefix(line, "#") {
			table[ours] = "categories/gcid:" + theirs
		}
	}
	return table
})

// bestCategory chooses among the categories whose names begin with ours: the one of the same name, or the only one.
func bestCategory(name string, found []categoryEntry) string {
	for _, c := range found {
		if plain(c.DisplayName) == plain(name) {
			return c.Name
		}
	}
	if len(found) == 1 {
		return found[0].Name
	}
	return ""
}
