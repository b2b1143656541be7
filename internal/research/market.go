package research

import (
	"slices"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/location"
)

// Place is a location as it is named in other answers.
type Place struct {
	ID    int     `json:"_id" doc:"0 is anywhere."`
	Label string  `json:"label"`
	Code  *string `json:"code" doc:"ISO 3166-1 alpha-2 of its country, in lower case; null for anywhere."`
}

func placeOf(l location.Location) Place {
	p := Place{ID: l.ID, Label: l.Label}
	if l.Code != "" {
		p.Code = &l.Code
	}
	return p
}

// market is where, and in which language, people search.
type market struct {
	location   location.Location
	languageID int
	around     []int // the location, what lies around it, and 0 for anywhere
}

// newMarket finds a market, or says which of its ids is unknown.
func newMarket(locationID, languageID int) (market, errs.Problems) {
	var problems errs.Problems
	l, ok := location.Get(locationID)
	if !ok {
		problems.Add("location_id", errs.InvalidValue, "location_id %d is unknown; find one with /shared/locations.", locationID)
	}
	if _, ok := languageOf(languageID); !ok {
		problems.Add("language_id", errs.InvalidValue, "language_id %d is unknown; 1000 is English, 0 is any.", languageID)
	}
	return market{location: l, languageID: languageID, around: surroundings(l)}, problems
}

// readMarket finds the market of a request; what is wrong with it is noted.
func readMarket(problems *errs.Problems, locationID, languageID int) market {
	m, found := newMarket(locationID, languageID)
	*problems = append(*problems, found...)
	return m
}

// language is its code; "" is any.
func (m market) language() string {
	if l, ok := languageOf(m.languageID); ok && l.Code != nil {
		return *l.Code
	}
	return ""
}

// country is the market of the whole country: vendors know by country what domains rank for and what is like a keyword, and
// what they are asked for one place then serves the others.
func (m market) country() market {
	if len(m.around) < 2 {
		return m // anywhere
	}
	whole, _ := newMarket(m.around[len(m.around)-2], m.languageID)
	return whole
}

// surroundings are the ids of a location and of all that it lies in, nearest first, 0 last.
func surroundings(l location.Location) []int {
	ids := []int{l.ID}
	for l.ParentID != nil {
		l, _ = location.Get(*l.ParentID)
		ids = append(ids, l.ID)
	}
	if l.ID != 0 {
		ids = append(ids, 0)
	}
	return ids
}

// best chooses the row to show: one with a volume, of the nearest place, in the language asked for, the
// account's own, the newest. It is nil when there is none.
func (m market) best(known []figures) *figures {
	var best *figures
	for i := range known {
		row := &known[i]
		if m.suits(row) && (best == nil || m.better(row, best)) {
			best = row
		}
	}
	return best
}

// suits tells whether figures may be shown in the market.
func (m market) suits(row *figures) bool {
	return row.source != sourceAsked && (m.languageID == 0 || row.languageID == 0 || row.languageID == m.languageID) && slices.Contains(m.around, row.locationID)
}

func (m market) better(a, b *figures) bool {
	if x, y := a.volume != nil, b.volume != nil; x != y {
		return x
	}
	if x, y := slices.Index(m.around, a.locationID), slices.Index(m.around, b.locationID); x != y {
		return x < y
	}
	if x, y := a.languageID == m.languageID, b.languageID == m.languageID; x != y {
		return x
	}
	if a.own != b.own {
		return a.own
	}
	return a.toldAt.After(b.toldAt)
}

// within tells which locations lie in the market. The function that it returns remembers its answers.
func (m market) within() func(locationID int) bool {
	known := map[int]bool{}
	return func(id int) bool {
		if m.location.ID == 0 {
			return true
		}
		in, ok := known[id]
		if !ok {
			l, found := location.Get(id)
			in = found && slices.Contains(surroundings(l), m.location.ID)
			known[id] = in
		}
		return in
	}
}

// anywhere is the market of all locations and languages.
func anywhere() market {
	m, _ := newMarket(0, 0)
	return m
}

// asked is a keyword of a request, and its market.
type asked struct {
	kw string
	in *market
}

func askedIn(m *market, kws []string) []asked {
	list := make([]asked, len(kws))
	for i, kw := range kws {
		list[i] = asked{kw, m}
	}
	return list
}
