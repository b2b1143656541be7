package location

import "github.com/trigpoint/trigpoint/internal/location/gazetteer"

// How well a place matches, worst first.
const (
	noMatch         = iota
	beginsSomewhere // the name begins with it, and the area fits
	laterWord       // a later word of the name begins with all of it
	exactBegun      // the name is exact, the area's is only begun
	begins          // the name begins with all of it
	exactSomewhere  // the name is exact, and so is the area's
	exact           // all of it is the name
)

// Among equal matches the more populous place is first. A place counts less under another name, which
// may be the proper name of a smaller place (Hong Kong was once Victoria); and a region counts less than
// a city, because it has all the people of the city that it is named for.
const (
	aliasShift  = 5
	regionShift = 2
)

// wellKnown is from how many people on another name counts like a place's own: "Roma" is Rome, but "Los"
// is not first of all a village in Mongolia.
const wellKnown = 100_000

// search returns the best places for the query.
func (ix *index) search(q query, limit int) []int {
	best := ranking{limit: limit}
	ix.scan(q.whole(), nil, &best)
	areas := areaFinder{ix: ix}
	for n := len(q.words); n > 0; n-- {
		name, where := q.split(n)
		ix.scanIn(name, areas.find(where), &best)
	}
	if len(best.top) == 0 { // "oregon portland"
		for n := 1; n < len(q.words); n++ {
			where, name := q.splitReversed(n)
			ix.scanIn(name, areas.find(where), &best)
		}
	}
	return best.places()
}

// scanIn ranks the places in areas that fit.
func (ix *index) scanIn(name string, fits []fit, best *ranking) {
	if fits != nil {
		ix.scan(name, fits, best)
	}
}

// scan ranks the places under all keys that begin with the name, with fits only those in areas that fit.
func (ix *index) scan(name string, fits []fit, best *ranking) {
	from, to := prefixed(ix.Keys(), ix.KeyText, name)
	for i := from; i < to; i++ {
		place, form := ix.KeyRef(i)
		whole := len(ix.KeyText(i)) == len(name)
		var match, people int
		if fits == nil {
			match, people = ix.match(place, form, whole)
		} else {
			match, people = ix.matchIn(fits, place, form, whole)
		}
		if match != noMatch {
			best.add(match, people, place)
		}
	}
}

// match judges a key that begins with all of the query, or is all of it, and tells how many people its
// place counts for.
func (ix *index) match(place int, form gazetteer.Form, whole bool) (match, people int) {
	people = ix.people(place)
	switch {
	case form == gazetteer.Word:
		return laterWord, people
	case form == gazetteer.Code && !whole:
		return noMatch, 0
	case form == gazetteer.Code && ix.is(place, gazetteer.Country), form == gazetteer.Name && whole:
		return exact, people
	case form == gazetteer.Code && ix.is(place, gazetteer.Region), form == gazetteer.Name:
		return begins, people
	case form == gazetteer.Alias && whole && people >= wellKnown:
		return exact, people >> aliasShift
	case form == gazetteer.Alias && whole:
		return begins, people
	default:
		return begins, people >> aliasShift
	}
}

// matchIn judges a key that begins with the name part of a query, or is all of it.
func (ix *index) matchIn(fits []fit, place int, form gazetteer.Form, whole bool) (match, people int) {
	f := fits[ix.around(place)]
	if f == unfit || form == gazetteer.Word || form == gazetteer.Code && !whole {
		return noMatch, 0
	}
	people = ix.people(place)
	if form != gazetteer.Name {
		people >>= aliasShift
	}
	switch {
	case !whole:
		return beginsSomewhere, people
	case f == fitsExactly:
		return exactSomewhere, people
	default:
		return exactBegun, people
	}
}

// people of a place, as far as they count.
func (ix *index) people(place int) int {
	n := ix.Population(place)
	if ix.is(place, gazetteer.Region) {
		n >>= regionShift
	}
	return n
}

func (ix *index) is(place int, kind gazetteer.Kind) bool {
	return place < len(ix.Areas) && ix.Areas[place].Kind == kind
}

// around is the area that a place lies in.
func (ix *index) around(place int) int {
	if place < len(ix.Areas) {
		return ix.Areas[place].Parent
	}
	return ix.CityArea(place - len(ix.Areas))
}
