package googleautocomplete

import (
	"encoding/json"
	"os"
	"testing"
	"unicode/utf8"
)

func FuzzSuggestions(f *testing.F) {
	for _, name := range []string{"firefox", "chrome"} {
		recorded, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(recorded)
	}
	f.Add([]byte("[\"\xe9\",[\"\xe9\",null,3],{\"google:suggesttype\":[]}]"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer suggestAnswer
		if json.Unmarshal(raw, &answer) != nil || answer.Verify() != nil {
			return
		}
		for _, q := range answer.queries() {
			if q == "" || !utf8.ValidString(q) {
				t.Errorf("suggestion %q", q)
			}
		}
	})
}
