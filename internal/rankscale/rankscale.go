// Package rankscale owns the colours of ranks, the same in pictures, in the terminal and in the dashboard, which reads
// the same file. From the best band to the last each colour is darker than the one before, so that a picture printed in
// grey still reads; and the number on it can be read.
package rankscale

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"image/color"
	"sync"
)

//go:embed scale.json
var file []byte

// The palettes.
const (
	Default    = "default"
	BlueOrange = "blue-orange" // for eyes that do not tell red from green
)

// Band is a range of ranks that look the same.
type Band struct {
	From int  `json:"from"`
	To   *int `json:"to"` // nil is and beyond
	Shade
}

// Shade is how a band looks: a disc, and the number on it.
type Shade struct {
	Fill Colour `json:"fill"`
	Ink  Colour `json:"ink"`
}

// Colour is written as #rrggbb.
type Colour color.RGBA

// RGBA makes it a color.Color.
func (c Colour) RGBA() (r, g, b, a uint32) { return color.RGBA(c).RGBA() }

func (c Colour) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// UnmarshalText reads a colour.
func (c *Colour) UnmarshalText(text []byte) error {
	if _, err := fmt.Sscanf(string(text), "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		return fmt.Errorf("colour %q: %w", text, err)
	}
	c.A = 0xff
	return nil
}

var palettes = sync.OnceValue(func() map[string][]Band {
	var scale struct {
		Bands    []Band             `json:"bands"`
		Palettes map[string][]Shade `json:"palettes"`
	}
	if err := json.Unmarshal(file, &scale); err != nil {
		panic(err) // the file is part of the program
	}
	all := map[string][]Band{}
	for name, shades := range scale.Palettes {
		for i, band := range scale.Bands {
			band.Shade = shades[i]
			all[name] = append(all[name], band)
		}
	}
	return all
})

// Bands are those of a palette, best first.
func Bands(palette string) []Band { return palettes()[palette] }

// Of is the band of a rank, from 1.
func Of(palette string, rank int) Band {
	bands := Bands(palette)
	for _, b := range bands {
		if b.To == nil || rank <= *b.To {
			return b
		}
	}
	return bands[len(bands)-1]
}

// Name is how a band is written in a legend.
func (b Band) Name() string {
	if b.To == nil {
		return fmt.Sprintf("%d+", b.From-1)
	}
	return fmt.Sprintf("%d–%d", b.From, *b.To)
}

// Label is how a rank is written on its disc: those of the last band are not told apart.
func Label(rank int) string {
	if b := Of(Default, rank); b.To == nil {
		return b.Name()
	}
	return fmt.Sprint(rank)
}
