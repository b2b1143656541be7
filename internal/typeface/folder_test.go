package typeface

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A patch has the characters of the folder's fonts as they look there, and no others.
func TestPatchOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"a.ttf": []byte("no font"), "deep/b.TTF": goitalic.TTF, "c.txt": nil} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log := slog.New(slog.DiscardHandler)
	if faults := NewFolder(dir, log).Faults(); len(faults) != 1 || !strings.Contains(faults[0].Error(), "a.ttf") {
		t.Errorf("the faults of the folder: %v", faults)
	}
	if faults := NewFolder(filepath.Join(dir, "none"), log).Faults(); len(faults) != 1 {
		t.Errorf("the faults of a folder that is not there: %v", faults)
	}
	patch := NewFolder(dir, log).Patch([]rune("gΩЖ寿"))
	if patch.Has('寿') || !patch.Has('Ж') {
		t.Error("it has other characters than its fonts")
	}
	if letters, ok := patch.Lay("gΩЖЖ", false); !ok || len(letters) != 3 || letters[2].Chars != "ЖЖ" { // one for each script
		t.Errorf("letters that stand for themselves are drawn by %+v", letters)
	}
	got, err := sfnt.Parse(patch.TTF())
	if err != nil {
		t.Fatal(err)
	}
	want, err := sfnt.Parse(goitalic.TTF)
	if err != nil {
		t.Fatal(err)
	}
	var buffer sfnt.Buffer
	for _, c := range "gΩЖ" {
		here, _ := got.GlyphIndex(&buffer, c)
		there, _ := want.GlyphIndex(&buffer, c)
		if here == 0 {
			t.Errorf("%c is not there", c)
		}
		box, advance, err := got.GlyphBounds(&buffer, here, fixed.I(perEm), font.HintingNone)
		if err != nil {
			t.Fatal(err)
		}
		wantBox, wantAdvance, err := want.GlyphBounds(&buffer, there, fixed.I(perEm), font.HintingNone)
		if err != nil {
			t.Fatal(err)
		}
		near := func(a, b fixed.Int26_6) bool { return a-b < 128 && b-a < 128 }
		if !near(advance, wantAdvance) || !near(box.Min.X, wantBox.Min.X) || !near(box.Min.Y, wantBox.Min.Y) || !near(box.Max.X, wantBox.Max.X) || !near(box.Max.Y, wantBox.Max.Y) {
			t.Errorf("%c is %v wide in %v, want %v in %v", c, advance, box, wantAdvance, wantBox)
		}
	}
	for _, path := range []string{"", filepath.Join(dir, "none")} {
		if none := NewFolder(path, log).Patch([]rune("g")); none.Has('g') || none.TTF() != nil {
			t.Errorf("%q has a g", path)
		}
	}
}
