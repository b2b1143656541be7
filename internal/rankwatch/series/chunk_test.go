package series

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func observations() *rapid.Generator[Observation] {
	return rapid.Custom(func(t *rapid.T) Observation {
		o := Observation{
			Rank:       uint16(rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(0, MaxRank)).Draw(t, "rank")),
			MapPack:    uint8(rapid.IntRange(0, MaxMapPack).Draw(t, "map")),
			OwnSnippet: rapid.Bool().Draw(t, "snippet"),
			Features:   Feature(rapid.Uint16().Draw(t, "features")),
		}
		if o.Rank > 0 {
			o.URL = uint16(rapid.OneOf(rapid.IntRange(0, 2), rapid.IntRange(0, MaxURL)).Draw(t, "url"))
			o.MoreURL = rapid.Bool().Draw(t, "more")
		}
		return o
	})
}

// read is the chunk as a map, for comparison.
func read(t rapid.TB, c Chunk) map[int]Observation {
	t.Helper()
	got, last := map[int]Observation{}, 0
	err := c.Each(func(day int, o Observation) {
		if day <= last {
			t.Fatalf("day %d after day %d", day, last)
		}
		got[day], last = o, day
	})
	if err != nil {
		t.Fatalf("reading %x: %v", c, err)
	}
	return got
}

func TestChunkHoldsWhatWasSet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var c Chunk
		want := map[int]Observation{}
		for range rapid.IntRange(0, 40).Draw(t, "sets") {
			day := rapid.IntRange(1, 31).Draw(t, "day")
			o := observations().Draw(t, "observation")
			former, before := c, bytes.Clone(c)
			var err error
			if c, err = c.Set(day, o); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(former, before) {
				t.Fatal("Set changed the former chunk")
			}
			want[day] = o
		}
		got := read(t, c)
		if len(got) != len(want) || c.Len() != len(want) {
			t.Fatalf("%d days (Len %d), want %d", len(got), c.Len(), len(want))
		}
		for day, o := range want {
			if g, ok := got[day]; !ok || g != o {
				t.Fatalf("day %d: %+v, want %+v", day, g, o)
			}
		}
	})
}

func TestOrderOfSettingDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		month := rapid.MapOfN(rapid.IntRange(1, 31), observations(), 0, 31).Draw(t, "month")
		var up, down Chunk
		for day := 1; day <= 31; day++ {
			if o, ok := month[day]; ok {
				up, _ = up.Set(day, o)
			}
			if o, ok := month[32-day]; ok {
				down, _ = down.Set(32-day, o)
			}
		}
		if !bytes.Equal(up, down) {
			t.Fatalf("%x and %x", up, down)
		}
	})
}

func TestNotRankedIsNotNotChecked(t *testing.T) {
	t.Parallel()
	c, err := Chunk(nil).Set(3, Observation{Features: LocalPack})
	if err != nil {
		t.Fatal(err)
	}
	got := read(t, c)
	if o, ok := got[3]; !ok || o.Rank != 0 || o.Features != LocalPack {
		t.Errorf("day 3: %+v, %v", o, ok)
	}
	if _, ok := got[2]; ok || len(got) != 1 {
		t.Errorf("got %v, want day 3 alone", got)
	}
}

func TestSetRefusesWhatItCannotHold(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		day  int
		o    Observation
	}{
		{"day 0", 0, Observation{Rank: 1}},
		{"day 32", 32, Observation{Rank: 1}},
		{"rank too deep", 1, Observation{Rank: MaxRank + 1}},
		{"too many URLs", 1, Observation{Rank: 1, URL: MaxURL + 1}},
		{"map pack too deep", 1, Observation{MapPack: MaxMapPack + 1}},
		{"a URL without a rank", 1, Observation{URL: 1}},
		{"more URLs without a rank", 1, Observation{MoreURL: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if c, err := Chunk(nil).Set(tt.day, tt.o); err == nil {
				t.Errorf("accepted as %x", c)
			}
		})
	}
}

func TestCorruptChunksAreErrors(t *testing.T) {
	t.Parallel()
	good := month(t, rand.New(rand.NewPCG(1, 2)), 31)
	tests := map[string]Chunk{
		"header cut":       good[:4],
		"body cut":         good[:len(good)-1],
		"bytes too many":   append(bytes.Clone(good), 0),
		"another version":  append(Chunk{9}, good[1:]...),
		"no days":          {1, 0, 0, 0, 0},
		"day 0":            {1, 1, 0, 0, 0, 2},
		"rank too deep":    {1, 2, 0, 0, 0, 0xff, 0xff, 0x7f},
		"endless number":   append(Chunk{1, 2, 0, 0, 0}, bytes.Repeat([]byte{0xff}, 11)...),
		"map pack of 31":   {1, 2, 0, 0, 0, 3, 31, 0},
		"URL but unranked": {1, 2, 0, 0, 0, 1, 0x80, 0, 5},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := c.Each(func(int, Observation) {}); !errors.Is(err, ErrCorrupt) {
				t.Errorf("Each: %v", err)
			}
			if _, err := c.Set(1, Observation{Rank: 1}); !errors.Is(err, ErrCorrupt) {
				t.Errorf("Set: %v", err)
			}
		})
	}
}

func FuzzChunk(f *testing.F) {
	f.Add([]byte(nil), 1)
	f.Add([]byte(month(f, rand.New(rand.NewPCG(3, 4)), 31)), 15)
	f.Add([]byte{1, 2, 0, 0, 0, 3, 0x81, 7, 5}, 1)
	f.Fuzz(func(t *testing.T, data []byte, day int) {
		c := Chunk(data)
		want := map[int]Observation{}
		if err := c.Each(func(day int, o Observation) { want[day] = o }); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%v is not ErrCorrupt", err)
			}
			return
		}
		o := Observation{Rank: 5, MapPack: 2, Features: LocalPack}
		next, err := c.Set(day, o)
		if err != nil {
			if day >= 1 && day <= 31 {
				t.Fatal(err)
			}
			return
		}
		want[day] = o
		for day, got := range read(t, next) {
			if got != want[day] {
				t.Fatalf("day %d: %+v, want %+v", day, got, want[day])
			}
		}
	})
}

func TestEveryItemTypeButOrganicIsAFeature(t *testing.T) {
	t.Parallel()
	var all Feature
	for _, item := range provider.ItemTypes() {
		f := FeatureOf(item)
		if item == provider.Organic {
			if f != 0 {
				t.Errorf("a plain result is feature %b", f)
			}
			continue
		}
		name := string(item)
		if item == provider.LocalPack {
			name = "MAP_PACK"
		}
		if names := f.Names(); len(names) != 1 || names[0] != name || all&f != 0 {
			t.Errorf("%s is %b, which is %v", item, f, names)
		}
		all |= f
	}
	if all != OtherFeature<<1-1 || FeatureOf(provider.LocalPack) != LocalPack || FeatureOf(provider.KnowledgeGraph) != KnowledgeGraph {
		t.Errorf("features %b", all)
	}
	if FeatureOf("HOLOGRAM") != OtherFeature {
		t.Error("an unknown type is not OTHER")
	}
	if got := Feature(0).Names(); got == nil || len(got) != 0 {
		t.Errorf("no features: %#v", got)
	}
}
