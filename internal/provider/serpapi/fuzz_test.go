package serpapi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func recordings(f *testing.F, pattern string) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
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
}

func FuzzPlaces(f *testing.F) {
	recordings(f, "maps*.json")
	recordings(f, "place*.json")
	f.Add([]byte(`{"place_results":{"type":["",null],"hours":[{"monday":null}],"operating_hours":{"":""},"data_cid":-1}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer mapsAnswer
		if json.Unmarshal(raw, &answer) != nil {
			return
		}
		for _, row := range answer.places() {
			b := row.business()
			if cid, ok := provider.ParseCID(b.CID); b.CID != "" && (!ok || cid != b.CID) {
				t.Errorf("cid %q is not in its one spelling", b.CID)
			}
			if b.Reviews < 0 || strings.ContainsRune(b.Name, 0) {
				t.Errorf("%+v", b)
			}
			for day, spans := range deref(row.week()) {
				for _, span := range spans {
					if span.From < 0 || span.To <= span.From || span.To > 2*1440 {
						t.Errorf("day %d is open %v", day, span)
					}
				}
			}
		}
	})
}

func deref(h *provider.Hours) provider.Hours {
	if h == nil {
		return provider.Hours{}
	}
	return *h
}

func FuzzResultPage(f *testing.F) {
	recordings(f, "search-*.json")
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer googleAnswer
		if json.Unmarshal(raw, &answer) != nil {
			return
		}
		const limit = 15
		found := provider.NewWebPages(provider.WebQuery{Depth: limit})
		found.Add(answer.page())
		found.Add(answer.page())
		if page := found.Page(); page.Depth() > limit || (page.Total != nil && *page.Total < 0) {
			t.Errorf("%d results of %v", page.Depth(), page.Total)
		}
	})
}
