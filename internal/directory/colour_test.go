package directory

import (
	"testing"

	"pgregory.net/rapid"
)

// Whatever colour an account has, its text can be read by day and by night.
func TestBrandColoursCanBeRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.Float64Range(0, 1)
		brand := colour{part.Draw(t, "red"), part.Draw(t, "green"), part.Draw(t, "blue")}.String()
		light, dark := Accents(brand)
		for _, pair := range [][2]string{{light, lightGround}, {light, "#ffffff"}, {dark, darkGround}, {dark, "#101514"}, {dark, "#0b100f"}} {
			text, _ := parseColour(pair[0])
			ground, _ := parseColour(pair[1])
			if got := contrast(text, ground); got < readable {
				t.Fatalf("%s becomes %s, which has a contrast of %.2f on %s", brand, pair[0], got, pair[1])
			}
		}
	})
	if light, _ := Accents("#0f766e"); light != "#0f766e" {
		t.Errorf("a colour that can be read became %s", light)
	}
	if light, _ := Accents("red; background: url(//evil)"); light != defaultAccent {
		t.Errorf("what is no colour became %s", light)
	}
}
