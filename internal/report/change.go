package report

import (
	"fmt"
	"math"

	"github.com/trigpoint/trigpoint/internal/report/document"
)

// places is a change of an average position, between the two as they are written: fewer is better.
func places(then, now float64) document.Change { return change(tenth(then)-tenth(now), "%.1f") }

// index is a change of an index, between the two as they are written: more is better.
func index(then, now float64) document.Change { return change(tenth(now)-tenth(then), "%.1f") }

func tenth(v float64) float64 { return math.Round(v*10) / 10 }

// points is a change of a percentage: more is better.
func points(then, now float64) document.Change { return change(now-then, "%.1f pts") }

// counts is a change of a count: more is better.
func counts(then, now float64) document.Change {
	c := change(math.Round(now)-math.Round(then), "%.0f")
	c.Text = whole(math.Abs(math.Round(now) - math.Round(then)))
	return c
}

// change writes how much was won; what is too little to be written is no change.
func change(won float64, format string) document.Change {
	const least = 0.05
	c := document.Change{Text: fmt.Sprintf(format, math.Abs(won))}
	switch {
	case won >= least:
		c.Way = 1
	case won <= -least:
		c.Way = -1
	}
	return c
}
