package local

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/net/idna"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
)

// Countries with a rule of their own for the address.
var (
	regionRequired = []string{"US", "CA", "AU", "BR", "IN"}
	zipOptional    = []string{"AE", "HK", "GY", "SR", "BO"}
)

const (
	maxCategories     = 10
	maxServicePlaces  = 100
	maxPaymentOptions = 50
	maxPlaceID        = 255
)

// check tells everything that is wrong with a profile. changed names the fields that the request set:
// a date that was in the future when it was stored does not stop later updates. hourTypes are those that
// more_hours may use.
func check(p *directory.Profile, changed map[string]bool, hourTypes []string, today time.Time) (problems errs.Problems) {
	checkTexts(&problems, p)
	checkAddress(&problems, p)
	checkPhone(&problems, p)
	checkLinks(&problems, p)
	checkCategories(&problems, p)
	if c := p.Coordinates; c != nil {
		checkCoordinates(&problems, c)
	}
	if p.BusinessHours != nil {
		checkWeek(&problems, "business_hours", p.BusinessHours)
	}
	checkSpecialHours(&problems, p)
	checkMoreHours(&problems, p, hourTypes)
	checkServiceArea(&problems, p)
	checkPaymentOptions(&problems, p)
	checkPlaceID(&problems, p.PlaceID)
	if changed["reopen_date"] && p.ReopenDate != "" {
		checkReopenDate(&problems, p.ReopenDate, today)
	}
	return problems
}

func checkTexts(problems *errs.Problems, p *directory.Profile) {
	for _, t := range []struct {
		name, value string
		most        int
	}{
		{"business_name", p.BusinessName, 125},
		{"phone_number", p.PhoneNumber, 64},
		{"region", p.Region, 64},
		{"city", p.City, 64},
		{"zip", p.Zip, 32},
		{"address_line_1", p.AddressLine1, 190},
		{"address_line_2", p.AddressLine2, 64},
		{"website_url", p.WebsiteURL, 255},
		{"description", p.Description, 750},
		{"featured_message", p.FeaturedMessage, 50},
		{"featured_message_url", p.FeaturedMessageURL, 255},
		{"youtube_video", p.YoutubeVideo, 150},
		{"instagram_username", p.InstagramUsername, 30},
		{"twitter_username", p.TwitterUsername, 15},
	} {
		if n := utf8.RuneCountInString(t.value); n > t.most {
			problems.Add(t.name, errs.TooLong, "%s has %d characters; at most %d are allowed.", t.name, n, t.most)
		}
		if strings.ContainsFunc(t.value, func(r rune) bool { return unicode.IsControl(r) && (t.name != "description" || !unicode.IsSpace(r)) }) {
			problems.Add(t.name, errs.InvalidCharacters, "%s has control characters.", t.name)
		}
	}
	if n := utf8.RuneCountInString(p.Description); n > 0 && n < 10 {
		problems.Add("description", errs.TooShort, "description has %d characters; at least 10 are needed.", n)
	}
}

func checkAddress(problems *errs.Problems, p *directory.Profile) {
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	if blank(p.BusinessName) {
		problems.Add("business_name", errs.BusinessNameNotSpecified, "Business name is not specified.")
	}
	if blank(p.Country) {
		problems.Add("country", errs.CountryNotSpecified, "Country is not specified.")
	} else if _, ok := geo.CountryName(p.Country); !ok {
		problems.Add("country", errs.CountryUnknown, "%.16q is not an ISO 3166-1 alpha-2 country code in upper case.", p.Country)
	}
	if blank(p.City) {
		problems.Add("city", errs.CityNotSpecified, "City is not specified.")
	}
	if blank(p.AddressLine1) {
		problems.Add("address_line_1", errs.AddressNotSpecified, "Address is not specified.")
	}
	if blank(p.Region) && slices.Contains(regionRequired, p.Country) {
		problems.Add("region", errs.RegionNotSpecified, "Region is not specified; it is required in %s.", p.Country)
	}
	if blank(p.Zip) && p.Country != "" && !slices.Contains(zipOptional, p.Country) {
		problems.Add("zip", errs.ZipNotSpecified, "Zip is not specified; it is required in %s.", p.Country)
	}
}

func checkPhone(problems *errs.Problems, p *directory.Profile) {
	if strings.TrimSpace(p.PhoneNumber) == "" {
		problems.Add("phone_number", errs.PhoneNotSpecified, "Phone number is not specified.")
		return
	}
	if !possiblePhone(p.PhoneNumber, p.Country) {
		where := "without a country; begin it with + and the country's code"
		if name, ok := geo.CountryName(p.Country); ok {
			where = "in this country (" + name + "): it has too few, too many or wrong digits"
		}
		problems.Add("phone_number", errs.PhoneInvalid, "Phone number is not possible %s.", where)
	}
}

// possiblePhone tells whether the numbering plan of the country allows the number.
func possiblePhone(number, country string) bool {
	if len(number) > 250 {
		return false
	}
	parsed, err := phonenumbers.Parse(number, country)
	return err == nil && phonenumbers.IsPossibleNumber(parsed)
}

func checkLinks(problems *errs.Problems, p *directory.Profile) {
	for _, link := range []struct{ name, value string }{
		{"website_url", p.WebsiteURL}, {"featured_message_url", p.FeaturedMessageURL}, {"youtube_video", p.YoutubeVideo},
	} {
		if link.value != "" && !validLink(link.value) {
			problems.Add(link.name, errs.URLInvalid, "%s must be an http(s) URL or a host such as www.test.com.", link.name)
		}
	}
}

// validLink accepts http(s) URLs and bare hosts with an optional path.
func validLink(s string) bool {
	if strings.ContainsFunc(s, unicode.IsSpace) {
		return false
	}
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
		return false
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	return err == nil && strings.Contains(strings.Trim(host, "."), ".")
}

func checkCategories(problems *errs.Problems, p *directory.Profile) {
	switch n := len(p.CategoryIDs); {
	case n == 0:
		problems.Add("category_ids", errs.CategoriesNotSpecified, "Categories are not specified.")
	case n > maxCategories:
		problems.Add("category_ids", errs.TooMany, "category_ids has %d items; at most %d are allowed.", n, maxCategories)
		return
	}
	for i, id := range p.CategoryIDs {
		if slices.Contains(p.CategoryIDs[:i], id) {
			problems.Add(fmt.Sprintf("category_ids[%d]", i), errs.Duplicate, "Category %.64q is given twice.", id)
		} else if !category.Exists(p.Country, id) {
			problems.Add(fmt.Sprintf("category_ids[%d]", i), errs.CategoryUnknown, "%.64q is not a category of %.16q; see the category catalogue.", id, p.Country)
		}
	}
}

func checkCoordinates(problems *errs.Problems, c *directory.Coordinates) {
	switch {
	case c.Latitude == nil || c.Longitude == nil:
		problems.Add("coordinates", errs.CoordinatesInvalid, "coordinates needs both latitude and longitude.")
	case *c.Latitude < -90 || *c.Latitude > 90:
		problems.Add("coordinates.latitude", errs.CoordinatesInvalid, "Latitude %g is outside -90 to 90.", *c.Latitude)
	case *c.Longitude < -180 || *c.Longitude > 180:
		problems.Add("coordinates.longitude", errs.CoordinatesInvalid, "Longitude %g is outside -180 to 180.", *c.Longitude)
	}
}

func checkServiceArea(problems *errs.Problems, p *directory.Profile) {
	if p.SuppressAddress && len(p.ServiceAreaPlaces) == 0 {
		problems.Add("suppress_address", errs.ServiceAreaRequired, "An address can be hidden only when service_area_places says where the business serves.")
	}
	if n := len(p.ServiceAreaPlaces); n > maxServicePlaces {
		problems.Add("service_area_places", errs.TooMany, "service_area_places has %d items; at most %d are allowed.", n, maxServicePlaces)
		return
	}
	for i, place := range p.ServiceAreaPlaces {
		at := fmt.Sprintf("service_area_places[%d]", i)
		for _, t := range []struct{ name, value string }{{"name", place.Name}, {"place_id", place.PlaceID}} {
			if strings.TrimSpace(t.value) == "" {
				problems.Add(at+"."+t.name, errs.NotSpecified, "%s.%s is not specified.", at, t.name)
			} else if utf8.RuneCountInString(t.value) > 255 {
				problems.Add(at+"."+t.name, errs.TooLong, "%s.%s has more than 255 characters.", at, t.name)
			}
		}
	}
}

func checkPaymentOptions(problems *errs.Problems, p *directory.Profile) {
	if n := len(p.PaymentOptions); n > maxPaymentOptions {
		problems.Add("payment_options", errs.TooMany, "payment_options has %d items; at most %d are allowed.", n, maxPaymentOptions)
		return
	}
	for i, option := range p.PaymentOptions {
		at := fmt.Sprintf("payment_options[%d]", i)
		if slices.Contains(p.PaymentOptions[:i], option) {
			problems.Add(at, errs.Duplicate, "Payment option %.64q is given twice.", option)
		} else if !slices.Contains(PaymentOptions, option) {
			problems.Add(at, errs.PaymentOptionUnknown, "%.64q is not a payment option; there are %s.", option, strings.Join(PaymentOptions, ", "))
		}
	}
}

func checkPlaceID(problems *errs.Problems, id string) {
	if len(id) > maxPlaceID {
		problems.Add("place_id", errs.TooLong, "place_id has %d characters; at most %d are allowed.", len(id), maxPlaceID)
	}
	if strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		problems.Add("place_id", errs.InvalidCharacters, "place_id may have printable ASCII characters only, and no spaces.")
	}
}

func checkReopenDate(problems *errs.Problems, date string, today time.Time) {
	day, err := time.Parse(time.DateOnly, date)
	switch {
	case err != nil:
		problems.Add("reopen_date", errs.ReopenDateInvalid, "reopen_date must be a date as YYYY-MM-DD.")
	case !day.After(today):
		problems.Add("reopen_date", errs.ReopenDateInvalid, "reopen_date %s is not in the future.", date)
	}
}
