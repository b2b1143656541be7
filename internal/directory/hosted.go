package directory

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// PagePath is where hosted pages are served, followed by the location's id.
const PagePath = "/l/"

// HostedPage publishes a location as a public page of this service.
type HostedPage struct {
	PublicURL string
	Category  func(id string) string // name of a category
}

// Describe implements Connector.
func (h *HostedPage) Describe() Descriptor {
	return Descriptor{ID: "page", Name: "Hosted page", Controllable: true, Fingerprint: h.PublicURL}
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
	Profile
	Canonical  string
	Categories string
	Address    []string
	Website    string
	Message    string
	MessageURL string
	Video      string
	Days       []Day
	Cover      *Image
	Images     []Image
	LinkedData template.JS
}

// Write renders the page of a location.
func (h *HostedPage) Write(w io.Writer, item Item) error {
	p := item.Profile
	view := pageView{
		Profile: p, Canonical: h.URL(item.LocationID), Address: addressLines(p),
		Website: absoluteURL(p.WebsiteURL), MessageURL: absoluteURL(p.FeaturedMessageURL), Video: absoluteURL(p.YoutubeVideo), Images: item.Images,
	}
	names := make([]string, 0, len(p.CategoryIDs))
	for _, id := range p.CategoryIDs {
		names = append(names, h.Category(id))
	}
	view.Categories = strings.Join(names, ", ")
	if p.BusinessHours != nil {
		view.Days = p.BusinessHours.Days()
	}
	for i := range item.Images {
		if item.Images[i].Type == "COVER" {
			view.Cover = &item.Images[i]
			break
		}
	}
	linked, err := json.Marshal(linkedData(item, view)) // escapes <, > and &, so it cannot end the script
	if err != nil {
		return err
	}
	view.LinkedData = template.JS(linked) //nolint:gosec // see above
	return pageTemplate.Execute(w, view)
}

// addressLines leaves out the street when the business wants its address hidden.
func addressLines(p Profile) []string {
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
	p := item.Profile
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
	if view.Website != "" {
		data["sameAs"] = []string{view.Website}
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
	if len(p.PaymentOptions) > 0 {
		data["paymentAccepted"] = strings.ReplaceAll(strings.Join(p.PaymentOptions, ", "), "_", " ")
	}
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
				"@type": "OpeningHoursSpecification", "dayOfWeek": "https://schema.org/" + d.Name, "opens": r.From, "closes": r.To,
			})
		}
	}
	return specs
}

func specialHours(p Profile) []map[string]any {
	var specs []map[string]any
	add := func(day, opens, closes string) {
		specs = append(specs, map[string]any{
			"@type": "OpeningHoursSpecification", "validFrom": day, "validThrough": day, "opens": opens, "closes": closes,
		})
	}
	for _, d := range p.SpecialHours {
		switch d.Type {
		case Closed:
			add(d.Day, "00:00", "00:00")
		case OpenedAllDay:
			add(d.Day, "00:00", "23:59")
		default:
			for _, r := range d.Times {
				add(d.Day, r.From, r.To)
			}
		}
	}
	if reopen, err := time.Parse(time.DateOnly, p.ReopenDate); err == nil {
		specs = append(specs, map[string]any{
			"@type": "OpeningHoursSpecification", "validThrough": reopen.AddDate(0, 0, -1).Format(time.DateOnly), "opens": "00:00", "closes": "00:00",
		})
	}
	return specs
}
