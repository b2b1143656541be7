package document

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// stretch is text that runs one way.
type stretch struct {
	text      string
	leftwards bool
}

// Marks that say which way a text runs: all begin from the left, as the sentences around what people have written do.
const (
	leftToRight = "\u200e"
	rightToLeft = "\u200f"
)

// withEllipsis says that a text goes on, on the side to which its last letters run.
func withEllipsis(text string) string {
	for _, c := range slices.Backward([]rune(text)) {
		if runsLeftwards(c) {
			return text + "…" + rightToLeft
		}
		if unicode.IsLetter(c) {
			break
		}
	}
	return text + "…"
}

// inOrder cuts a line into stretches, from left to right as they are written.
func inOrder(text string) (all []stretch) {
	if !strings.ContainsFunc(text, runsLeftwards) {
		return []stretch{{text: text}}
	}
	var paragraph bidi.Paragraph
	if _, err := paragraph.SetString(leftToRight + text); err != nil {
		return []stretch{{text: text}}
	}
	order, err := paragraph.Order()
	if err != nil {
		return []stretch{{text: text}}
	}
	var turned []stretch // from right to left, and numbers between and beside them
	turn := func() {
		slices.Reverse(turned)
		all, turned = append(all, turned...), nil
	}
	for i := range order.NumRuns() {
		run := order.Run(i)
		rest := run.String()
		if run.Direction() == bidi.RightToLeft {
			turned = append(turned, stretch{rest, true})
			continue
		}
		if len(turned) > 0 {
			n := leadingNumber(rest)
			if n > 0 {
				turned = append(turned, stretch{text: rest[:n]})
			}
			rest = rest[n:]
		}
		if rest != "" {
			turn()
			all = append(all, stretch{text: rest})
		}
	}
	turn()
	return all
}

// runsLeftwards tells of a character of a script that runs from right to left.
func runsLeftwards(c rune) bool {
	properties, _ := bidi.LookupRune(c)
	return slices.Contains([]bidi.Class{bidi.R, bidi.AL, bidi.AN}, properties.Class())
}

// leadingNumber is how many bytes of a text are a number that it begins with, such as 24/7.
func leadingNumber(text string) (n int) {
	for i, c := range text {
		properties, size := bidi.LookupRune(c)
		switch properties.Class() {
		case bidi.EN, bidi.AN:
			n = i + size
		case bidi.ES, bidi.CS, bidi.ET, bidi.NSM:
		default:
			return n
		}
	}
	return n
}

// attaches tells of a character that is drawn with the one before it, or not at all.
func attaches(c rune) bool { return unicode.In(c, unicode.M, unicode.Cf) }
