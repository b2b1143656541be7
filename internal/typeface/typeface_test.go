package typeface_test

import (
	"image"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"

	"github.com/trigpoint/trigpoint/internal/typeface"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	f, err := typeface.New(goregular.TTF, 28)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"", "short", strings.Repeat("many words ", 80), strings.Repeat("x", 900), "a " + strings.Repeat("y", 300) + " b", strings.Repeat("漢字", 200)} {
		for _, limit := range []int{1, 2, 4} {
			lines := f.Wrap(strings.TrimSpace(s), 600, limit)
			if len(lines) > limit {
				t.Errorf("%.20q: %d lines, want at most %d", s, len(lines), limit)
			}
			for _, l := range lines {
				if f.Width(l) > 600 || l == "" {
					t.Errorf("line %q of %.20q is %d wide", l, s, f.Width(l))
				}
			}
			joined := strings.Join(lines, "")
			whole := strings.ReplaceAll(strings.TrimSpace(s), " ", "")
			if kept := strings.ReplaceAll(joined, " ", ""); kept != whole && !strings.HasSuffix(kept, "…") {
				t.Errorf("%.20q lost text without an ellipsis", s)
			}
		}
	}
}

func TestReadable(t *testing.T) {
	t.Parallel()
	f, err := typeface.New(goregular.TTF, 17)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"pizza": "pizza", "пицца Ω": "пицца Ω", "ピザ": "…", "ピザ near 駅 5": "… near … 5"} {
		if got := f.Readable(text); got != want {
			t.Errorf("%q is drawn as %q, want %q", text, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	t.Parallel()
	f, err := typeface.New(goregular.TTF, 17)
	if err != nil {
		t.Fatal(err)
	}
	got := f.Clip(strings.Repeat("long keyword ", 40), 300)
	if f.Width(got) > 300 {
		t.Errorf("%q is %d wide, want at most 300", got, f.Width(got))
	}
	if !strings.HasSuffix(got, "…") || len(got) < 20 {
		t.Errorf("clipped to %q", got)
	}
}

func TestWhatTheFontLacks(t *testing.T) {
	t.Parallel()
	f, err := typeface.New(goregular.TTF, 28)
	if err != nil {
		t.Fatal(err)
	}
	for text, like := range map[string]string{"a★b": "ab", "🍕": "", "e\u20dd": "e", "漢字": "字漢"} {
		if got, want := f.Width(text), f.Width(like); got != want {
			t.Errorf("%q is %d wide, %q %d", text, got, like, want)
		}
	}
	drawn := image.NewAlpha(image.Rect(0, 0, 40, 40))
	line := font.Drawer{Dst: drawn, Src: image.Opaque, Face: f, Dot: fixed.P(0, 35)}
	line.DrawString("漢★")
	if line.Dot.X.Ceil() != f.Width("漢") || line.Dot.X == 0 {
		t.Errorf("the text ends at %v, want %d", line.Dot.X, f.Width("漢"))
	}
	if !slices.Contains(drawn.Pix, 120) {
		t.Error("no box is drawn for a missing character")
	}
}
