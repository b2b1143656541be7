package local

import (
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Input is the body of a create or an update: each field knows whether it was sent.
type Input struct {
	BusinessName       httpapi.Clearable[string]                       `json:"business_name" required:"false" doc:"At most 125 characters. Required."`
	PhoneNumber        httpapi.Clearable[string]                       `json:"phone_number" required:"false" doc:"A possible number of the country, in any spelling. Required."`
	Country            httpapi.Clearable[string]                       `json:"country" required:"false" doc:"ISO 3166-1 alpha-2 in upper case. Required; not changeable."`
	Region             httpapi.Clearable[string]                       `json:"region" required:"false" doc:"Required in US, CA, AU, BR, IN."`
	City               httpapi.Clearable[string]                       `json:"city" required:"false" doc:"At most 64 characters. Required."`
	Zip                httpapi.Clearable[string]                       `json:"zip" required:"false" doc:"Required except in AE, HK, GY, SR, BO."`
	AddressLine1       httpapi.Clearable[string]                       `json:"address_line_1" required:"false" doc:"At most 190 characters. Required."`
	AddressLine2       httpapi.Clearable[string]                       `json:"address_line_2" required:"false" doc:"At most 64 characters."`
	WebsiteURL         httpapi.Clearable[string]                       `json:"website_url" required:"false" doc:"http(s) URL or a bare host, at most 255 characters."`
	Description        httpapi.Clearable[string]                       `json:"description" required:"false" doc:"10 to 750 characters."`
	CategoryIDs        httpapi.Clearable[[]string]                     `json:"category_ids" required:"false" doc:"1 to 10 identifiers from the category catalogue of the country. Required."`
	Coordinates        httpapi.Clearable[directory.Coordinates]        `json:"coordinates" required:"false"`
	SuppressAddress    httpapi.Clearable[bool]                         `json:"suppress_address" required:"false" doc:"Hides the street address; needs service_area_places."`
	FeaturedMessage    httpapi.Clearable[string]                       `json:"featured_message" required:"false" doc:"At most 50 characters."`
	FeaturedMessageURL httpapi.Clearable[string]                       `json:"featured_message_url" required:"false" doc:"At most 255 characters."`
	YoutubeVideo       httpapi.Clearable[string]                       `json:"youtube_video" required:"false" doc:"Video URL, at most 150 characters."`
	InstagramUsername  httpapi.Clearable[string]                       `json:"instagram_username" required:"false" doc:"At most 30 characters."`
	TwitterUsername    httpapi.Clearable[string]                       `json:"twitter_username" required:"false" doc:"At most 15 characters."`
	BusinessHours      httpapi.Clearable[directory.Week]               `json:"business_hours" required:"false" doc:"At most two ranges a day, HH:MM; an end at or before its start is past midnight."`
	SpecialHours       httpapi.Clearable[[]directory.SpecialDay]       `json:"special_hours" required:"false" doc:"At most 30 distinct days; needs business_hours."`
	MoreHours          httpapi.Clearable[[]directory.MoreHours]        `json:"more_hours" required:"false" doc:"One entry a type; types from the more-hour-types endpoint."`
	ServiceAreaPlaces  httpapi.Clearable[[]directory.ServiceAreaPlace] `json:"service_area_places" required:"false" doc:"At most 100."`
	PaymentOptions     httpapi.Clearable[[]string]                     `json:"payment_options" required:"false" doc:"Identifiers from the payment-options endpoint."`
	ReopenDate         httpapi.Clearable[string]                       `json:"reopen_date" required:"false" doc:"YYYY-MM-DD in the future: temporarily closed until then."`
	PlaceID            httpapi.Clearable[string]                       `json:"place_id" required:"false" doc:"Identifier of the location in map search, at most 255 printable ASCII characters. What the map shows is then compared with the location every week."`
}

// field ties a body field to its place in the profile. assign sets or clears it and tells whether it was
// sent; a value of the wrong type is noted and changes nothing.
type field struct {
	name   string
	fixed  bool // not changeable, so not allowed in a mask
	assign func(in *Input, p *directory.Profile, problems *errs.Problems) (sent bool)
}

func bind[T any](name string, from func(*Input) *httpapi.Field[T], set func(p *directory.Profile, v T)) field {
	return field{name: name, assign: func(in *Input, p *directory.Profile, problems *errs.Problems) bool {
		f := from(in)
		if f.Given(problems, name) || f.Null {
			set(p, f.Value) // the zero value when null
		}
		return f.Set
	}}
}

func text(name string, from func(*Input) *httpapi.Field[string], to func(*directory.Profile) *string) field {
	return bind(name, from, func(p *directory.Profile, v string) { *to(p) = v })
}

// fields is the one list of what a location has, in the order of the API.
var fields = []field{
	text("business_name", func(i *Input) *httpapi.Field[string] { return &i.BusinessName.Field }, func(p *directory.Profile) *string { return &p.BusinessName }),
	text("phone_number", func(i *Input) *httpapi.Field[string] { return &i.PhoneNumber.Field }, func(p *directory.Profile) *string { return &p.PhoneNumber }),
	fixed(text("country", func(i *Input) *httpapi.Field[string] { return &i.Country.Field }, func(p *directory.Profile) *string { return &p.Country })),
	text("region", func(i *Input) *httpapi.Field[string] { return &i.Region.Field }, func(p *directory.Profile) *string { return &p.Region }),
	text("city", func(i *Input) *httpapi.Field[string] { return &i.City.Field }, func(p *directory.Profile) *string { return &p.City }),
	text("zip", func(i *Input) *httpapi.Field[string] { return &i.Zip.Field }, func(p *directory.Profile) *string { return &p.Zip }),
	text("address_line_1", func(i *Input) *httpapi.Field[string] { return &i.AddressLine1.Field }, func(p *directory.Profile) *string { return &p.AddressLine1 }),
	text("address_line_2", func(i *Input) *httpapi.Field[string] { return &i.AddressLine2.Field }, func(p *directory.Profile) *string { return &p.AddressLine2 }),
	text("website_url", func(i *Input) *httpapi.Field[string] { return &i.WebsiteURL.Field }, func(p *directory.Profile) *string { return &p.WebsiteURL }),
	text("description", func(i *Input) *httpapi.Field[string] { return &i.Description.Field }, func(p *directory.Profile) *string { return &p.Description }),
	bind("category_ids", func(i *Input) *httpapi.Field[[]string] { return &i.CategoryIDs.Field }, func(p *directory.Profile, v []string) { p.CategoryIDs = v }),
	bind("coordinates", func(i *Input) *httpapi.Field[directory.Coordinates] { return &i.Coordinates.Field }, setCoordinates),
	bind("suppress_address", func(i *Input) *httpapi.Field[bool] { return &i.SuppressAddress.Field }, func(p *directory.Profile, v bool) { p.SuppressAddress = v }),
	text("featured_message", func(i *Input) *httpapi.Field[string] { return &i.FeaturedMessage.Field }, func(p *directory.Profile) *string { return &p.FeaturedMessage }),
	text("featured_message_url", func(i *Input) *httpapi.Field[string] { return &i.FeaturedMessageURL.Field }, func(p *directory.Profile) *string { return &p.FeaturedMessageURL }),
	text("youtube_video", func(i *Input) *httpapi.Field[string] { return &i.YoutubeVideo.Field }, func(p *directory.Profile) *string { return &p.YoutubeVideo }),
	text("instagram_username", func(i *Input) *httpapi.Field[string] { return &i.InstagramUsername.Field }, func(p *directory.Profile) *string { return &p.InstagramUsername }),
	text("twitter_username", func(i *Input) *httpapi.Field[string] { return &i.TwitterUsername.Field }, func(p *directory.Profile) *string { return &p.TwitterUsername }),
	bind("business_hours", func(i *Input) *httpapi.Field[directory.Week] { return &i.BusinessHours.Field }, setBusinessHours),
	bind("special_hours", func(i *Input) *httpapi.Field[[]directory.SpecialDay] { return &i.SpecialHours.Field }, func(p *directory.Profile, v []directory.SpecialDay) { p.SpecialHours = v }),
	bind("more_hours", func(i *Input) *httpapi.Field[[]directory.MoreHours] { return &i.MoreHours.Field }, func(p *directory.Profile, v []directory.MoreHours) { p.MoreHours = v }),
	bind("service_area_places", func(i *Input) *httpapi.Field[[]directory.ServiceAreaPlace] { return &i.ServiceAreaPlaces.Field }, func(p *directory.Profile, v []directory.ServiceAreaPlace) { p.ServiceAreaPlaces = v }),
	bind("payment_options", func(i *Input) *httpapi.Field[[]string] { return &i.PaymentOptions.Field }, func(p *directory.Profile, v []string) { p.PaymentOptions = v }),
	text("reopen_date", func(i *Input) *httpapi.Field[string] { return &i.ReopenDate.Field }, func(p *directory.Profile) *string { return &p.ReopenDate }),
	text("place_id", func(i *Input) *httpapi.Field[string] { return &i.PlaceID.Field }, func(p *directory.Profile) *string { return &p.PlaceID }),
}

func fixed(f field) field {
	f.fixed = true
	return f
}

func setCoordinates(p *directory.Profile, v directory.Coordinates) {
	p.Coordinates = nil
	if v.Latitude != nil || v.Longitude != nil {
		p.Coordinates = &v
	}
}

func setBusinessHours(p *directory.Profile, v directory.Week) {
	p.BusinessHours = nil
	if !v.Empty() {
		p.BusinessHours = &v
	}
}

// ParseMask reads update_mask: a list of changeable fields, each of which counts once.
func ParseMask(mask string) (names []string, problems errs.Problems) {
	for name := range strings.SplitSeq(mask, ",") {
		name = strings.TrimSpace(name)
		if name == "" || slices.Contains(names, name) {
			continue
		}
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name && !f.fixed }) {
			problems.Add("update_mask", errs.UpdateMaskInvalid, "update_mask names %.64q, which is not a field that can be updated.", name)
			continue
		}
		names = append(names, name)
	}
	if len(names) == 0 && len(problems) == 0 {
		problems.Add("update_mask", errs.UpdateMaskNotSpecified, "update_mask must name at least one field to update.")
	}
	return names, problems
}

// mistyped finds the fields of the wrong type.
func mistyped(in *Input) (problems errs.Problems) {
	var scratch directory.Profile
	for _, f := range fields {
		f.assign(in, &scratch, &problems)
	}
	return problems
}

// follows names the field whose fault makes another's check meaningless.
var follows = map[errs.Status]string{
	errs.BusinessHoursRequired: "business_hours", errs.ServiceAreaRequired: "service_area_places",
	errs.PhoneInvalid: "country", errs.CategoryUnknown: "country", errs.ZipNotSpecified: "country",
}

// assign puts what was sent into the profile and checks the whole. A nil mask takes every field. hourTypes are those
// that more_hours may use.
func assign(in *Input, p *directory.Profile, mask, hourTypes []string, today time.Time) (problems errs.Problems) {
	changed := map[string]bool{}
	faulty := map[string]bool{}
	for _, f := range fields {
		if mask != nil && !slices.Contains(mask, f.name) {
			continue
		}
		before := len(problems)
		changed[f.name] = f.assign(in, p, &problems)
		faulty[f.name] = len(problems) > before
	}
	for _, problem := range check(p, changed, hourTypes, today) {
		name, _, _ := strings.Cut(problem.Field, ".")
		name, _, _ = strings.Cut(name, "[")
		if faulty[name] || faulty[follows[problem.Status]] { // a mistyped field is not also reported as missing
			continue
		}
		if name == "country" {
			faulty["country"] = true
		}
		problems = append(problems, problem)
	}
	return problems
}
