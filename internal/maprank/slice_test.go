package maprank

import (
	"testing"

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
