package placeindex

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// Bounds of a place, in bytes where nothing else is said.
const (
	maxID         = 255
	maxName       = 300
	maxAddress    = 500
	maxPhone      = 64
	maxWebsite    = 2048
	maxSource     = 200
	maxCategory   = 120
	maxCategories = 20
	maxReviews    = 100_000_000
)

// Place is a business that a search can find.
type Place struct {
	ID          string // place id, unique in the index
	CID         string // unsigned decimal, or ""
	Name        string
	Address     string // one line
	Lat, Lng    float64
	Rating      float64  // 0..5, 0 when nobody has rated it
	Reviews     int      // number of ratings
	Categories  []string // ids of the catalogue or free words, most specific first
	CountryCode string   // two upper-case letters, or ""
	Phone       string
	Website     string
	Source      string // where the record comes from, for people
}

// At is where the place is.
func (p Place) At() geo.Point { return geo.Point{Lat: p.Lat, Lng: p.Lng} }

// Check reports everything that keeps the place out of an index.
func (p Place) Check() error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	text := func(field, value string, limit int) {
		if len(value) > limit {
			add("%s has %d bytes, more than %d", field, len(value), limit)
		} else if !utf8.ValidString(value) || strings.ContainsFunc(value, isControl) {
			add("%s is not clean UTF-8 text", field)
		}
	}
	if p.ID == "" {
		add("place id is missing")
	}
	if p.Name == "" {
		add("name is missing")
	}
	text("place id", p.ID, maxID)
	text("cid", p.CID, maxID)
	text("name", p.Name, maxName)
	text("address", p.Address, maxAddress)
	text("phone", p.Phone, maxPhone)
	text("website", p.Website, maxWebsite)
	text("source", p.Source, maxSource)
	text("country", p.CountryCode, 2)
	if len(p.Categories) > maxCategories {
		add("%d categories, more than %d", len(p.Categories), maxCategories)
	}
	for _, c := range p.Categories {
		text("category", c, maxCategory)
	}
	if !p.At().Valid() {
		add("coordinates %v,%v are not on the globe", p.Lat, p.Lng)
	}
	if math.IsNaN(p.Rating) || p.Rating < 0 || p.Rating > 5 {
		add("rating %v is not within 0..5", p.Rating)
	}
	if p.Reviews < 0 || p.Reviews > maxReviews {
		add("%d reviews is not within 0..%d", p.Reviews, maxReviews)
	}
	return errors.Join(problems...)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
