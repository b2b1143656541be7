package alertrule

import (
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// TrackingName is a tracking as people know it, by what it stores: a domain may be tracked in several places, and on both devices.
func TrackingName(domain string, locationID, platformID int) string {
	if target, err := webtarget.Parse(domain); err == nil {
		domain = target.Display()
	}
	return domain + " · " + Place(locationID) + " · " + Device(platformID)
}

// Place is where a tracking looks at result pages.
func Place(locationID int) string {
	l, known := location.Get(locationID)
	if !known { // the places of a later version had it
		l, _ = location.Get(0)
	}
	return l.Label
}

// Device is what a tracking looks at result pages on.
func Device(platformID int) string {
	if platformID == 2 {
		return "mobile"
	}
	return "desktop"
}
