package foreign

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/language"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// Location is a business at an address. What the file does not tell is empty.
type Location struct {
	Row                               Row
	StoreCode, PlaceID                string
	Name, Phone, Website, Description string
	Address1, Address2, City, Region  string
	Zip, Country                      string // the country as two letters, where it is known
	Categories                        []string
	Lat, Lng                          float64
	Located                           bool           // whether the coordinates are told
	Hours                             [7][]OpenHours // from Sunday
	Opens                             bool           // whether hours are told; a day without any is closed
	Special                           []SpecialDay
}

// OpenHours are from when to when, as HH:MM.
type OpenHours struct{ From, To string }

// SpecialDay are the hours of one day; none is that it is closed.
type SpecialDay struct {
	Day   string // YYYY-MM-DD
	Hours []OpenHours
}

// locationColumns are those of Google's bulk spreadsheet, of BrightLocal, and what others call them.
var locationColumns = columns{
	"store code":            {"location reference", "unique location reference", "reference", "store id", "store number", "location id", "external id", "code"},
	"place id":              {"google place id"},
	"business name":         {"name", "location name", "company", "company name", "title"},
	"address line 1":        {"address1", "address", "street", "street address", "address 1"},
	"address line 2":        {"address2", "address 2", "suite", "unit"},
	"locality":              {"city", "town", "city/town"},
	"administrative area":   {"state", "region", "province", "county", "state/region", "state code", "region/state"},
	"postal code":           {"postcode", "zip", "zip code", "zipcode", "zip/postcode", "postal/zip code"},
	"country / region":      {"country", "country code", "country/region", "country iso"},
	"primary phone":         {"phone", "telephone", "phone number", "telephone number", "main phone", "contact telephone"},
	"website":               {"url", "website url", "website address", "web site", "homepage"},
	"primary category":      {"category", "business category", "main category", "primary category id", "business category name"},
	"additional categories": {"other categories", "secondary categories", "extra business categories", "additional category"},
	"latitude":              {"lat"},
	"longitude":             {"lng", "lon", "long"},
	"special hours":         {"holiday hours", "special opening hours"},
	"from the business":     {"description", "business description", "short description", "about", "long description"},
	"sunday hours":          {"sunday", "sun"},
	"monday hours":          {"monday", "mon"},
	"tuesday hours":         {"tuesday", "tue"},
	"wednesday hours":       {"wednesday", "wed"},
	"thursday hours":        {"thursday", "thu"},
	"friday hours":          {"friday", "fri"},
	"saturday hours":        {"saturday", "sat"},
}

// ReadLocations reads a table of locations: Google's bulk spreadsheet, or an export of BrightLocal. Country is of rows that tell none.
func ReadLocations(f File, country string, skip Skip) (all []Location, err error) {
	err = f.parts(func(p part) error {
		t, err := openTable(p, locationColumns, "business name", "address line 1")
		if err != nil {
			return err
		}
		return t.each(func(r row) {
			l, problems := readLocation(r, country)
			if len(problems) > 0 {
				skip(r.Row, strings.Join(problems, "; "))
			}
			all = append(all, l)
		})
	})
	return all, err
}

// readLocation reads a row. Problems are of fields that are left out.
func readLocation(r row, country string) (l Location, problems []string) {
	l = Location{
		Row: r.Row, StoreCode: r.get("store code"), PlaceID: r.get("place id"), Name: r.get("business name"), Phone: r.get("primary phone"),
		Website: r.get("website"), Description: r.get("from the business"), Address1: r.get("address line 1"), Address2: r.get("address line 2"),
		City: r.get("locality"), Region: r.get("administrative area"), Zip: r.get("postal code"), Country: cmp.Or(r.get("country / region"), country),
	}
	if code, ok := countryCode(l.Country); ok {
		l.Country = code
	}
	for _, name := range append([]string{r.get("primary category")}, strings.FieldsFunc(r.get("additional categories"), func(c rune) bool { return c == ',' || c == ';' || c == '|' })...) {
		name = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(name), "gcid:"), "_", " ")
		if name != "" && !slices.Contains(l.Categories, name) {
			l.Categories = append(l.Categories, name)
		}
	}
	if lat, lng := r.get("latitude"), r.get("longitude"); lat != "" || lng != "" {
		var err error
		if l.Lat, l.Lng, err = coordinates(lat, lng, ""); err != nil {
			problems = append(problems, err.Error()+", and is left out")
		}
		l.Located = err == nil
	}
	for day := range l.Hours {
		name := strings.ToLower(time.Weekday(day).String()) + " hours"
		text := r.get(name)
		hours, err := openHours(text)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %s, and are left out", name, err))
		}
		l.Hours[day], l.Opens = hours, l.Opens || text != "" && err == nil
	}
	special, err := specialHours(r.get("special hours"))
	if err != nil {
		problems = append(problems, fmt.Sprintf("special hours: %s, and are left out", err))
	}
	l.Special = special
	return l, problems
}

// codes are the two letters of countries by their English names.
var codes = sync.OnceValue(func() map[string]string {
	byName := map[string]string{}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if name, ok := geo.CountryName(string(a) + string(b)); ok {
				byName[plain(name)] = string(a) + string(b)
			}
		}
	}
	return byName
})

// countryCode reads US, USA and United States.
func countryCode(text string) (string, bool) {
	if code, ok := codes()[plain(text)]; ok {
		return code, true
	}
	if strings.EqualFold(text, "UK") {
		return "GB", true
	}
	region, err := language.ParseRegion(strings.ToUpper(text))
	if err != nil {
		return "", false
	}
	_, ok := geo.CountryName(region.String())
	return region.String(), ok
}

// openHours reads "10:00AM-6:00PM", "09:00-12:00, 13:00-17:00", "24 hours" and "x", which is closed.
func openHours(text string) ([]OpenHours, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "x", "closed", "-":
		return nil, nil
	case "24 hours", "open 24 hours", "24h", "24/7":
		return []OpenHours{{"00:00", "00:00"}}, nil
	}
	var all []OpenHours
	for span := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == ';' || c == '&' }) {
		from, to, ok := strings.Cut(strings.NewReplacer("–", "-", "—", "-", " to ", "-").Replace(span), "-")
		begin, err1 := clockTime(from)
		end, err2 := clockTime(to)
		if !ok || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("%.40q are no hours such as 09:00-17:00", strings.TrimSpace(text))
		}
		all = append(all, OpenHours{begin, end})
	}
	return all, nil
}

func clockTime(text string) (string, error) {
	s := strings.ToUpper(strings.NewReplacer(" ", "", "\u202f", "", ".", "").Replace(text))
	if s == "24:00" {
		return "00:00", nil
	}
	for _, layout := range []string{"15:04", "3:04PM", "3PM", "15:04:05"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.Format("15:04"), nil
		}
	}
	return "", fmt.Errorf("%.20q is no time", text)
}

// specialDay is where the hours of a day begin.
var specialDay = regexp.MustCompile(`(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{4}):`)

// specialHours reads "2026-12-24: 10:00AM-2:00PM, 2026-12-25: x".
func specialHours(text string) (all []SpecialDay, err error) {
	starts := specialDay.FindAllStringIndex(text, -1)
	if strings.TrimSpace(text) != "" && len(starts) == 0 {
		return nil, fmt.Errorf("%.40q are none such as 2026-12-25: x", text)
	}
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		day, err := Time(strings.TrimSuffix(text[at[0]:at[1]], ":"), false)
		if err != nil {
			return nil, err
		}
		hours, err := openHours(strings.Trim(text[at[1]:end], ",; \n"))
		if err != nil {
			return nil, err
		}
		all = append(all, SpecialDay{day.Format(time.DateOnly), hours})
	}
	return all, nil
}
