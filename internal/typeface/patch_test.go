package typeface

import (
	"bytes"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Letters are joined, moved and turned around as HarfBuzz does with the same fonts; the widths are its.
func TestLettersAreLaidOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		leftwards bool
		letters   []string
		widths    []float64
	}{
		"شاورما": {true, []string{"ا", "م", "ر", "و", "ا", "ش"}, []float64{0.291, 0.485, 0.367, 0.447, 0.291, 0.784}},
		"क्षि":   {false, []string{"क्षि"}, []float64{0.971}},
	} {
		patch := NewFolder("testdata", slog.New(slog.DiscardHandler)).Patch([]rune(text))
		letters, ok := patch.Lay(text, want.leftwards)
		if !ok || len(letters) != len(want.letters) {
			t.Fatalf("%s is %+v", text, letters)
		}
		for i, l := range letters {
			if l.Text != want.letters[i] || math.Abs(l.Width-want.widths[i]) > 1e-9 || l.Chars == "" {
				t.Errorf("%s: letter %d is %+v, want %s of %v", text, i, l, want.letters[i], want.widths[i])
			}
		}
		if again, _ := patch.Lay(text, want.leftwards); len(patch.glyphs) == 0 || again[0] != letters[0] {
			t.Errorf("%s is laid out otherwise again", text)
		}
	}
}

// A font that is broken anywhere is a fault, never the end of the program.
func TestBrokenFonts(t *testing.T) {
	t.Parallel()
	const text = "شاورما"
	whole, err := os.ReadFile("testdata/NotoSansArabic-subset.ttf")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	path := filepath.Join(dir, "a.ttf")
	try := func(data []byte) (faults []error) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		folder := NewFolder(dir, slog.New(slog.DiscardHandler))
		if patch := folder.Patch([]rune(text)); patch != nil {
			_, _ = patch.Lay(text, true)
			patch.TTF()
		}
		return folder.Faults()
	}
	for range 400 {
		broken := bytes.Clone(whole)
		for range 1 + random.IntN(20) {
			broken[random.IntN(len(broken))] = byte(random.Uint32())
		}
		try(broken)
	}
	for _, length := range []int{0, 3, 12, 100, len(whole) / 2} {
		if faults := try(whole[:length]); len(faults) != 1 {
			t.Errorf("of %d bytes: %v", length, faults)
		}
	}
	greedy := bytes.Clone(whole)
	copy(greedy[12+12:], "\xff\xff\xff\xff") // the length of its first table
	if faults := try(greedy); len(faults) != 1 || !strings.Contains(faults[0].Error(), "unexpected EOF") {
		t.Errorf("a table of 4 GB: %v", faults)
	}
}
