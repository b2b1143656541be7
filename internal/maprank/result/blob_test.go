package result

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

func TestResultRoundTrip(t *testing.T) {
	t.Parallel()
	many := make([]uint16, MaxRank)
	for i := range many {
		many[i] = uint16(65535 - i)
	}
	for _, tc := range []struct {
		name         string
		points, want []AtPoint // want nil: as given
	}{
		{"no points", []AtPoint{}, nil},
		{"found nothing", []AtPoint{{}}, nil},
		{"failed is not nothing", []AtPoint{{Failed: true}, {}}, nil},
		{"the highest ordinals", []AtPoint{{Ordinals: many}}, nil},
		{"an empty rank in between", []AtPoint{{Ordinals: []uint16{0, 7, 0, 9}}}, nil},
		{"empty ranks at the end", []AtPoint{{Ordinals: []uint16{7, 0, 0}}}, []AtPoint{{Ordinals: []uint16{7}}}},
		{"only empty ranks", []AtPoint{{Ordinals: []uint16{0, 0}}}, []AtPoint{{}}},
		{"listed twice", []AtPoint{{Ordinals: []uint16{7, 8, 7, 9, 7}}}, []AtPoint{{Ordinals: []uint16{7, 8, 0, 9}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			want := tc.want
			if want == nil {
				want = tc.points
			}
			if got := open(t, encode(t, tc.points)).decode(); !samePoints(got, want) {
				t.Errorf("came back as %v, want %v", got, want)
			}
		})
	}
}

func TestResultBounds(t *testing.T) {
	t.Parallel()
	for name, points := range map[string][]AtPoint{
		"too many points":    make([]AtPoint, grid.MaxPoints+1),
		"too many results":   {{Ordinals: make([]uint16, MaxRank+1)}},
		"failed yet results": {{Failed: true, Ordinals: []uint16{1}}},
	} {
		if _, err := Encode(points); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestCorruptResultsAreRefused(t *testing.T) {
	t.Parallel()
	good := encode(t, []AtPoint{{Ordinals: []uint16{5, 9}}, {Failed: true}})
	// good: version 1, width 1, points 2 0, codes 2 0, palette 5 0 9 0, lengths 2 255, codes 1 2
	for name, spoil := range map[string]func([]byte) []byte{
		"empty":                  func([]byte) []byte { return nil },
		"header only":            func(b []byte) []byte { return b[:blobHeader] },
		"cut short":              func(b []byte) []byte { return b[:len(b)-1] },
		"trailing byte":          func(b []byte) []byte { return append(b, 1) },
		"unknown version":        func(b []byte) []byte { b[0] = 9; return b },
		"width 0":                func(b []byte) []byte { b[1] = 0; return b },
		"width 3":                func(b []byte) []byte { b[1] = 3; return b },
		"too many points":        func(b []byte) []byte { b[3] = 255; return b },
		"palette too long":       func(b []byte) []byte { b[5] = 1; return b },
		"palette descending":     func(b []byte) []byte { b[6] = 10; return b },
		"palette holds 0":        func(b []byte) []byte { b[6] = 0; return b },
		"21 results":             func(b []byte) []byte { b[10] = 21; return b },
		"code above the palette": func(b []byte) []byte { b[12] = 3; return b },
	} {
		stored, err := Open(spoil(slices.Clone(good)))
		if err == nil {
			_, err = stored.TallyAll()
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPositionsOfABusiness(t *testing.T) {
	t.Parallel()
	points := []AtPoint{
		{Ordinals: []uint16{300, 2, 556}},
		{Failed: true},
		{},
		{Ordinals: []uint16{0, 556}},
	}
	wide := slices.Concat(points, distinctPoints(300))
	for _, tc := range []struct {
		name     string
		ordinals []uint16
		want     []uint8
	}{
		{"one ordinal", []uint16{300}, []uint8{1, 0, 21, 21}},
		// 556 and 300 share their low byte.
		{"another with the same low byte", []uint16{556}, []uint8{3, 0, 21, 2}},
		{"the best of several", []uint16{556, 2}, []uint8{2, 0, 21, 2}},
		{"one that is nowhere", []uint16{44}, []uint8{21, 0, 21, 21}},
		{"an empty rank is no business", []uint16{0}, []uint8{21, 0, 21, 21}},
		{"nor beside one whose low byte is 0", []uint16{0, 256}, []uint8{21, 0, 21, 21}},
		{"no ordinal", nil, []uint8{21, 0, 21, 21}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := open(t, encode(t, points)).Positions(nil, tc.ordinals...); !slices.Equal(got, tc.want) {
				t.Errorf("narrow: %v, want %v", got, tc.want)
			}
			if got := open(t, encode(t, wide)).Positions(nil, tc.ordinals...); !slices.Equal(got[:4], tc.want) {
				t.Errorf("wide: %v, want %v", got[:4], tc.want)
			}
		})
	}
}

func TestResultProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		points := anyPoints(t)
		stored := open(t, encode(t, points))
		decoded := stored.decode()
		if !samePoints(open(t, encode(t, decoded)).decode(), decoded) {
			t.Fatal("decoding and encoding again changes the result")
		}
		checkTallies(t, stored, decoded)
	})
}

// checkTallies recomputes every tally from the plain lists, one business at a time.
func checkTallies(t interface{ Fatalf(string, ...any) }, stored Stored, points []AtPoint) {
	byOrdinal := map[uint16]Tally{}
	failed := 0
	for _, point := range points {
		if point.Failed {
			failed++
		}
		for _, ordinal := range point.Ordinals {
			if ordinal != 0 {
				byOrdinal[ordinal] = Tally{}
			}
		}
	}
	if len(stored.lengths) != len(points) || stored.FailedPoints() != failed {
		t.Fatalf("%d points, %d failed, want %d, %d", len(stored.lengths), stored.FailedPoints(), len(points), failed)
	}
	for ordinal, tally := range byOrdinal {
		for _, point := range points {
			rank := slices.Index(point.Ordinals, ordinal) + 1
			switch {
			case point.Failed:
				rank = 0
			case rank == 0:
				rank = Unranked
			}
			tally.Add(rank)
		}
		byOrdinal[ordinal] = tally
	}
	tallies, err := stored.TallyAll()
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(tallies) != len(byOrdinal) || !slices.IsSortedFunc(tallies, func(a, b BusinessTally) int { return cmp.Compare(a.Ordinal, b.Ordinal) }) {
		t.Fatalf("%d tallies, want %d in order", len(tallies), len(byOrdinal))
	}
	total := 0.0
	for _, tally := range tallies {
		if tally.Tally != byOrdinal[tally.Ordinal] || stored.Tally(tally.Ordinal) != tally.Tally {
			t.Fatalf("%+v, alone %+v, want %+v", tally, stored.Tally(tally.Ordinal), byOrdinal[tally.Ordinal])
		}
		total += tally.ShareOfVoice()
	}
	if total > 100+1e-9 {
		t.Fatalf("all businesses share %v%% of the voice", total)
	}
}

func FuzzOpenResult(f *testing.F) {
	for _, points := range [][]AtPoint{
		nil,
		{{Ordinals: []uint16{1, 2, 3}}, {Failed: true}, {}},
		{{Ordinals: []uint16{0, 65535}}},
		distinctPoints(300),
	} {
		blob, err := Encode(points)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(blob, uint16(2))
	}
	f.Add([]byte{1, 2, 1, 0, 9, 0, 2, 9, 0, 9, 0}, uint16(9)) // one business twice at a point
	f.Fuzz(func(t *testing.T, blob []byte, ordinal uint16) {
		stored, err := Open(blob)
		if err != nil {
			return
		}
		positions := stored.Positions(nil, ordinal)
		if _, err := stored.TallyAll(); err != nil {
			return
		}
		decoded := stored.decode()
		if len(positions) != len(stored.lengths) || len(decoded) != len(stored.lengths) {
			t.Fatalf("%d positions and %d points of %d", len(positions), len(decoded), len(stored.lengths))
		}
		// What Encode makes of it must be whole again.
		again := open(t, encode(t, decoded))
		checkTallies(t, again, again.decode())
	})
}

// distinctPoints has as many businesses as asked, each seen once: enough of them need wide codes.
func distinctPoints(businesses int) []AtPoint {
	points := make([]AtPoint, (businesses+MaxRank-1)/MaxRank)
	for i := range businesses {
		points[i/MaxRank].Ordinals = append(points[i/MaxRank].Ordinals, uint16(1000+i))
	}
	return points
}

func anyPoints(t *rapid.T) []AtPoint {
	largest := rapid.SampledFrom([]uint16{3, 100, 400, 65535}).Draw(t, "largest")
	ordinals := rapid.SliceOfN(rapid.Uint16Range(0, largest), 0, MaxRank)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) AtPoint {
		if rapid.IntRange(0, 9).Draw(t, "luck") == 0 {
			return AtPoint{Failed: true}
		}
		return AtPoint{Ordinals: ordinals.Draw(t, "ordinals")}
	}), 0, 60).Draw(t, "points")
}

func samePoints(a, b []AtPoint) bool {
	return slices.EqualFunc(a, b, func(a, b AtPoint) bool {
		return a.Failed == b.Failed && slices.Equal(a.Ordinals, b.Ordinals)
	})
}

type fataler interface {
	Helper()
	Fatal(args ...any)
}

func encode(t fataler, points []AtPoint) []byte {
	t.Helper()
	blob, err := Encode(points)
	if err != nil {
		t.Fatal(err)
	}
	return blob
}

func open(t fataler, blob []byte) Stored {
	t.Helper()
	stored, err := Open(blob)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// decode unpacks everything.
func (r Stored) decode() []AtPoint {
	points := make([]AtPoint, len(r.lengths))
	all := make([]uint16, 0, len(r.codes)/r.width)
	codes := r.codes
	for p, length := range r.lengths {
		span, begin := r.span(length), len(all)
		for i := 0; i < span; i += r.width {
			code := uint16(codes[i])
			if r.width == 2 {
				code = binary.LittleEndian.Uint16(codes[i:])
			}
			all = append(all, r.ordinal(code))
		}
		codes = codes[span:]
		points[p] = AtPoint{Failed: length == failedPoint, Ordinals: all[begin:len(all):len(all)]}
	}
	return points
}
