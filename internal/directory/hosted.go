package directory

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/geo"
)

// PagePath is where hosted pages are served, followed by the location's id.
const PagePath = "/l/"

// MediaPath is where images are served, followed by the object's name, with ?w= in one of the MediaWidths.
const MediaPath = "/media/"

// MediaWidths are the widths in pixels in which images are served beside their own.
var MediaWidths = []int{320, 640, 1280}

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

// Page is all that the hosted page of a location shows.
type Page struct {
	Item
	Now   time.Time      // in the zone of the location, where it is known
	Zoned bool           // whether it is
	Brand *account.Brand // of the account; nil without one
	Near  []Neighbour    // other locations of the account, the nearest first
}

// Neighbour is another location of the same account.
type Neighbour struct {
	LocationID string
	Name       string
	At         geo.Point
	Km         float64
}

// Distance is how far it is, for people to read.
func (n Neighbour) Distance() string { return distanceWords(n.Km) }

// What a page shows at most, so that it stays small.
const (
	shownPictures = 9
	shownPlaces   = 24 // of a service area
	shownDays     = 30 // ahead, of special days
	metaLength    = 160
)

//go:embed page.html
var pageSource string

// pageTemplate leaves the line breaks of its source out: none stands inside a text.
var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"size": sized, "after": func(i int) int { return i + 1 }, "page": func(id string) string { return PagePath + id }, "unbroken": strings.NewReplacer(" ", "\u00a0", "-", "\u2011").Replace,
}).Parse(strings.ReplaceAll(pageSource, "\n", "")))

// pageView is what the template sees.
type pageView struct {
	*Profile
	Canonical   string
	Base        string // path that the service is served under, "" at the root
	Summary     string // for search engines
	Light, Dark string // accents
	Brand       *account.Brand
	Opening     *Opening
	Categories  string
	Address     []string
	Telephone   string // for a link; empty when the number cannot be read
	Directions  string
	Website     string
	Message     string
	MessageURL  string
	Days        []shownDay
	Special     []namedDay
	MoreHours   []namedHours
	Payments    []string
	Elsewhere   []link
	Cover, Logo *Image
	Icon        template.URL // of the browser's tab
	Pictures    []Image      // all but cover and logo
	Map         *mapDrawing
	Near        []Neighbour
	Served      []string
	LinkedData  template.JS
}

// shownDay is a day of the week, with the hours of today's date where they differ.
type shownDay struct {
	Name  string
	Hours string
	Today bool
}

type namedDay struct{ Name, Hours string }

type namedHours struct {
	Name string
	Days []namedDay
}

type link struct{ Name, URL string }

// Write renders the page of a location and tells until when it is true.
func (h *HostedPage) Write(w io.Writer, page Page) (until time.Time, err error) {
	p := &page.Profile
	view := pageView{
		Profile: p, Canonical: h.URL(page.LocationID), Address: addressLines(p), Telephone: telephone(p), Directions: directions(p),
		Website: absoluteURL(p.WebsiteURL), MessageURL: absoluteURL(p.FeaturedMessageURL), Elsewhere: elsewhere(p),
		Categories: strings.Join(named(p.CategoryIDs, category.Name), ", "), Payments: named(p.PaymentOptions, label),
		Brand: page.Brand, Near: page.Near, Special: p.comingDays(page.Now, shownDays),
	}
	if own, err := url.Parse(h.PublicURL); err == nil {
		view.Base = strings.TrimSuffix(own.Path, "/")
	}
	until = dayAfter(page.Now, 1)
	if opening, ok := p.OpeningAt(page.Now); ok && page.Zoned {
		view.Opening, until = &opening, opening.Changes
	}
	view.Light, view.Dark = Accents(defaultAccent)
	if page.Brand != nil {
		view.Light, view.Dark = Accents(page.Brand.Colour)
	}
	view.showHours(page)
	view.showPictures(page.Images, page.Brand)
	if c := p.Coordinates; c != nil && !p.SuppressAddress {
		drawn := drawMap(geo.Point{Lat: *c.Latitude, Lng: *c.Longitude}, page.Near)
		view.Map = &drawn
	}
	for _, place := range p.ServiceAreaPlaces {
		if len(view.Served) == shownPlaces {
			view.Served = append(view.Served, fmt.Sprintf("and %d more", len(p.ServiceAreaPlaces)-shownPlaces))
			break
		}
		view.Served = append(view.Served, place.Name)
	}
	view.Summary = summary(view)
	linked, err := json.Marshal(linkedData(page.Item, view)) // escapes <, > and &, so it cannot end the script
	if err != nil {
		return until, err
	}
	view.LinkedData = template.JS(linked) //nolint:gosec // see above
	return until, pageTemplate.Execute(w, view)
}

// showHours lists the week. Today's row has the hours of the date, which may be a special day.
func (v *pageView) showHours(page Page) {
	if v.BusinessHours != nil {
		today := (int(page.Now.Weekday()) + 6) % 7
		for i, d := range v.BusinessHours.Days() {
			day := shownDay{Name: d.Name, Hours: d.Ranges.String(), Today: page.Zoned && i == today}
			if day.Today {
				day.Hours = v.HoursOn(page.Now).String()
			}
			v.Days = append(v.Days, day)
		}
	}
	for _, m := range v.Profile.MoreHours {
		v.MoreHours = append(v.MoreHours, namedHours{label(m.Type), daysTogether(m.Hours.Days())})
	}
}

// daysTogether lists the days that have hours; days in a row with the same hours are one.
func daysTogether(days []Day) []namedDay {
	var rows []namedDay
	for i := 0; i < len(days); {
		end := i
		for end+1 < len(days) && slices.Equal(days[end+1].Ranges, days[i].Ranges) {
			end++
		}
		name := days[i].Name[:3]
		switch {
		case i == 0 && end == len(days)-1:
			name = "Every day"
		case end > i:
			name += "–" + days[end].Name[:3]
		}
		if len(days[i].Ranges) > 0 {
			rows = append(rows, namedDay{name, days[i].Ranges.String()})
		}
		i = end + 1
	}
	return rows
}

// showPictures takes the newest of each kind for cover and logo, and the others as pictures.
func (v *pageView) showPictures(images []Image, brand *account.Brand) {
	for i := range images {
		switch img := &images[i]; {
		case img.Type == "COVER" && v.Cover == nil:
			v.Cover = img
		case img.Type == "PROFILE" && v.Logo == nil:
			v.Logo = img
		case len(v.Pictures) < shownPictures:
			v.Pictures = append(v.Pictures, *img)
		}
	}
	if v.Logo == nil && brand != nil && brand.LogoURL != "" {
		v.Logo = &Image{URL: v.Base + brand.LogoURL}
	}
	v.Icon = template.URL("data:image/svg+xml," + url.PathEscape(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M8 1l7 14H1z" fill="`+v.Light+`"/></svg>`)) //nolint:gosec // made of our own colour
	if v.Logo != nil {
		v.Icon = template.URL(sized(v.Logo.URL, 320)) //nolint:gosec // one of our own addresses
	}
}

// sized is the path of a stored picture in one of the widths that are served; a logo of a brand has one size only.
func sized(address string, width int) string {
	if at := strings.Index(address, "://"); at >= 0 {
		_, rest, _ := strings.Cut(address[at+3:], "/")
		address = "/" + rest
	}
	if !strings.Contains(address, MediaPath) {
		return address
	}
	return fmt.Sprintf("%s?w=%d", address, width)
}

// summary is what a search engine may show under the title.
func summary(v pageView) string {
	text := strings.Join(strings.Fields(v.Description), " ")
	if text == "" {
		text = fmt.Sprintf("%s in %s. Hours, phone number and how to get there.", cmp.Or(v.Categories, v.BusinessName), v.City)
	}
	if utf8.RuneCountInString(text) <= metaLength {
		return text
	}
	cut := string([]rune(text)[:metaLength])
	if space := strings.LastIndexByte(cut, ' '); space > 0 {
		cut = cut[:space]
	}
	return strings.TrimRight(cut, " ,;:.") + "…"
}

func named(ids []string, name func(string) string) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = name(id)
	}
	return names
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
