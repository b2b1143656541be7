package provider

import (
	"strings"
	"unicode/utf8"
)

const (
	// MaxMapResults is how many results of a map search count; the rest is "not ranked".
	MaxMapResults = 20

	maxKeyword = 700 // characters; the longest that any vendor takes
	maxPlaceID = 255 // bytes

	maxLanguage = 16  // bytes
	maxLocation = 500 // bytes
)

// Point is a place on Earth in degrees.
type Point struct{ Lat, Lng float64 }

// Valid tells whether the point is on the globe; NaN is not.
func (p Point) Valid() bool {
	return p.Lat >= -90 && p.Lat <= 90 && p.Lng >= -180 && p.Lng <= 180
}

// Business is one place of a map. Fields that a provider does not know are zero, the coordinates both. A
// business without any id still takes its rank.
type Business struct {
	PlaceID     string
	CID         string // unsigned decimal
	Name        string
	Address     string
	Lat, Lng    float64
	Rating      float64  // 1..5; 0 is unknown
	Reviews     int      // 0 is unknown: vendors leave out what nobody has rated
	Categories  []string // most specific first
	CountryCode string   // two upper-case letters
	Phone       string
	Website     string
	Hours       *Hours // when it is open in a usual week; nil is unknown
	Closed      Closed
}

// Closed tells of a business that is not in operation.
type Closed string

// What may be told of a business; "" is that it is in operation, or that nothing is known.
const (
	ClosedTemporarily Closed = "temporarily"
	ClosedForGood     Closed = "permanently"
)

// Hours are the spans of each day at which a business is open, from Sunday as in time.Weekday. A day without spans is closed.
type Hours [7][]Span

// Span is a time of opening, in minutes since the midnight at which its day begins; one that ends after the
// next midnight has an end beyond 1440.
type Span struct{ From, To int }

// MapQuery is one search at one point.
type MapQuery struct {
	Keyword  string
	At       Point
	Country  string // two letters, any case; "" leaves it to the provider
	Language string // as in "en" or "pt-BR"; "" leaves it to the provider
	Depth    int    // results wanted, 1..MaxMapResults; 0 is all of them

	// Key names the question durably: who asks again under the same key, after a restart too, wants the same
	// answer. Vendors that answer later need it; "" is a question that must be answered now.
	Key string
}

// Check refuses what no vendor could answer, before a request is spent on it.
func (q MapQuery) Check() error {
	if !q.At.Valid() {
		return Errorf(BadQuery, "", "Point %v,%v is not on the globe.", q.At.Lat, q.At.Lng)
	}
	if q.Depth < 0 || q.Depth > MaxMapResults {
		return Errorf(BadQuery, "", "A map search has a depth of 1 to %d, not %d.", MaxMapResults, q.Depth)
	}
	if err := checkMarket(q.Country, q.Language, ""); err != nil {
		return err
	}
	return checkKeyword(q.Keyword)
}

// Limit is the number of results wanted.
func (q MapQuery) Limit() int {
	if q.Depth <= 0 || q.Depth > MaxMapResults {
		return MaxMapResults
	}
	return q.Depth
}

// CheckPlaceID refuses what cannot be a place id of any provider.
func CheckPlaceID(placeID string) error {
	if placeID == "" || len(placeID) > maxPlaceID {
		return Errorf(BadQuery, "", "A place id has 1 to %d characters.", maxPlaceID)
	}
	if strings.ContainsFunc(placeID, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Errorf(BadQuery, "", "A place id has only printable ASCII characters.")
	}
	return nil
}

func checkKeyword(keyword string) error {
	if strings.TrimSpace(keyword) == "" {
		return Errorf(BadQuery, "", "The keyword is empty.")
	}
	if !utf8.ValidString(keyword) || utf8.RuneCountInString(keyword) > maxKeyword {
		return Errorf(BadQuery, "", "A keyword is text of at most %d characters.", maxKeyword)
	}
	return nil
}

func checkMarket(country, language, location string) error {
	if len(country) != 0 && len(country) != 2 {
		return Errorf(BadQuery, "", "A country is a code of two letters, not %q.", clip(country))
	}
	if len(language) > maxLanguage || len(location) > maxLocation {
		return Errorf(BadQuery, "", "The language or the location of the search is too long.")
	}
	return nil
}
