package dataforseo

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Twelve in any minute, not twelve in each: a burst at the end of one and the start of the next would be refused.
func TestWindowKeepsAnySpan(t *testing.T) {
	t.Parallel()
	w := window{most: 3, per: time.Minute}
	now := time.Date(2026, 8, 22, 9, 0, 0, 0, time.UTC)
	for i, c := range []struct{ after, wait time.Duration }{
		{0, 0}, {0, 0}, {10 * time.Second, 0}, {0, 50 * time.Second}, {0, 50 * time.Second}, {0, time.Minute}, {3 * time.Minute, 0},
	} {
		now = now.Add(c.after)
		if wait := w.reserve(now); wait != c.wait {
			t.Errorf("request %d waits %s, want %s", i+1, wait, c.wait)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.wait(ctx, now); err == nil || len(w.started) != 3 {
		t.Errorf("who has gone took a place: %v, %v", err, w.started)
	}
}

func recordings(f *testing.F) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.json"))
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
	recordings(f)
	f.Add([]byte(`{"tasks":[{"result":[{"items":[{"type":"maps_search","rating":{"value":1e300,"votes_count":-1},"cid":-1,"work_hours":{"timetable":{"monday":[{"open":null,"close":{"hour":-1}}]}}}]}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var a answers[listing[place]]
		if json.Unmarshal(raw, &a) != nil || a.Verify() != nil {
			return
		}
		for _, list := range a.Tasks[0].Result {
			for _, b := range ranked(provider.MapQuery{}, list) {
				if cid, ok := provider.ParseCID(b.CID); b.CID != "" && (!ok || cid != b.CID) {
					t.Errorf("cid %q is not in its one spelling", b.CID)
				}
				if b.Reviews < 0 || strings.ContainsRune(b.Name, 0) {
					t.Errorf("%+v", b)
				}
				if b.Hours == nil {
					continue
				}
				for _, spans := range b.Hours {
					for _, span := range spans {
						if span.From < 0 || span.From >= span.To || span.To > 2*24*60+59 {
							t.Errorf("open from %d to %d", span.From, span.To)
						}
					}
				}
			}
		}
	})
}

func FuzzResultPage(f *testing.F) {
	recordings(f)
	f.Add([]byte(`{"status_code":20000,"tasks":[{"status_code":20000,"result":[{"pages_count":-3,"items":[{"type":"organic","page":-1,"url":"//x"},{"type":"organic","page":900000000,"url":"//x"},{"type":"images","items":7,"links":{}}]}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var a answers[listing[element]]
		if json.Unmarshal(raw, &a) != nil || a.Verify() != nil {
			return
		}
		for _, list := range a.Tasks[0].Result {
			page := resultPage(provider.WebQuery{Depth: 15}, list)
			rank := 0
			for _, item := range page.Items {
				if item.Type != provider.Organic {
					continue
				}
				if rank++; item.Rank != rank || rank > 15 {
					t.Errorf("organic result %d has rank %d", rank, item.Rank)
				}
			}
			if page.Pages < 1 {
				t.Errorf("%d pages", page.Pages)
			}
		}
	})
}
