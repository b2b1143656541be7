package location

import (
	"strings"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

// fit tells how well an area, or one around it, answers to what a query says about where a place is.
type fit uint8

const (
	unfit       fit = iota
	fitsBegun       // its name begins with it
	fitsExactly     // its name or code is it
)

// areaFinder finds areas for one query, which asks for the same words again and again.
type areaFinder struct {
	ix   *index
	seen map[string][]fit
}

// find returns the fit of each area, or nil when none fits. Every part must be answered.
func (f *areaFinder) find(parts [][]string) []fit {
	var all []fit
	for i, words := range parts {
		part := f.phrase(words)
		for n := 1; n < len(words); n++ { // "oregon usa" can be one name or two
			part = either(part, both(f.phrase(words[:n]), f.phrase(words[n:])))
		}
		if i > 0 {
			part = both(all, part)
		}
		if all = part; all == nil {
			return nil
		}
	}
	return all
}

// phrase returns the fit of each area to the words as one name, or nil when none fits.
func (f *areaFinder) phrase(words []string) []fit {
	text := strings.Join(words, " ")
	fits, known := f.seen[text]
	if known {
		return fits
	}
	keyText := func(i int) string { return f.ix.KeyText(int(f.ix.areaKeys[i])) }
	from, to := prefixed(len(f.ix.areaKeys), keyText, text)
	for i := from; i < to; i++ {
		area, form := f.ix.KeyRef(int(f.ix.areaKeys[i]))
		whole := len(keyText(i)) == len(text)
		if area == world || form == gazetteer.Word || form == gazetteer.Code && !whole {
			continue
		}
		if fits == nil {
			fits = make([]fit, len(f.ix.Areas))
		}
		if whole {
			fits[area] = fitsExactly
		} else {
			fits[area] = max(fits[area], fitsBegun)
		}
	}
	// What is in an area that fits, fits; an area stands before those inside it.
	for area := range fits {
		fits[area] = max(fits[area], fits[f.ix.Areas[area].Parent])
	}
	if f.seen == nil {
		f.seen = map[string][]fit{}
	}
	f.seen[text] = fits
	return fits
}

// both is how well areas answer to a and to b, nil when none does.
func both(a, b []fit) []fit {
	if a == nil || b == nil {
		return nil
	}
	fits := make([]fit, len(a))
	some := false
	for i := range fits {
		fits[i] = min(a[i], b[i])
		some = some || fits[i] != unfit
	}
	if !some {
		return nil
	}
	return fits
}

// either is how well areas answer to a or to b.
func either(a, b []fit) []fit {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	fits := make([]fit, len(a))
	for i := range fits {
		fits[i] = max(a[i], b[i])
	}
	return fits
}
