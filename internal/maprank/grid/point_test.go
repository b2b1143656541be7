package grid

import (
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestPointSetLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		points := make([]Point, rapid.IntRange(0, MaxPoints).Draw(t, "n"))
		for i := range points {
			points[i] = Point{
				Index: rapid.IntRange(0, maxIndex).Draw(t, "index"), IsEnabled: rapid.Bool().Draw(t, "enabled"),
				Coordinates: Coordinates{rapid.Float64Range(-90, 90).Draw(t, "lat"), rapid.Float64Range(-180, 180).Draw(t, "lng")},
			}
		}
		set := NewPointSet(points)
		got, err := DecodePointSet(set.ID, set.Encode())
		if err != nil || !reflect.DeepEqual(got, set) {
			t.Fatalf("%+v came back as %+v, %v", set, got, err)
		}
		ids := map[string]bool{}
		for _, p := range got.Points {
			ids[p.ID] = true
		}
		if len(ids) != len(points) {
			t.Fatalf("%d ids for %d points", len(ids), len(points))
		}
	})
	if _, err := DecodePointSet("x", make([]byte, 7)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a damaged set: %v", err)
	}
}
