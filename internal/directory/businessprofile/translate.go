package businessprofile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/directory"
)

const (
	maxServicePlaces = 20
	maxAdditional    = 9 // categories beside the primary one

	open              = "OPEN"
	closedTemporarily = "CLOSED_TEMPORARILY"
	closedForGood     = "CLOSED_PERMANENTLY"

	visitsCustomers = "CUSTOMER_LOCATION_ONLY"
	visitedAndVisit = "CUSTOMER_AND_BUSINESS_LOCATION"
)

// known is what Google knows of a location's categories.
type known struct {
	categories map[string]string // Google's names by ours; "" where it has none
	hourTypes  []string          // that the primary category offers
}

// translate writes a location as Google wants it, and notes what of it Google does not take.
func translate(locationID string, p directory.Profile, k known, now time.Time) (l location, notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	l = location{
		StoreCode: locationID, Title: p.BusinessName, PhoneNumbers: &phoneNumbers{p.PhoneNumber}, WebsiteURI: website(p.WebsiteURL),
		OpenInfo: &openInfo{openStatus(p, now)},
	}
	var names []categoryName
	for _, id := range p.CategoryIDs {
		name := k.categories[id]
		if name == "" {
			note("Google has no category for %s.", category.Name(id))
		} else if !slices.Contains(names, categoryName{name}) {
			names = append(names, categoryName{name})
		}
	}
	if len(names) > 0 {
		l.Categories = &categories{PrimaryCategory: &names[0], AdditionalCategories: names[1:min(len(names), 1+maxAdditional)]}
	}
	l.StorefrontAddress, l.ServiceArea = where(p)
	if n := len(p.ServiceAreaPlaces); n > maxServicePlaces {
		note("Google takes %d places of a service area; the first of %d are sent.", maxServicePlaces, n)
	}
	if c := p.Coordinates; c != nil && !p.SuppressAddress {
		l.LatLng = &latLng{*c.Latitude, *c.Longitude}
	}
	if p.Description != "" {
		l.Profile = &profile{p.Description}
	}
	if p.BusinessHours != nil {
		l.RegularHours = &regularHours{periods(p.BusinessHours)}
		yesterday := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, -1) // somewhere it still is
		if special := specialPeriods(p.SpecialDays(), yesterday); len(special) > 0 {
			l.SpecialHours = &specialHours{special}
		}
	}
	for _, m := range p.MoreHours {
		if !slices.Contains(k.hourTypes, m.Type) {
			note("Google does not offer hours of the type %s for this category.", m.Type)
			continue
		}
		l.MoreHours = append(l.MoreHours, moreHours{m.Type, periods(&m.Hours)})
	}
	return l, notes
}

// where tells the address and the area. A business that hides its address has an empty one.
func where(p directory.Profile) (*address, *serviceArea) {
	at := &address{
		RegionCode: p.Country, PostalCode: p.Zip, AdministrativeArea: p.Region, Locality: p.City,
		AddressLines: slices.DeleteFunc([]string{p.AddressLine1, p.AddressLine2}, func(s string) bool { return s == "" }),
	}
	if len(p.ServiceAreaPlaces) == 0 {
		return at, nil
	}
	area := &serviceArea{BusinessType: visitedAndVisit, Places: &placeInfos{}}
	for _, place := range p.ServiceAreaPlaces[:min(len(p.ServiceAreaPlaces), maxServicePlaces)] {
		area.Places.PlaceInfos = append(area.Places.PlaceInfos, placeInfo{place.Name, place.PlaceID})
	}
	if p.SuppressAddress {
		at, area.BusinessType, area.RegionCode = &address{}, visitsCustomers, p.Country
	}
	return at, area
}

func openStatus(p directory.Profile, now time.Time) string {
	if reopens, ok := reopening(p); ok && reopens.After(now) {
		return closedTemporarily
	}
	return open
}

func reopening(p directory.Profile) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, p.ReopenDate)
	return day, err == nil
}

// website is absolute, as Google wants it: www.test.com is https://www.test.com.
func website(address string) string {
	if address == "" || strings.Contains(address, "://") {
		return address
	}
	return "https://" + address
}

// paymentAttributes are the attributes that our options decide, by name.
func paymentAttributes(options []string) map[string]bool {
	if len(options) == 0 {
		return nil
	}
	takes := func(option string) bool { return slices.Contains(options, option) }
	return map[string]bool{
		"attributes/pay_credit_card":    takes("CREDIT_CARD"),
		"attributes/pay_debit_card":     takes("DEBIT_CARD"),
		"attributes/pay_mobile_nfc":     takes("NFC_MOBILE_PAYMENTS"),
		"attributes/requires_cash_only": len(options) == 1 && takes("CASH"),
	}
}

// paymentNames are all attributes that payment options decide.
var paymentNames = []string{"attributes/pay_credit_card", "attributes/pay_debit_card", "attributes/pay_mobile_nfc", "attributes/requires_cash_only"}

// mediaCategories say what a picture shows, by the type of our image.
var mediaCategories = map[string]string{"COVER": "COVER", "PROFILE": "PROFILE", "PHOTO": "ADDITIONAL"}

// minPhotoBytes is how much data a photo has at least; 250 pixels, the other rule of Google's, all images here have.
const minPhotoBytes = 10_240
