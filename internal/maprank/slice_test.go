package maprank

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestSlices(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pace             provider.Pace
		points, keywords int
		want             int
	}{
		{provider.Pace{Concurrent: 50, PerSecond: 50}, 441, 100, 500}, // a whole keyword
		{provider.Pace{Concurrent: 2}, 441, 1, 441},
		{provider.Pace{Concurrent: 100, PerSecond: 5}, 441, 1, 50},
		{provider.Pace{Concurrent: 1, PerSecond: 1}, 441, 100, 111}, // at most 400 slices
		{provider.Pace{PerSecond: 0.5}, 25, 1, 25},
	} {
		if got := sliceSize(test.pace, test.points, test.keywords); got != test.want {
			t.Errorf("%+v, %d x %d: slices of %d, want %d", test.pace, test.points, test.keywords, got, test.want)
		}
	}
	if priority(25) >= priority(1_000) || priority(1_000) >= priority(44_100) {
		t.Error("a large report goes before a small one")
	}
}

// However little time a job has, half of it is left for the answers under way.
func TestLastSearch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Service{pace: Pace{Slice: 15 * time.Second}}
		for _, test := range []struct{ job, want time.Duration }{
			{45 * time.Second, 15 * time.Second},
			{20 * time.Second, 10 * time.Second},
			{2 * time.Second, time.Second},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), test.job)
			defer cancel()
			if got := time.Until(s.lastSearch(ctx)); got != test.want {
				t.Errorf("a job of %v starts searches for %v, want %v", test.job, got, test.want)
			}
		}
		if got := time.Until(s.lastSearch(t.Context())); got != s.pace.Slice {
			t.Errorf("without an end: %v", got)
		}
	})
}
