package directory

import (
	"fmt"
	"math"
)

// colour is red, green and blue, 0..1 each.
type colour [3]float64

// The grounds that text stands on, and the accent of an account without a brand.
const (
	lightGround   = "#f3f6f5"
	darkGround    = "#1a201f"
	defaultAccent = "#0f766e"

	// readable is the contrast that WCAG asks for between text and its ground.
	readable = 4.5
)

func parseColour(s string) (c colour, ok bool) {
	var r, g, b uint8
	if n, err := fmt.Sscanf(s, "#%02x%02x%02x", &r, &g, &b); err != nil || n != 3 || len(s) != 7 {
		return c, false
	}
	return colour{float64(r) / 255, float64(g) / 255, float64(b) / 255}, true
}

func (c colour) String() string {
	part := func(v float64) uint8 { return uint8(math.Round(255 * v)) }
	return fmt.Sprintf("#%02x%02x%02x", part(c[0]), part(c[1]), part(c[2]))
}

// luminance is the relative luminance of WCAG.
func (c colour) luminance() float64 {
	linear := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

func contrast(a, b colour) float64 {
	high, low := a.luminance(), b.luminance()
	if high < low {
		high, low = low, high
	}
	return (high + 0.05) / (low + 0.05)
}

// legible moves a colour towards black or white until text of it can be read on the ground.
func (c colour) legible(ground string) colour {
	under, _ := parseColour(ground)
	aim := 0.0
	if under.luminance() < 0.2 {
		aim = 1
	}
	const steps = 40
	for step := range steps + 1 {
		share := float64(step) / steps
		moved, _ := parseColour(colour{c[0] + share*(aim-c[0]), c[1] + share*(aim-c[1]), c[2] + share*(aim-c[2])}.String()) // as it is shown
		if contrast(moved, under) >= readable {
			return moved
		}
	}
	return colour{aim, aim, aim}
}

// Accents are a brand's colour as it can be read by day and by night.
func Accents(brand string) (light, dark string) {
	c, ok := parseColour(brand)
	if !ok {
		c, _ = parseColour(defaultAccent)
	}
	return c.legible(lightGround).String(), c.legible(darkGround).String()
}
