package rankscale_test

import (
	"math"
	"testing"

	"github.com/trigpoint/trigpoint/internal/rankscale"
)

// luminance is WCAG's relative luminance, from 0 to 1.
func luminance(c rankscale.Colour) float64 {
	linear := func(v uint8) float64 {
		if s := float64(v) / 255; s > 0.04045 {
			return math.Pow((s+0.055)/1.055, 2.4)
		} else {
			return s / 12.92
		}
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// lightness is what eyes see of a luminance: CIE L*, from 0 to 100.
func lightness(c rankscale.Colour) float64 { return 116*math.Cbrt(luminance(c)) - 16 }

func TestColoursReadInGreyAndCarryTheirNumbers(t *testing.T) {
	t.Parallel()
	for _, palette := range []string{rankscale.Default, rankscale.BlueOrange} {
		bands := rankscale.Bands(palette)
		if len(bands) != 6 {
			t.Fatalf("%s has %d bands", palette, len(bands))
		}
		for i, b := range bands {
			if i > 0 && lightness(bands[i-1].Fill)-lightness(b.Fill) < 4 {
				t.Errorf("%s: %s is not clearly darker than %s in grey: %.1f after %.1f", palette, b.Name(), bands[i-1].Name(), lightness(b.Fill), lightness(bands[i-1].Fill))
			}
			light, dark := luminance(b.Fill), luminance(b.Ink)
			if light < dark {
				light, dark = dark, light
			}
			if contrast := (light + 0.05) / (dark + 0.05); contrast < 4.5 {
				t.Errorf("%s: the number on %s has a contrast of %.2f", palette, b.Name(), contrast)
			}
		}
	}
}

func TestBandsHaveEveryRank(t *testing.T) {
	t.Parallel()
	for rank, want := range map[int]string{
		1: "1–3", 3: "1–3", 4: "4–7", 7: "4–7", 8: "8–10", 10: "8–10", 11: "11–15", 15: "11–15", 16: "16–20", 20: "16–20", 21: "20+", 100: "20+",
	} {
		if got := rankscale.Of(rankscale.Default, rank).Name(); got != want {
			t.Errorf("rank %d is in %s, want %s", rank, got, want)
		}
	}
}
