package rankwatch

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Whatever the pace, all that is under way at once can be served before any of it runs out of time, and
// what is claimed is begun before its claim ends.
func TestNoCheckStarvesAtAnyPace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pace := provider.Pace{Concurrent: rapid.IntRange(1, 200).Draw(t, "concurrent"), PerSecond: rapid.Float64Range(0.01, 500).Draw(t, "a second")}
		c := paceFor(pace)
		if c.workers < 1 || c.workers > pace.Concurrent || c.claims < c.workers {
			t.Fatalf("%+v", c)
		}
		served := time.Duration(float64(c.workers*maxPages) / pace.PerSecond * float64(time.Second))
		if served > c.limit || c.limit+waitTime > c.lease || c.lease > maxLease {
			t.Fatalf("%d checks of %d pages take %v; %+v", c.workers, maxPages, served, c)
		}
	})
	if c := paceFor(provider.Pace{Concurrent: 50, PerSecond: 1}); c.workers > 4 {
		t.Errorf("at one page a second %d checks are under way", c.workers)
	}
	if c := paceFor(provider.Pace{Concurrent: 50, PerSecond: 50}); c.workers != 50 {
		t.Errorf("at fifty pages a second %d checks are under way", c.workers)
	}
}
