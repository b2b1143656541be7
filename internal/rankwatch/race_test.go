package rankwatch_test

import (
	"sync"
	"testing"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
)

// together makes n calls at the same time and counts the statuses of the answers.
func (w *world) together(t testing.TB, n int, call func(i int) apptest.Call) map[int]int {
	t.Helper()
	statuses := map[int]int{}
	var mu sync.Mutex
	var calls sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		calls.Go(func() {
			<-start
			answer := w.Do(t, call(i))
			mu.Lock()
			defer mu.Unlock()
			statuses[answer.Status]++
			if answer.Status >= 500 || answer.Status == 409 && answer.Text("error.type") != "Conflict" {
				t.Errorf("answered %d %s", answer.Status, answer.Raw)
			}
		})
	}
	close(start)
	calls.Wait()
	return statuses
}

// Whatever two requests may want at once can be had by one of them, and the others are told so.
func TestOneOfManyWinsAndTheOthersConflict(t *testing.T) {
	t.Parallel()
	const tries = 8
	each(t, func(t *testing.T, w *world) {
		var paths []string
		for i := range tries {
			made := w.post(t, trackings, map[string]any{"domain": "site.com", "location_id": 0, "platform_id": i%2 + 1, "keywords": []string{"x"}})
			if made.Status == 409 {
				made = w.post(t, trackings, map[string]any{"domain": "site-" + string(rune('a'+i)) + ".com", "location_id": 0, "platform_id": 1, "keywords": []string{"x"}})
			}
			paths = append(paths, trackings+"/"+made.Want(t, 201).Text("tracking._id"))
		}
		desktop := append([]string{paths[0]}, paths[2:]...)
		expect := func(what string, got map[int]int, won, lost int) {
			if got[won] != 1 || got[lost] != len(desktop)-1 {
				t.Errorf("%s: %v", what, got)
			}
		}
		expect("one domain", w.together(t, len(desktop), func(i int) apptest.Call {
			return apptest.Call{Method: "PATCH", Path: desktop[i], Body: map[string]any{"domain": "wanted.com"}}
		}), 200, 409)
		expect("one new tracking", w.together(t, len(desktop), func(int) apptest.Call {
			return apptest.Call{Method: "POST", Path: trackings, Body: map[string]any{"domain": "new.com", "location_id": 0, "platform_id": 1, "keywords": []string{"x"}}}
		}), 201, 409)
		expect("one name", w.together(t, len(desktop), func(int) apptest.Call {
			return apptest.Call{Method: "POST", Path: desktop[0] + "/tags", Body: map[string]any{"name": "Food", "color": "#000000"}}
		}), 201, 409)
		expect("one deletion", w.together(t, len(desktop), func(int) apptest.Call {
			return apptest.Call{Method: "DELETE", Path: desktop[1]}
		}), 204, 404)
		if held := w.used(t, account.Trackings); held != int64(len(paths)) { // one more, one less
			t.Errorf("%d trackings are held", held)
		}
		same := w.together(t, tries, func(int) apptest.Call {
			return apptest.Call{Method: "POST", Path: desktop[0] + "/tracked-keywords", Body: map[string]any{"keywords": []string{"y"}}}
		})
		if same[201] != tries || w.get(t, desktop[0]+"/detail").At("tracking.count") != 2.0 {
			t.Errorf("one keyword added at once: %v", same)
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}
