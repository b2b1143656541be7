// Package gazetteer owns the file of places behind the location search: its format, and the folding
// of names that the file's maker and the search must agree on. What a query means and how places are
// ranked is decided in package location.
package gazetteer

// Kind is what sort of place an area is.
type Kind uint8

// The kinds of places.
const (
	World Kind = iota // the one place that holds all others
	Country
	Region
)

// Form tells how a key names its place.
type Form uint8

// The forms of a key.
const (
	Name  Form = iota // the place's name, or a short form of it
	Alias             // a name in another language, or another name
	Word              // the name from its second or a later word on
	Code              // a code such as GB or OR; it only ever matches whole
)

// Area is a place that holds other places.
type Area struct {
	ID         int
	Kind       Kind
	Parent     int // index of the area around it; the world is its own
	Population int
	Code       string // ISO 3166-1 of a country, the part after the dash of ISO 3166-2 of a region
	Name       string
}

// City is a populated place.
type City struct {
	ID         int
	Area       int // index of its region, or of its country when the region is not known
	Population int
	Name       string
}

// Key is one folded text under which a place is found.
type Key struct {
	Text  string
	Place int // index of an area, or len(areas) + index of a city
	Form  Form
}

// Limits of the format; the search packs a place into 18 bits of its score.
const (
	MaxAreas  = 1 << 16
	MaxPlaces = 1 << 18
	maxText   = 255
	formBits  = 2
)

// Gazetteer is the whole file in memory: a few large blocks in place of a million strings. Keys are in
// byte order; the world is area 0; cities are in order of their id.
type Gazetteer struct {
	Updated int64 // Unix seconds of the source's newest change
	Areas   []Area

	cityIDs   []uint32
	cityAreas []uint16
	cityPops  []uint32
	cityNames texts

	keys texts
	refs []uint32 // place << formBits | form
}

// texts are many strings in one.
type texts struct {
	all    string
	starts []uint32 // one more than there are texts
}

func (t *texts) at(i int) string { return t.all[t.starts[i]:t.starts[i+1]] }

// Cities is how many cities there are.
func (g *Gazetteer) Cities() int { return len(g.cityIDs) }

// CityID is the id of city i.
func (g *Gazetteer) CityID(i int) int { return int(g.cityIDs[i]) }

// CityArea is the index of the area that city i is in.
func (g *Gazetteer) CityArea(i int) int { return int(g.cityAreas[i]) }

// City returns city i.
func (g *Gazetteer) City(i int) City {
	return City{g.CityID(i), g.CityArea(i), int(g.cityPops[i]), g.cityNames.at(i)}
}

// Population of a place, by the index that keys use.
func (g *Gazetteer) Population(place int) int {
	if place < len(g.Areas) {
		return g.Areas[place].Population
	}
	return int(g.cityPops[place-len(g.Areas)])
}

// Keys is how many keys there are.
func (g *Gazetteer) Keys() int { return len(g.refs) }

// KeyText is the text of key i.
func (g *Gazetteer) KeyText(i int) string { return g.keys.at(i) }

// KeyRef is the place that key i names, and how.
func (g *Gazetteer) KeyRef(i int) (place int, form Form) {
	return int(g.refs[i] >> formBits), Form(g.refs[i] & (1<<formBits - 1))
}
