// Code generated from local.json by make generate. DO NOT EDIT.

// Package local has the types of locations and their listings, as the documents describe them.
package local

// Coordinates defines model for Coordinates.
type Coordinates struct {
	// Latitude Degrees, -90 to 90.
	//
	// Examples: 33.7744675
	Latitude *float64 `json:"latitude"`

	// Longitude Degrees, -180 to 180.
	//
	// Examples: -84.2950871
	Longitude *float64 `json:"longitude"`
}

// Detail defines model for Detail.
type Detail struct {
	// ErrorStatus Stable name of the problem.
	ErrorStatus string `json:"error_status"`

	// Field Name of the field or parameter, with its path inside the body.
	//
	// Examples: phone_number
	Field string `json:"field,omitempty"`

	// Message What is wrong and what to change.
	//
	// Examples: Phone number is not specified.
	Message string `json:"message"`
}

// Listing defines model for Listing.
type Listing struct {
	// Controllable Whether it can be enabled and disabled.
	//
	// Examples: true
	Controllable bool `json:"controllable"`

	// ID Identifier.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f805678
	ID string `json:"id"`

	// Name Name of the directory.
	//
	// Examples: Hosted page
	Name string `json:"name"`

	// ParentID Identifier of what it belongs to; empty when there is nothing.
	//
	// Examples:
	ParentID string `json:"parent_id"`

	// Status State of the listing.
	Status string `json:"status"`

	// StatusDetail Why the listing is not connected.
	//
	// Examples: The directory did not answer.
	StatusDetail string `json:"status_detail,omitempty"`

	// URL Address of the live page or picture; empty when there is none.
	//
	// Examples: https://trigpoint.example.com/l/0199d8a4c3f07c1e9b2a5d6e7f801234
	URL string `json:"url"`
}

// Location defines model for Location.
type Location struct {
	// AddressLine1 Street and number.
	//
	// Examples: 1 Main Street
	AddressLine1 string `json:"address_line_1,omitempty"`

	// AddressLine2 Suite, floor, building.
	//
	// Examples: Suite 2
	AddressLine2 string `json:"address_line_2,omitempty"`

	// BusinessHours Opening hours of a week.
	BusinessHours *Week `json:"business_hours,omitempty"`

	// BusinessName Name of the business.
	//
	// Examples: Decatur Deli
	BusinessName string `json:"business_name,omitempty"`

	// CategoryIds Identifiers from the category catalogue of the country.
	//
	// Examples: ["amenity.fast_food.sandwich"]
	CategoryIds []string `json:"category_ids,omitempty"`

	// City City.
	//
	// Examples: Decatur
	City string `json:"city,omitempty"`

	// Coordinates Where it is.
	Coordinates *Coordinates `json:"coordinates,omitempty"`

	// Country ISO 3166-1 alpha-2 code of the country.
	//
	// Examples: US
	Country string `json:"country,omitempty"`

	// Description What the business is.
	//
	// Examples: Sandwiches and soups since 1974.
	Description string `json:"description,omitempty"`

	// Errors Why a directory refused the location.
	Errors []Detail `json:"errors"`

	// FeaturedMessage A short text to draw attention to.
	//
	// Examples: Soup of the day
	FeaturedMessage string `json:"featured_message,omitempty"`

	// FeaturedMessageURL Where the featured message leads.
	//
	// Examples: https://www.test.com/soup
	FeaturedMessageURL string `json:"featured_message_url,omitempty"`

	// Frozen Whether the plan has no room for the location: it can be read and deleted, not changed.
	//
	// Examples: false
	Frozen bool `json:"frozen"`

	// InstagramUsername Name at Instagram.
	//
	// Examples: decaturdeli
	InstagramUsername string `json:"instagram_username,omitempty"`

	// LocationID Identifier of a location.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	LocationID string `json:"location_id,omitempty"`

	// LocationStatus PROCESSING until it is published, then COMPLETED, or FAILED with errors.
	LocationStatus string `json:"location_status,omitempty"`

	// MoreHours Hours of a particular service.
	MoreHours []MoreHours `json:"more_hours,omitempty"`

	// PaymentOptions What can be paid with.
	//
	// Examples: ["CASH","CREDIT_CARD"]
	PaymentOptions []string `json:"payment_options,omitempty"`

	// PhoneNumber Phone number, as it was sent.
	//
	// Examples: +1 404-555-0123
	PhoneNumber string `json:"phone_number,omitempty"`

	// PlaceID Identifier of the place in map search.
	//
	// Examples: ChIJjQmTaV0E9YgRC2MLmS_e_mY
	PlaceID string `json:"place_id,omitempty"`

	// Region State or province.
	//
	// Examples: GA
	Region string `json:"region,omitempty"`

	// ReopenDate YYYY-MM-DD: temporarily closed until then.
	//
	// Examples: 2027-03-01
	ReopenDate string `json:"reopen_date,omitempty"`

	// ServiceAreaPlaces Places that the business serves.
	ServiceAreaPlaces []ServiceAreaPlace `json:"service_area_places,omitempty"`

	// SpecialHours Days that differ from the week.
	SpecialHours []SpecialDay `json:"special_hours,omitempty"`

	// SubmitDate When the location was last submitted: UTC, without zone.
	//
	// Examples: 2026-03-03T11:44:43.19
	SubmitDate string `json:"submit_date,omitempty"`

	// SuppressAddress Whether the street address is hidden.
	//
	// Examples: false
	SuppressAddress bool `json:"suppress_address"`

	// TwitterUsername Name at Twitter.
	//
	// Examples: decaturdeli
	TwitterUsername string `json:"twitter_username,omitempty"`

	// WebsiteURL Website.
	//
	// Examples: www.test.com
	WebsiteURL string `json:"website_url,omitempty"`

	// YoutubeVideo URL of a video.
	//
	// Examples: https://www.youtube.com/watch?v=abc
	YoutubeVideo string `json:"youtube_video,omitempty"`

	// Zip Postal code.
	//
	// Examples: 30030
	Zip string `json:"zip,omitempty"`
}

// LocationChange defines model for LocationChange.
type LocationChange struct {
	// AddressLine1 At most 190 characters. Required.
	//
	// Examples: 1 Main Street
	AddressLine1 *string `json:"address_line_1,omitempty"`

	// AddressLine2 At most 64 characters.
	//
	// Examples: Suite 2
	AddressLine2 *string `json:"address_line_2,omitempty"`

	// BusinessHours At most two ranges a day, HH:MM; an end at or before its start is past midnight.
	BusinessHours *Week `json:"business_hours,omitempty"`

	// BusinessName At most 125 characters. Required.
	//
	// Examples: Decatur Deli
	BusinessName *string `json:"business_name,omitempty"`

	// CategoryIDs 1 to 10 identifiers from the category catalogue of the country. Required.
	//
	// Examples: ["amenity.fast_food.sandwich"]
	CategoryIDs *[]string `json:"category_ids,omitempty"`

	// City At most 64 characters. Required.
	//
	// Examples: Decatur
	City *string `json:"city,omitempty"`

	// Coordinates Where it is.
	Coordinates *Coordinates `json:"coordinates,omitempty"`

	// Country ISO 3166-1 alpha-2 in upper case. Required; not changeable.
	//
	// Examples: US
	Country *string `json:"country,omitempty"`

	// Description 10 to 750 characters.
	//
	// Examples: Sandwiches and soups since 1974.
	Description *string `json:"description,omitempty"`

	// FeaturedMessage At most 50 characters.
	//
	// Examples: Soup of the day
	FeaturedMessage *string `json:"featured_message,omitempty"`

	// FeaturedMessageURL At most 255 characters.
	//
	// Examples: https://www.test.com/soup
	FeaturedMessageURL *string `json:"featured_message_url,omitempty"`

	// InstagramUsername At most 30 characters.
	//
	// Examples: decaturdeli
	InstagramUsername *string `json:"instagram_username,omitempty"`

	// MoreHours One entry a type; types from the more-hour-types endpoint.
	MoreHours *[]MoreHours `json:"more_hours,omitempty"`

	// PaymentOptions Identifiers from the payment-options endpoint.
	//
	// Examples: ["CASH","CREDIT_CARD"]
	PaymentOptions *[]string `json:"payment_options,omitempty"`

	// PhoneNumber A possible number of the country, in any spelling. Required.
	//
	// Examples: +1 404-555-0123
	PhoneNumber *string `json:"phone_number,omitempty"`

	// PlaceID Identifier of the location in map search, at most 255 printable ASCII characters. What the map shows is then compared with the location every week.
	//
	// Examples: ChIJjQmTaV0E9YgRC2MLmS_e_mY
	PlaceID *string `json:"place_id,omitempty"`

	// Region Required in US, CA, AU, BR, IN.
	//
	// Examples: GA
	Region *string `json:"region,omitempty"`

	// ReopenDate YYYY-MM-DD in the future: temporarily closed until then.
	//
	// Examples: 2027-03-01
	ReopenDate *string `json:"reopen_date,omitempty"`

	// ServiceAreaPlaces At most 100.
	ServiceAreaPlaces *[]ServiceAreaPlace `json:"service_area_places,omitempty"`

	// SpecialHours At most 30 distinct days; needs business_hours.
	SpecialHours *[]SpecialDay `json:"special_hours,omitempty"`

	// SuppressAddress Hides the street address; needs service_area_places.
	//
	// Examples: false
	SuppressAddress *bool `json:"suppress_address,omitempty"`

	// TwitterUsername At most 15 characters.
	//
	// Examples: decaturdeli
	TwitterUsername *string `json:"twitter_username,omitempty"`

	// WebsiteURL http(s) URL or a bare host, at most 255 characters.
	//
	// Examples: www.test.com
	WebsiteURL *string `json:"website_url,omitempty"`

	// YoutubeVideo Video URL, at most 150 characters.
	//
	// Examples: https://www.youtube.com/watch?v=abc
	YoutubeVideo *string `json:"youtube_video,omitempty"`

	// Zip Required except in AE, HK, GY, SR, BO.
	//
	// Examples: 30030
	Zip *string `json:"zip,omitempty"`
}

// MoreHours defines model for MoreHours.
type MoreHours struct {
	// Hours Its hours of a week.
	Hours Week `json:"hours"`

	// Type One of the more-hour types.
	//
	// Examples: KITCHEN
	Type string `json:"type"`
}

// NewLocation defines model for NewLocation.
type NewLocation struct {
	// AddressLine1 At most 190 characters. Required.
	//
	// Examples: 1 Main Street
	AddressLine1 string `json:"address_line_1"`

	// AddressLine2 At most 64 characters.
	//
	// Examples: Suite 2
	AddressLine2 *string `json:"address_line_2,omitempty"`

	// BusinessHours At most two ranges a day, HH:MM; an end at or before its start is past midnight.
	BusinessHours *Week `json:"business_hours,omitempty"`

	// BusinessName At most 125 characters. Required.
	//
	// Examples: Decatur Deli
	BusinessName string `json:"business_name"`

	// CategoryIDs 1 to 10 identifiers from the category catalogue of the country. Required.
	//
	// Examples: ["amenity.fast_food.sandwich"]
	CategoryIDs []string `json:"category_ids"`

	// City At most 64 characters. Required.
	//
	// Examples: Decatur
	City string `json:"city"`

	// Coordinates Where it is.
	Coordinates *Coordinates `json:"coordinates,omitempty"`

	// Country ISO 3166-1 alpha-2 in upper case. Required; not changeable.
	//
	// Examples: US
	Country string `json:"country"`

	// Description 10 to 750 characters.
	//
	// Examples: Sandwiches and soups since 1974.
	Description *string `json:"description,omitempty"`

	// FeaturedMessage At most 50 characters.
	//
	// Examples: Soup of the day
	FeaturedMessage *string `json:"featured_message,omitempty"`

	// FeaturedMessageURL At most 255 characters.
	//
	// Examples: https://www.test.com/soup
	FeaturedMessageURL *string `json:"featured_message_url,omitempty"`

	// InstagramUsername At most 30 characters.
	//
	// Examples: decaturdeli
	InstagramUsername *string `json:"instagram_username,omitempty"`

	// MoreHours One entry a type; types from the more-hour-types endpoint.
	MoreHours *[]MoreHours `json:"more_hours,omitempty"`

	// PaymentOptions Identifiers from the payment-options endpoint.
	//
	// Examples: ["CASH","CREDIT_CARD"]
	PaymentOptions *[]string `json:"payment_options,omitempty"`

	// PhoneNumber A possible number of the country, in any spelling. Required.
	//
	// Examples: +1 404-555-0123
	PhoneNumber string `json:"phone_number"`

	// PlaceID Identifier of the location in map search, at most 255 printable ASCII characters. What the map shows is then compared with the location every week.
	//
	// Examples: ChIJjQmTaV0E9YgRC2MLmS_e_mY
	PlaceID *string `json:"place_id,omitempty"`

	// Region Required in US, CA, AU, BR, IN.
	//
	// Examples: GA
	Region *string `json:"region,omitempty"`

	// ReopenDate YYYY-MM-DD in the future: temporarily closed until then.
	//
	// Examples: 2027-03-01
	ReopenDate *string `json:"reopen_date,omitempty"`

	// ServiceAreaPlaces At most 100.
	ServiceAreaPlaces *[]ServiceAreaPlace `json:"service_area_places,omitempty"`

	// SpecialHours At most 30 distinct days; needs business_hours.
	SpecialHours *[]SpecialDay `json:"special_hours,omitempty"`

	// SuppressAddress Hides the street address; needs service_area_places.
	//
	// Examples: false
	SuppressAddress *bool `json:"suppress_address,omitempty"`

	// TwitterUsername At most 15 characters.
	//
	// Examples: decaturdeli
	TwitterUsername *string `json:"twitter_username,omitempty"`

	// WebsiteURL http(s) URL or a bare host, at most 255 characters.
	//
	// Examples: www.test.com
	WebsiteURL *string `json:"website_url,omitempty"`

	// YoutubeVideo Video URL, at most 150 characters.
	//
	// Examples: https://www.youtube.com/watch?v=abc
	YoutubeVideo *string `json:"youtube_video,omitempty"`

	// Zip Required except in AE, HK, GY, SR, BO.
	//
	// Examples: 30030
	Zip *string `json:"zip,omitempty"`
}

// Range defines model for Range.
type Range struct {
	// From Start, HH:MM.
	//
	// Examples: 09:00
	From string `json:"from"`

	// To End, HH:MM; at or before the start it is past midnight.
	//
	// Examples: 17:00
	To string `json:"to"`
}

// ServiceAreaPlace defines model for ServiceAreaPlace.
type ServiceAreaPlace struct {
	// Name Name of the place.
	//
	// Examples: Decatur, GA, USA
	Name string `json:"name"`

	// PlaceID Identifier of the place in map search.
	//
	// Examples: ChIJjQmTaV0E9YgRC2MLmS_e_mY
	PlaceID string `json:"place_id"`
}

// SpecialDay defines model for SpecialDay.
type SpecialDay struct {
	// Day YYYY-MM-DD.
	//
	// Examples: 2026-12-25
	Day string `json:"day"`

	// Times Ranges of a day of type RANGE; else empty.
	Times []Range `json:"times"`

	// Type CLOSED, OPENED_ALL_DAY, or RANGE with times.
	//
	// Examples: RANGE
	Type string `json:"type"`
}

// Week defines model for Week.
type Week struct {
	// FridayHours Ranges on Fridays; empty when closed.
	FridayHours []Range `json:"friday_hours"`

	// MondayHours Ranges on Mondays; empty when closed.
	MondayHours []Range `json:"monday_hours"`

	// SaturdayHours Ranges on Saturdays; empty when closed.
	SaturdayHours []Range `json:"saturday_hours"`

	// SundayHours Ranges on Sundays; empty when closed.
	SundayHours []Range `json:"sunday_hours"`

	// ThursdayHours Ranges on Thursdays; empty when closed.
	ThursdayHours []Range `json:"thursday_hours"`

	// TuesdayHours Ranges on Tuesdays; empty when closed.
	TuesdayHours []Range `json:"tuesday_hours"`

	// WednesdayHours Ranges on Wednesdays; empty when closed.
	WednesdayHours []Range `json:"wednesday_hours"`
}
