package directory

import (
	"encoding/json"
)

// Profile is what a location publishes. A field without a value is left out of its JSON.
type Profile struct {
	BusinessName       string             `json:"business_name,omitempty"`
	PhoneNumber        string             `json:"phone_number,omitempty"`
	Country            string             `json:"country,omitempty"`
	Region             string             `json:"region,omitempty"`
	City               string             `json:"city,omitempty"`
	Zip                string             `json:"zip,omitempty"`
	AddressLine1       string             `json:"address_line_1,omitempty"`
	AddressLine2       string             `json:"address_line_2,omitempty"`
	WebsiteURL         string             `json:"website_url,omitempty"`
	Description        string             `json:"description,omitempty"`
	CategoryIDs        []string           `json:"category_ids,omitempty"`
	Coordinates        *Coordinates       `json:"coordinates,omitempty"`
	SuppressAddress    bool               `json:"suppress_address"`
	FeaturedMessage    string             `json:"featured_message,omitempty"`
	FeaturedMessageURL string             `json:"featured_message_url,omitempty"`
	YoutubeVideo       string             `json:"youtube_video,omitempty"`
	InstagramUsername  string             `json:"instagram_username,omitempty"`
	TwitterUsername    string             `json:"twitter_username,omitempty"`
	BusinessHours      *Week              `json:"business_hours,omitempty"`
	SpecialHours       []SpecialDay       `json:"special_hours,omitempty"`
	MoreHours          []MoreHours        `json:"more_hours,omitempty"`
	ServiceAreaPlaces  []ServiceAreaPlace `json:"service_area_places,omitempty"`
	PaymentOptions     []string           `json:"payment_options,omitempty"`
	ReopenDate         string             `json:"reopen_date,omitempty"`
	PlaceID            string             `json:"place_id,omitempty"`
}

// WithoutHidden is the profile as others may see it: without the address of a business that hides it.
func (p Profile) WithoutHidden() Profile {
	if p.SuppressAddress {
		p.AddressLine1, p.AddressLine2, p.Coordinates = "", "", nil
	}
	return p
}

// Coordinates is a point on the globe, in degrees.
type Coordinates struct {
	Latitude  *float64 `json:"latitude"`
	Longitude *float64 `json:"longitude"`
}

// Range is a span of opening times as HH:MM. An end at or before its start is past midnight.
type Range struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Ranges are the opening times of a day; none is an empty array.
type Ranges []Range

// MarshalJSON writes none as [].
func (r Ranges) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]Range(r))
}

// Week holds the hours of each day.
type Week struct {
	Monday    Ranges `json:"monday_hours"`
	Tuesday   Ranges `json:"tuesday_hours"`
	Wednesday Ranges `json:"wednesday_hours"`
	Thursday  Ranges `json:"thursday_hours"`
	Friday    Ranges `json:"friday_hours"`
	Saturday  Ranges `json:"saturday_hours"`
	Sunday    Ranges `json:"sunday_hours"`
}

// Day is one day of a week by its JSON name and its English name.
type Day struct {
	Field  string
	Name   string
	Ranges Ranges
}

// Days lists the week from Monday.
func (w *Week) Days() []Day {
	return []Day{
		{"monday_hours", "Monday", w.Monday},
		{"tuesday_hours", "Tuesday", w.Tuesday},
		{"wednesday_hours", "Wednesday", w.Wednesday},
		{"thursday_hours", "Thursday", w.Thursday},
		{"friday_hours", "Friday", w.Friday},
		{"saturday_hours", "Saturday", w.Saturday},
		{"sunday_hours", "Sunday", w.Sunday},
	}
}

// Empty tells whether no day has hours.
func (w *Week) Empty() bool {
	for _, d := range w.Days() {
		if len(d.Ranges) > 0 {
			return false
		}
	}
	return true
}

// Kinds of special day.
const (
	Closed       = "CLOSED"
	OpenedAllDay = "OPENED_ALL_DAY"
	RangeHours   = "RANGE"
)

// SpecialDay replaces the hours of one date.
type SpecialDay struct {
	Type  string `json:"type" enum:"CLOSED,OPENED_ALL_DAY,RANGE" example:"RANGE"`
	Day   string `json:"day" format:"date"`
	Times Ranges `json:"times"`
}

// MoreHours are hours of a service, such as the kitchen.
type MoreHours struct {
	Type  string `json:"type"`
	Hours Week   `json:"hours"`
}

// ServiceAreaPlace is a place that is served without being open there.
type ServiceAreaPlace struct {
	Name    string `json:"name"`
	PlaceID string `json:"place_id"`
}
