package placeindex

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/words"
)

// row is a place as text, by column.
type row [columns]string

const (
	colName = iota
	colLat
	colLng
	colAddress
	colStreet
	colCity
	colRegion
	colPostcode
	colCountry
	colCategory
	colRating
	colReviews
	colPhone
	colWebsite
	colPlaceID
	colCID
	colID
	columns
)

// columnNames lists what each column may be called, without case, spaces and punctuation; the first that a
// file has counts.
var columnNames = [columns][]string{
	colName:     {"name", "businessname", "title", "displayname"},
	colLat:      {"lat", "latitude", "y"},
	colLng:      {"lng", "lon", "long", "longitude", "x"},
	colAddress:  {"address", "fulladdress", "formattedaddress", "freeform"},
	colStreet:   {"street", "streetaddress", "addressline1"},
	colCity:     {"city", "locality", "town"},
	colRegion:   {"region", "state", "province"},
	colPostcode: {"postcode", "postalcode", "zip", "zipcode"},
	colCountry:  {"countrycode", "country"},
	colCategory: {"categories", "category", "categoryids", "primarycategory", "types", "type"},
	colRating:   {"rating", "averagerating", "stars"},
	colReviews: {
		"reviews", "reviewcount", "reviewscount", "reviewnumber", "numberofreviews",
		"ratingcount", "userratingcount", "userratingstotal",
	},
	colPhone:   {"phone", "phonenumber", "telephone", "tel"},
	colWebsite: {"website", "websiteurl", "url", "web"},
	colPlaceID: {"placeid", "googleplaceid"},
	colCID:     {"cid", "datacid"},
	colID:      {"id", "sourceid", "externalid", "locationid"},
}

// columnKey is a column's name as columnNames spells it.
func columnKey(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// place makes a place of a row; the row's own ids count before one made from its content.
func (r *row) place(source string) (Place, error) {
	for i := range r {
		if !utf8.ValidString(r[i]) {
			return Place{}, errors.New("not UTF-8 text")
		}
		r[i] = clean(r[i])
	}
	p := Place{
		Name: r[colName], Address: r.address(), Phone: r[colPhone], Website: r[colWebsite],
		CountryCode: countryCode(r[colCountry]), Categories: categoryList(r[colCategory]), Source: source,
	}
	if p.Name == "" {
		return Place{}, errors.New("name is missing")
	}
	var errLat, errLng, errRating, errReviews error
	p.Lat, errLat = parseDegrees("latitude", r[colLat])
	p.Lng, errLng = parseDegrees("longitude", r[colLng])
	p.Rating, errRating = parseRating(r[colRating])
	p.Reviews, errReviews = parseReviews(r[colReviews])
	err := errors.Join(errLat, errLng, errRating, errReviews)
	if err == nil && p.Lat == 0 && p.Lng == 0 {
		err = errors.New("coordinates are 0,0, which stands for unknown")
	}
	if err != nil {
		return Place{}, err
	}
	err = p.identify(r)
	return p, err
}

// identify finds the best identity that the row offers.
func (p *Place) identify(r *row) error {
	cid, hasCID := provider.ParseCID(r[colCID])
	switch {
	case r[colPlaceID] != "":
		if err := provider.CheckPlaceID(r[colPlaceID]); err != nil {
			return err
		}
		p.ID = r[colPlaceID]
		if carried, ok := placeid.CID(p.ID); ok {
			p.CID = carried
		} else if p.CID = cid; !hasCID {
			_, p.CID = Identify("place:" + p.ID)
		}
	case r[colCID] != "" && !hasCID:
		return fmt.Errorf("cid %q is not a 64-bit number", r[colCID])
	case hasCID:
		number, err := strconv.ParseUint(cid, 10, 64)
		if err != nil {
			return fmt.Errorf("cid: %w", err)
		}
		p.ID, p.CID = identifyCID(number), cid
	case r[colID] != "":
		p.ID, p.CID = Identify("id:" + p.Source + ":" + r[colID])
	default:
		p.ID, p.CID = Identify(fmt.Sprintf("row:%s|%.5f|%.5f|%s", words.FoldForID(p.Name), p.Lat, p.Lng, words.FoldForID(p.Address)))
	}
	return nil
}

// address is the column of that name, or is put together from its parts.
func (r *row) address() string {
	street := r[colAddress]
	if street == "" {
		street = r[colStreet]
	}
	region := strings.TrimSpace(r[colRegion] + " " + r[colPostcode])
	known := strings.ToLower(street)
	parts := []string{street}
	for _, part := range []string{r[colCity], region} {
		if part != "" && !strings.Contains(known, strings.ToLower(part)) {
			parts = append(parts, part)
		}
	}
	return strings.Trim(strings.Join(parts, ", "), ", ")
}

// clean makes one line of text without control characters.
func clean(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// countryCode keeps codes of two letters; a place needs none, so a name of a country is left out.
func countryCode(s string) string {
	if len(s) != 2 || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return ""
	}
	return strings.ToUpper(s)
}

// categoryList cuts a list such as "pizza_restaurant; bar"; what it says twice counts once.
func categoryList(s string) []string {
	var list []string
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ';' || r == '|' || r == ',' }) {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(list, part) {
			list = append(list, part)
		}
	}
	return list
}

func parseDegrees(field, s string) (float64, error) {
	if s == "" {
		return 0, errors.New(field + " is missing")
	}
	f, err := parseFloat(s)
	if err != nil {
		return 0, fmt.Errorf("%s %q is not a number", field, s)
	}
	return f, nil
}

func parseRating(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	f, err := parseFloat(s)
	if err != nil {
		return 0, fmt.Errorf("rating %q is not a number", s)
	}
	return f, nil
}

// parseFloat also reads a decimal comma.
func parseFloat(s string) (float64, error) {
	if strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
		s = strings.Replace(s, ",", ".", 1)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = strconv.ErrRange
	}
	return f, err
}

// parseReviews reads a count, with thousands separated if need be.
func parseReviews(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	digits := strings.Map(func(r rune) rune {
		if r == ',' || r == ' ' || r == '\'' || r == '\u00a0' {
			return -1
		}
		return r
	}, s)
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > maxReviews {
		return 0, fmt.Errorf("number of reviews %q is not a whole number", s)
	}
	return int(f), nil
}
