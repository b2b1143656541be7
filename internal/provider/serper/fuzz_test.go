package serper

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
	recordings(f, "maps.json")
	f.Add([]byte(`{"places":[{"cid":-1,"rating":"4,5"},{"cid":1e30,"ratingCount":-5},null]}`))
	f.Add([]byte(`{"places":[{"ratingCount":1e300,"types":[null,""],"fid":"0x1:0x2"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer mapsAnswer
		if json.Unmarshal(raw, &answer) != nil {
			return
		}
		for _, row := range answer.Places {
			b := row.business()
			if cid, ok := provider.ParseCID(b.CID); b.CID != "" && (!ok || cid != b.CID) {
				t.Errorf("cid %q is not in its one spelling", b.CID)
			}
			if b.Reviews < 0 || strings.ContainsRune(b.Name, 0) {
				t.Errorf("%+v", b)
			}
		}
	})
}

func FuzzResultPage(f *testing.F) {
	recordings(f, "search-*.json")
	f.Add([]byte(`{"organic":[{"link":"https://[::1"},{"link":"//x"},{"link":"//x"}],"answerBox":{}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer searchAnswer
		if json.Unmarshal(raw, &answer) != nil {
			return
		}
		const limit = 15
		found := provider.NewWebPages(provider.WebQuery{Depth: limit})
		found.Add(answer.page())
		found.Add(answer.page())
		rank := 0
		for _, item := range found.Page().Items {
			if item.Type == provider.Organic {
				if rank++; item.Rank != rank {
					t.Errorf("organic result %d has rank %d", rank, item.Rank)
				}
			}
		}
		if rank > limit || found.Page().Pages != 2 {
			t.Errorf("%d results on %d pages", rank, found.Page().Pages)
		}
	})
}
