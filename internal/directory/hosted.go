package directory

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/nyaruka/phonenumbers"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/geo"
)

// PagePath is where hosted pages are served, followed by the location's id.
const PagePath = "/l/"

// HostedPage publishes a location as a public page of this service.
type HostedPage struct{ PublicURL string }

// Describe implements Connector.
func (h *HostedPage) Describe() Descriptor {
	return Descriptor{ID: "page", Name: "Hosted page", Controllable: true}
}

// URL is the page of a location.
func (h *HostedPage) URL(locationID string) string { return h.PublicURL + PagePath + locationID }

// Place implements Connector: the page is served from the store, so it is there at once.
func (h *HostedPage) Place(item Item) Outcome {
	return Outcome{Status: Connected, URL: h.URL(item.LocationID)}
}

// Remove implements Connector.
func (h *HostedPage) Remove() Outcome { return Outcome{Status: Disconnected} }

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// pageView is what the template sees.
type pageView struct {
	*Profile
	Canonical  string
	Categories string
	Address    []string
	Telephone  string // for a link; empty when the number cannot be read
	Directions string
	Website    string
	Message    string
	MessageURL string
	Days       []Day
	MoreHours  []namedHours
	Payments   string
	Elsewhere  []link
	Cover      *Image
	Pictures   []Image // all but the cover
	LinkedData template.JS
}

type namedHours struct {
	Name string
	Days []Day
}

type link struct{ Name, URL string }

// Write renders the page of a location.
func (h *HostedPage) Write(w io.Writer, item Item) error {
	p := &item.Profile
	view := pageView{
		Profile: p, Canonical: h.URL(item.LocationID), Address: addressLines(p), Telephone: telephone(p), Directions: directions(p),
		Website: absoluteURL(p.WebsiteURL), MessageURL: absoluteURL(p.FeaturedMessageURL), Elsewhere: elsewhere(p),
		Categories: joined(p.CategoryIDs, category.Name), Payments: joined(p.PaymentOptions, label),
	}
	if p.BusinessHours != nil {
		view.Days = p.BusinessHours.Days()
	}
	for _, m := range p.MoreHours {
		view.MoreHours = append(view.MoreHours, namedHours{label(m.Type), m.Hours.Days()})
	}
	for i := range item.Images {
		if item.Images[i].Type == "COVER" && view.Cover == nil {
			view.Cover = &item.Images[i]
		} else {
			view.Pictures = append(view.Pictures, item.Images[i])
		}
	}
	linked, err := json.Marshal(linkedData(item, view)) // escapes <, > and &, so it cannot end the script
	if err != nil {
		return err
	}
	view.LinkedData = template.JS(linked) //nolint:gosec // see above
	return pageTemplate.Execute(w, view)
}

func joined(ids []string, name func(string) string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = name(id)
	}
	return strings.Join(names, ", ")
}

// telephone is the number as it is dialled from anywhere, by the numbering plan of the country.
func telephone(p *Profile) string {
	number, err := phonenumbers.Parse(p.PhoneNumber, p.Country)
	if err != nil {
		return ""
	}
	dialled := phonenumbers.Format(number, phonenumbers.E164)
	if ext := number.GetExtension(); ext != "" {
		dialled += ";ext=" + ext
	}
	return dialled
}

// directions is a link to the way there, unless the business hides its address.
func directions(p *Profile) string {
	if p.SuppressAddress {
		return ""
	}
	to := strings.Join(addressLines(p), ", ")
	if c := p.Coordinates; c != nil {
		to = fmt.Sprintf("%v,%v", *c.Latitude, *c.Longitude)
	}
	return "https://www.google.com/maps/dir/?api=1&destination=" + url.QueryEscape(to)
}

// elsewhere lists where else the business shows itself.
func elsewhere(p *Profile) []link {
	var links []link
	profile := func(name, base, user string) {
		if user = strings.TrimPrefix(user, "@"); user != "" {
			links = append(links, link{name, base + url.PathEscape(user)})
		}
	}
	profile("Instagram", "https://www.instagram.com/", p.InstagramUsername)
	profile("Twitter", "https://x.com/", p.TwitterUsername)
	if video := absoluteURL(p.YoutubeVideo); video != "" {
		links = append(links, link{"YouTube", video})
	}
	return links
}

// addressLines leaves out the street when the business wants its address hidden.
func addressLines(p *Profile) []string {
	var lines []string
	add := func(parts ...string) {
		var present []string
		for _, part := range parts {
			if part != "" {
				present = append(present, part)
			}
		}
		if len(present) > 0 {
			lines = append(lines, strings.Join(present, " "))
		}
	}
	if !p.SuppressAddress {
		add(p.AddressLine1)
		add(p.AddressLine2)
	}
	add(p.City, p.Region, p.Zip)
	country, _ := geo.CountryName(p.Country)
	add(country)
	return lines
}

// absoluteURL makes a link of what users write: www.test.com is https://www.test.com.
func absoluteURL(s string) string {
	if s == "" {
		return ""
	}
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return u.String()
}

// linkedData is the location as schema.org LocalBusiness.
func linkedData(item Item, view pageView) map[string]any {
	p := &item.Profile
	data := map[string]any{
		"@context": "https://schema.org", "@type": "LocalBusiness", "@id": view.Canonical,
		"name": p.BusinessName, "telephone": p.PhoneNumber, "url": view.Canonical,
	}
	put := func(key, value string) {
		if value != "" {
			data[key] = value
		}
	}
	put("description", p.Description)
	put("keywords", view.Categories)
	var same []string
	if view.Website != "" {
		same = append(same, view.Website)
	}
	for _, l := range view.Elsewhere {
		same = append(same, l.URL)
	}
	if len(same) > 0 {
		data["sameAs"] = same
	}
	address := map[string]any{"@type": "PostalAddress", "addressLocality": p.City, "addressCountry": p.Country}
	if p.Region != "" {
		address["addressRegion"] = p.Region
	}
	if p.Zip != "" {
		address["postalCode"] = p.Zip
	}
	if !p.SuppressAddress {
		address["streetAddress"] = strings.TrimSpace(p.AddressLine1 + " " + p.AddressLine2)
		if p.Coordinates != nil {
			data["geo"] = map[string]any{"@type": "GeoCoordinates", "latitude": p.Coordinates.Latitude, "longitude": p.Coordinates.Longitude}
		}
	}
	data["address"] = address
	if len(p.ServiceAreaPlaces) > 0 {
		var areas []string
		for _, a := range p.ServiceAreaPlaces {
			areas = append(areas, a.Name)
		}
		data["areaServed"] = areas
	}
	put("paymentAccepted", view.Payments)
	if hours := openingHours(view.Days); len(hours) > 0 {
		data["openingHoursSpecification"] = hours
	}
	if special := specialHours(p); len(special) > 0 {
		data["specialOpeningHoursSpecification"] = special
	}
	var images []string
	for _, img := range item.Images {
		images = append(images, img.URL)
	}
	if len(images) > 0 {
		data["image"] = images
	}
	return data
}

func openingHours(days []Day) []map[string]any {
	var specs []map[string]any
	for _, d := range days {
		for _, r := range d.Ranges {
			specs = append(specs, map[string]any{
				"@type": "OpeningHoursSpecification", "dayOfWeek": "https://schema.org/" + d.Name, "opens": r.From, "closes": r.Closes(),
			})
		}
	}
	return specs
}

func specialHours(p *Profile) []map[string]any {
	var specs []map[string]any
	for _, d := range p.SpecialDays() {
		hours := d.Hours()
		if len(hours) == 0 { // from midnight to midnight says closed
			specs = append(specs, map[string]any{
				"@type": "OpeningHoursSpecification", "validFrom": d.Day, "validThrough": d.Day, "opens": "00:00", "closes": "00:00",
			})
		}
		for _, r := range hours {
			specs = append(specs, map[string]any{
				"@type": "OpeningHoursSpecification", "validFrom": d.Day, "validThrough": d.Day, "opens": r.From, "closes": r.Closes(),
			})
		}
	}
	if reopen, err := time.Parse(time.DateOnly, p.ReopenDate); err == nil {
		specs = append(specs, map[string]any{
			"@type": "OpeningHoursSpecification", "validThrough": reopen.AddDate(0, 0, -1).Format(time.DateOnly), "opens": "00:00", "closes": "00:00",
		})
	}
	return specs
}
