package directory

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/category"
)

// Bulk is the table of locations that a directory takes in an upload, where it has no API that is open to all. No such
// directory publishes a schema: names and order of the columns are those of its upload form as far as they are known.
type Bulk struct {
	ID      string
	Title   string
	columns []bulkColumn
}

type bulkColumn struct {
	name string
	cell func(*bulkRow) string
}

// bulkRow is a location, without what the business hides, on a day.
type bulkRow struct {
	Item
	today string // YYYY-MM-DD
}

// Bulks are the tables that locations can be exported as.
var Bulks = []Bulk{
	{"bing", "Bing Places for Business", slices.Concat([]bulkColumn{
		{"Store Id", func(r *bulkRow) string { return r.LocationID }},
		{"Business Name", func(r *bulkRow) string { return r.Profile.BusinessName }},
		{"Address Line 1", func(r *bulkRow) string { return r.Profile.AddressLine1 }},
		{"Address Line 2", func(r *bulkRow) string { return r.Profile.AddressLine2 }},
		{"City", func(r *bulkRow) string { return r.Profile.City }},
		{"State", func(r *bulkRow) string { return r.Profile.Region }},
		{"Zip Code", func(r *bulkRow) string { return r.Profile.Zip }},
		{"Country", func(r *bulkRow) string { return r.Profile.Country }},
		{"Phone Number", (*bulkRow).phone},
		{"Website", func(r *bulkRow) string { return absoluteURL(r.Profile.WebsiteURL) }},
		{"Category", (*bulkRow).category},
		{"Additional Categories", (*bulkRow).otherCategories},
		{"Description", func(r *bulkRow) string { return r.Profile.Description }},
	}, bulkDays, []bulkColumn{
		{"Holiday Hours", (*bulkRow).specialHours},
		{"Temporarily Closed Until", (*bulkRow).reopens},
		{"Payment Options", (*bulkRow).payments},
		{"Latitude", (*bulkRow).latitude},
		{"Longitude", (*bulkRow).longitude},
		{"Service Area", (*bulkRow).serviceArea},
		{"Instagram", func(r *bulkRow) string { return r.elsewhere("Instagram") }},
		{"Twitter", func(r *bulkRow) string { return r.elsewhere("Twitter") }},
		{"YouTube", func(r *bulkRow) string { return r.elsewhere("YouTube") }},
		{"Photo URLs", func(r *bulkRow) string { return r.images("PROFILE", "COVER", "PHOTO") }},
	})},
	{"apple", "Apple Business Connect", slices.Concat([]bulkColumn{
		{"Partners Location ID", func(r *bulkRow) string { return r.LocationID }},
		{"Display Name", func(r *bulkRow) string { return r.Profile.BusinessName }},
		{"Primary Category", (*bulkRow).category},
		{"Additional Categories", (*bulkRow).otherCategories},
		{"Address Line 1", func(r *bulkRow) string { return r.Profile.AddressLine1 }},
		{"Address Line 2", func(r *bulkRow) string { return r.Profile.AddressLine2 }},
		{"Locality", func(r *bulkRow) string { return r.Profile.City }},
		{"Administrative Area", func(r *bulkRow) string { return r.Profile.Region }},
		{"Post Code", func(r *bulkRow) string { return r.Profile.Zip }},
		{"Country Code", func(r *bulkRow) string { return r.Profile.Country }},
		{"Phone Number", (*bulkRow).phone},
		{"URL", func(r *bulkRow) string { return absoluteURL(r.Profile.WebsiteURL) }},
		{"Latitude", (*bulkRow).latitude},
		{"Longitude", (*bulkRow).longitude},
		{"Location Status", (*bulkRow).status},
		{"Reopen Date", (*bulkRow).reopens},
	}, bulkDays, []bulkColumn{
		{"Special Hours", (*bulkRow).specialHours},
		{"About", func(r *bulkRow) string { return r.Profile.Description }},
		{"Payment Methods", (*bulkRow).payments},
		{"Service Area", (*bulkRow).serviceArea},
		{"Instagram URL", func(r *bulkRow) string { return r.elsewhere("Instagram") }},
		{"X URL", func(r *bulkRow) string { return r.elsewhere("Twitter") }},
		{"Logo URL", func(r *bulkRow) string { return r.newestImage("PROFILE") }},
		{"Cover Photo URL", func(r *bulkRow) string { return r.newestImage("COVER") }},
		{"Photo URLs", func(r *bulkRow) string { return r.images("PHOTO") }},
	})},
}

// bulkDays are the hours of each day of the week.
var bulkDays = func() (columns []bulkColumn) {
	for i, day := range new(Week).Days() {
		columns = append(columns, bulkColumn{day.Name + " Hours", func(r *bulkRow) string {
			if r.Profile.BusinessHours == nil {
				return "" // which is not closed
			}
			return bulkHours(r.Profile.BusinessHours.Days()[i].Ranges)
		}})
	}
	return columns
}()

// FindBulk finds a table by its id.
func FindBulk(id string) (Bulk, bool) {
	i := slices.IndexFunc(Bulks, func(b Bulk) bool { return b.ID == id })
	if i < 0 {
		return Bulk{}, false
	}
	return Bulks[i], true
}

// Header names the columns.
func (b Bulk) Header() []string {
	names := make([]string, len(b.columns))
	for i, c := range b.columns {
		names[i] = c.name
	}
	return names
}

// Row is a location on a day.
func (b Bulk) Row(item Item, today time.Time) []string {
	item.Profile = item.Profile.WithoutHidden()
	row := &bulkRow{item, today.Format(time.DateOnly)}
	cells := make([]string, len(b.columns))
	for i, c := range b.columns {
		cells[i] = c.cell(row)
	}
	return cells
}

// bulkSeparator stands between the parts of a cell.
const bulkSeparator = "; "

// phone is the number as it is dialled from anywhere, without an extension, or as it was given.
func (r *bulkRow) phone() string {
	if dialled, _, _ := strings.Cut(telephone(&r.Profile), ";"); dialled != "" {
		return dialled
	}
	return r.Profile.PhoneNumber
}

func (r *bulkRow) category() string {
	if len(r.Profile.CategoryIDs) == 0 {
		return ""
	}
	return category.Name(r.Profile.CategoryIDs[0])
}

func (r *bulkRow) otherCategories() string {
	var names []string
	for _, id := range r.Profile.CategoryIDs[min(1, len(r.Profile.CategoryIDs)):] {
		names = append(names, category.Name(id))
	}
	return strings.Join(names, bulkSeparator)
}

// bulkHours are the hours of a day as 09:00-12:00, 13:00-17:00. A range that ends at or before its start goes on past
// midnight.
func bulkHours(hours Ranges) string {
	if len(hours) == 0 {
		return "Closed"
	}
	spans := make([]string, len(hours))
	for i, r := range hours {
		if spans[i] = r.From + "-" + r.Closes(); r.AllDay() {
			spans[i] = "00:00-24:00"
		}
	}
	return strings.Join(spans, ", ")
}

// specialHours are those of days to come.
func (r *bulkRow) specialHours() string {
	var days []string
	for _, d := range r.Profile.SpecialDays() {
		if d.Day >= r.today {
			days = append(days, d.Day+" "+bulkHours(d.Hours()))
		}
	}
	return strings.Join(days, bulkSeparator)
}

// reopens is the day until which the business is closed for a time.
func (r *bulkRow) reopens() string {
	if r.Profile.ReopenDate <= r.today {
		return ""
	}
	return r.Profile.ReopenDate
}

func (r *bulkRow) status() string {
	if r.reopens() != "" {
		return "TEMPORARILY_CLOSED"
	}
	return "OPEN"
}

func (r *bulkRow) payments() string {
	names := make([]string, len(r.Profile.PaymentOptions))
	for i, option := range r.Profile.PaymentOptions {
		names[i] = label(option)
	}
	return strings.Join(names, bulkSeparator)
}

func (r *bulkRow) latitude() string {
	if r.Profile.Coordinates == nil {
		return ""
	}
	return bulkDegrees(*r.Profile.Coordinates.Latitude)
}

func (r *bulkRow) longitude() string {
	if r.Profile.Coordinates == nil {
		return ""
	}
	return bulkDegrees(*r.Profile.Coordinates.Longitude)
}

// bulkDegrees has seven decimals: Apple wants at least five, and no more than seven.
func bulkDegrees(v float64) string { return strconv.FormatFloat(v, 'f', 7, 64) }

func (r *bulkRow) serviceArea() string {
	names := make([]string, len(r.Profile.ServiceAreaPlaces))
	for i, place := range r.Profile.ServiceAreaPlaces {
		names[i] = place.Name
	}
	return strings.Join(names, bulkSeparator)
}

// elsewhere is the URL of the business on another site.
func (r *bulkRow) elsewhere(site string) string {
	for _, l := range elsewhere(&r.Profile) {
		if l.Name == site {
			return l.URL
		}
	}
	return ""
}

// bulkImages is how many images a row names: uploads take few.
const bulkImages = 10

// images are the URLs of the newest images, by the types in their order.
func (r *bulkRow) images(types ...string) string {
	var urls []string
	for _, kind := range types {
		for _, img := range r.Images {
			if img.Type == kind && len(urls) < bulkImages {
				urls = append(urls, img.URL)
			}
		}
	}
	return strings.Join(urls, bulkSeparator)
}

func (r *bulkRow) newestImage(kind string) string {
	newest, _, _ := strings.Cut(r.images(kind), bulkSeparator)
	return newest
}
