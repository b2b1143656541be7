package businessprofile

import (
	"errors"
	"strings"
)

// location is a profile as the API writes it. Zero fields are absent; of a time of day, too: midnight is {}.
type location struct {
	Name              string        `json:"name,omitempty"`
	StoreCode         string        `json:"storeCode,omitempty"`
	Title             string        `json:"title,omitempty"`
	PhoneNumbers      *phoneNumbers `json:"phoneNumbers,omitempty"`
	Categories        *categories   `json:"categories,omitempty"`
	StorefrontAddress *address      `json:"storefrontAddress,omitempty"`
	WebsiteURI        string        `json:"websiteUri,omitempty"`
	LatLng            *latLng       `json:"latlng,omitempty"`
	RegularHours      *regularHours `json:"regularHours,omitempty"`
	SpecialHours      *specialHours `json:"specialHours,omitempty"`
	MoreHours         []moreHours   `json:"moreHours,omitempty"`
	ServiceArea       *serviceArea  `json:"serviceArea,omitempty"`
	OpenInfo          *openInfo     `json:"openInfo,omitempty"`
	Profile           *profile      `json:"profile,omitempty"`
	Metadata          *metadata     `json:"metadata,omitempty"` // read only
}

type phoneNumbers struct {
	PrimaryPhone string `json:"primaryPhone"`
}

type categories struct {
	PrimaryCategory      *categoryName  `json:"primaryCategory,omitempty"`
	AdditionalCategories []categoryName `json:"additionalCategories,omitempty"`
}

type categoryName struct {
	Name string `json:"name"`
}

// address is empty, and written as {}, where a business hides it.
type address struct {
	RegionCode         string   `json:"regionCode,omitempty"`
	PostalCode         string   `json:"postalCode,omitempty"`
	AdministrativeArea string   `json:"administrativeArea,omitempty"`
	Locality           string   `json:"locality,omitempty"`
	AddressLines       []string `json:"addressLines,omitempty"`
}

type latLng struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

type timeOfDay struct {
	Hours   int `json:"hours,omitempty"` // 24 is the midnight that ends the day
	Minutes int `json:"minutes,omitempty"`
}

type date struct {
	Year  int `json:"year"`
	Month int `json:"month"`
	Day   int `json:"day"`
}

type regularHours struct {
	Periods []period `json:"periods"`
}

type period struct {
	OpenDay   string    `json:"openDay"`
	OpenTime  timeOfDay `json:"openTime"`
	CloseDay  string    `json:"closeDay"`
	CloseTime timeOfDay `json:"closeTime"`
}

type specialHours struct {
	SpecialHourPeriods []specialPeriod `json:"specialHourPeriods"`
}

type specialPeriod struct {
	StartDate date       `json:"startDate"`
	EndDate   *date      `json:"endDate,omitempty"`
	OpenTime  *timeOfDay `json:"openTime,omitempty"`
	CloseTime *timeOfDay `json:"closeTime,omitempty"`
	Closed    bool       `json:"closed,omitempty"`
}

type moreHours struct {
	HoursTypeID string   `json:"hoursTypeId"`
	Periods     []period `json:"periods"`
}

type serviceArea struct {
	BusinessType string      `json:"businessType"`
	Places       *placeInfos `json:"places,omitempty"`
	RegionCode   string      `json:"regionCode,omitempty"`
}

type placeInfos struct {
	PlaceInfos []placeInfo `json:"placeInfos"`
}

type placeInfo struct {
	PlaceName string `json:"placeName"`
	PlaceID   string `json:"placeId"`
}

type openInfo struct {
	Status string `json:"status"`
}

type profile struct {
	Description string `json:"description"`
}

type metadata struct {
	PlaceID            string `json:"placeId,omitempty"`
	MapsURI            string `json:"mapsUri,omitempty"`
	HasVoiceOfMerchant bool   `json:"hasVoiceOfMerchant,omitempty"`
	CanDelete          bool   `json:"canDelete,omitempty"`
}

// Verify implements provider.Answer: a location says which one it is.
func (l *location) Verify() error {
	if !strings.HasPrefix(l.Name, "locations/") {
		return errors.New("the location has no name")
	}
	return nil
}

type googleAccount struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Role string `json:"role"`
}

type accountsPage struct {
	Accounts []googleAccount `json:"accounts"`
	Next     string          `json:"nextPageToken"`
}

// Verify implements provider.Answer: whoever may manage profiles has an account.
func (p *accountsPage) Verify() error {
	for _, a := range p.Accounts {
		if !strings.HasPrefix(a.Name, "accounts/") {
			return errors.New("an account has no name")
		}
	}
	return nil
}

type locationsPage struct {
	Locations []location `json:"locations"`
	Next      string     `json:"nextPageToken"`
}

// Verify implements provider.Answer. None found is {}.
func (p *locationsPage) Verify() error {
	for i := range p.Locations {
		if err := p.Locations[i].Verify(); err != nil {
			return err
		}
	}
	return nil
}

// googleLocations are places that Google knows, whoever owns them.
type googleLocations struct {
	GoogleLocations []struct {
		Location              location `json:"location"`
		RequestAdminRightsURI string   `json:"requestAdminRightsUri"` // where a verified owner is asked for access
	} `json:"googleLocations"`
}

// Verify implements provider.Answer. None found is {}.
func (*googleLocations) Verify() error { return nil }

type categoryEntry struct {
	Name           string `json:"name"`
	DisplayName    string `json:"displayName"`
	MoreHoursTypes []struct {
		HoursTypeID string `json:"hoursTypeId"`
	} `json:"moreHoursTypes"`
}

type categoriesPage struct {
	Categories []categoryEntry `json:"categories"`
}

// Verify implements provider.Answer. None found is {}.
func (p *categoriesPage) Verify() error {
	for _, c := range p.Categories {
		if !strings.HasPrefix(c.Name, "categories/") {
			return errors.New("a category has no name")
		}
	}
	return nil
}

type attribute struct {
	Name   string `json:"name"`
	Values []any  `json:"values,omitempty"`
}

type attributes struct {
	Name       string      `json:"name"`
	Attributes []attribute `json:"attributes,omitempty"`
}

// Verify implements provider.Answer.
func (a *attributes) Verify() error {
	if !strings.HasSuffix(a.Name, "/attributes") {
		return errors.New("the attributes have no name")
	}
	return nil
}

type attributeMetadata struct {
	Entries []struct {
		Parent     string `json:"parent"` // attributes/pay_check
		Deprecated bool   `json:"deprecated"`
	} `json:"attributeMetadata"`
	Next string `json:"nextPageToken"`
}

// Verify implements provider.Answer. None offered is {}.
func (*attributeMetadata) Verify() error { return nil }

type mediaItem struct {
	Name                string           `json:"name,omitempty"`
	MediaFormat         string           `json:"mediaFormat"`
	LocationAssociation mediaAssociation `json:"locationAssociation"`
	SourceURL           string           `json:"sourceUrl"`
	Description         string           `json:"description,omitempty"`
}

type mediaAssociation struct {
	Category string `json:"category"`
}

// Verify implements provider.Answer.
func (m *mediaItem) Verify() error {
	if !strings.Contains(m.Name, "/media/") {
		return errors.New("the picture has no name")
	}
	return nil
}

type mediaPage struct {
	Items []mediaItem `json:"mediaItems"`
	Next  string      `json:"nextPageToken"`
}

// Verify implements provider.Answer. None is {}.
func (*mediaPage) Verify() error { return nil }

// voiceOfMerchant tells whether a profile is verified and shown, and otherwise one thing that is in the way.
type voiceOfMerchant struct {
	HasVoiceOfMerchant bool      `json:"hasVoiceOfMerchant"`
	Wait               *struct{} `json:"waitForVoiceOfMerchant"`
	Unverified         *struct {
		HasPendingVerification bool `json:"hasPendingVerification"`
	} `json:"verify"`
	ResolveConflict *struct{} `json:"resolveOwnershipConflict"`
	Comply          *struct {
		Reason string `json:"recommendationReason"`
	} `json:"complyWithGuidelines"`
}

// Verify implements provider.Answer. {} is a profile without anything granted.
func (*voiceOfMerchant) Verify() error { return nil }

// nothing is the answer to what has no content: {}.
type nothing struct{}

// Verify implements provider.Answer.
func (*nothing) Verify() error { return nil }
