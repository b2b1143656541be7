package report

import (
	"fmt"
	"math"

	"github.com/trigpoint/trigpoint/internal/report/document"
)

// places is a change of an average position: fewer is better.
func places(then, now float64) document.Change { return change(then-now, "%.1f") }

// points is a change of a percentage: more is better.
func points(then, now float64) document.Change { return change(now-then, "%.1f pts") }

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
