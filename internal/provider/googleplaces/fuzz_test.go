package googleplaces

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func FuzzPlace(f *testing.F) {
	files, err := filepath.Glob("testdata/place-*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no recordings: %v", err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer placeAnswer
		if json.Unmarshal(raw, &answer) != nil {
			return
		}
		b := answer.business("ChIJ")
		if b.Reviews < 0 {
			t.Errorf("%d reviews", b.Reviews)
		}
		if b.Hours == nil {
			return
		}
		for day, spans := range b.Hours {
			for _, span := range spans {
				if span.From < 0 || span.To <= span.From || span.To > 2*24*60 {
					t.Errorf("day %d is open %v", day, span)
				}
			}
		}
	})
}
