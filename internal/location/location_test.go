package location_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/location"
)

func TestLocationAsClientsSeeIt(t *testing.T) {
	t.Parallel()
	for id, want := range map[int]string{
		2643743: `{"_id":2643743,"name":"London","country_code":"GB","canonical_name":"London,England,United Kingdom",` +
			`"label":"London, England, United Kingdom","code":"gb","google_domain":"google.co.uk","tld":"co.uk",` +
			`"type":3,"target_type":"City","parent_id":6269131,"status":"Active","active":true,"created_at":1584489600}`,
		6269131: `{"_id":6269131,"name":"England","country_code":"GB","canonical_name":"England,United Kingdom",` +
			`"label":"England, United Kingdom","code":"gb","google_domain":"google.co.uk","tld":"co.uk",` +
			`"type":2,"target_type":"Region","parent_id":2635167,"status":"Active","active":true,"created_at":1584489600}`,
		2635167: `{"_id":2635167,"name":"United Kingdom","country_code":"GB","canonical_name":"United Kingdom",` +
			`"label":"United Kingdom","code":"gb","google_domain":"google.co.uk","tld":"co.uk",` +
			`"type":1,"target_type":"Country","parent_id":null,"status":"Active","active":true,"created_at":1584489600}`,
		0: `{"_id":0,"name":"Anywhere","country_code":"","canonical_name":"Anywhere",` +
			`"label":"Anywhere","code":"","google_domain":"google.com","tld":"com",` +
			`"type":0,"target_type":"Anywhere","parent_id":null,"status":"Active","active":true,"created_at":1584489600}`,
	} {
		l, ok := location.Get(id)
		got, err := json.Marshal(l)
		if !ok || err != nil || string(got) != want {
			t.Errorf("Get(%d) = %v, %v\ngot  %s\nwant %s", id, ok, err, got, want)
		}
	}
	for _, id := range []int{-1, 1, 2643742, 1 << 31, 1 << 62} {
		if l, ok := location.Get(id); ok {
			t.Errorf("Get(%d) = %+v", id, l)
		}
	}
}

func TestCountriesOfTheAdvertisingWorld(t *testing.T) {
	t.Parallel()
	for id, want := range map[int]string{2840: "United States", 2826: "United Kingdom", 2276: "Germany", 2036: "Australia", 2004: "Afghanistan", 2894: "Zambia"} {
		if l, ok := location.Get(id); !ok || l.Label != want || l.Type != location.Country || l.ID == id {
			t.Errorf("%d is %+v, want %s", id, l, want)
		}
	}
	for _, id := range []int{2000, 2001, 2150, 2999, 840} { // no country, or a region of the world
		if l, ok := location.Get(id); ok {
			t.Errorf("%d is %+v", id, l)
		}
	}
}

func TestSearchFindsFirst(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		// The largest place of that name, in any spelling.
		"London":     "London, England, United Kingdom",
		"  lOnDoN  ": "London, England, United Kingdom",
		"lond":       "London, England, United Kingdom",
		"Munich":     "Munich, Bavaria, Germany",
		"münchen":    "Munich, Bavaria, Germany",
		"munchen":    "Munich, Bavaria, Germany",
		"Muenchen":   "Munich, Bavaria, Germany",
		"paris":      "Paris, Île-de-France, France",
		"sao paulo":  "São Paulo, São Paulo, Brazil",
		"łódź":       "Łódź, Łódź Voivodeship, Poland",
		"lodz":       "Łódź, Łódź Voivodeship, Poland",
		"İstanbul":   "Istanbul, Istanbul Province, Türkiye",
		"geneva":     "Geneva, Canton of Geneva, Switzerland",
		"Genève":     "Geneva, Canton of Geneva, Switzerland",
		"los":        "Los Angeles, California, United States",
		"nyc":        "New York City, New York, United States",
		"new york":   "New York City, New York, United States",
		"roma":       "Rome, Lazio, Italy",
		"москва":     "Moscow, Moscow, Russia",
		"東京":         "Tokyo, Tokyo, Japan",
		"서울":         "Seoul, Seoul, South Korea",
		"القاهرة":    "Cairo, Cairo Governorate, Egypt",
		// Signs that people leave out or put in.
		"St. John's":       "St. John's, Newfoundland and Labrador, Canada",
		"st johns nl":      "St. John's, Newfoundland and Labrador, Canada",
		"saint louis":      "St. Louis, Missouri, United States",
		"aix en provence":  "Aix-en-Provence, Provence-Alpes-Côte d'Azur, France",
		"Washington, D.C.": "Washington, District of Columbia, United States",
		// Countries and regions, by name, code and nickname.
		"united kingdom": "United Kingdom",
		"uk":             "United Kingdom",
		"gb":             "United Kingdom",
		"USA":            "United States",
		"deutschland":    "Germany",
		"turkey":         "Türkiye",
		"kosovo":         "Kosovo",
		"Texas":          "Texas, United States",
		"tx":             "Texas, United States",
		"bayern":         "Bavaria, Germany",
		"ontario canada": "Ontario, Canada",
		"georgia":        "Georgia",
		"georgia, us":    "Georgia, United States",
		"anywhere":       "Anywhere",
		"worldwide":      "Anywhere",
		// A name and where it is.
		"london, gb":                     "London, England, United Kingdom",
		"london united kingdom":          "London, England, United Kingdom",
		"london, england, uk":            "London, England, United Kingdom",
		"london u":                       "London, England, United Kingdom",
		"london ontario":                 "London, Ontario, Canada",
		"London,Ontario,Canada":          "London, Ontario, Canada",
		"portland oregon":                "Portland, Oregon, United States",
		"portland, or":                   "Portland, Oregon, United States",
		"portland or usa":                "Portland, Oregon, United States",
		"portland maine":                 "Portland, Maine, United States",
		"oregon portland":                "Portland, Oregon, United States",
		"springfield il":                 "Springfield, Illinois, United States",
		"san jose ca":                    "San Jose, California, United States",
		"san josé costa rica":            "San José, San José Province, Costa Rica",
		"new york new york":              "New York City, New York, United States",
		"vancouver wa":                   "Vancouver, Washington, United States",
		"paris texas":                    "Paris, Texas, United States",
		"cambridge ma":                   "Cambridge, Massachusetts, United States",
		"cambridge, uk":                  "Cambridge, England, United Kingdom",
		"münchen, bayern, deutschland":   "Munich, Bavaria, Germany",
		"san fran california":            "San Francisco, California, United States",
		"Birmingham;Alabama":             "Birmingham, Alabama, United States",
		"london (ontario)":               "London, Ontario, Canada",
		"york, north yorkshire":          "",
		"xanadu on sea":                  "",
		"london, france, united kingdom": "",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			found := location.Search(query, 100)
			got := ""
			if len(found) > 0 {
				got = found[0].Label
			}
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestRanking(t *testing.T) {
	t.Parallel()
	position := func(query, label string) int {
		for i, l := range location.Search(query, 100) {
			if l.Label == label {
				return i
			}
		}
		return 1000
	}
	for _, order := range [][]string{
		{"london", "London, England, United Kingdom", "London, Ontario, Canada", "London, Ohio, United States", "Londonderry, New Hampshire, United States"},
		{"york", "York, England, United Kingdom", "York, Pennsylvania, United States", "Yorkton, Saskatchewan, Canada", "North York, Ontario, Canada"},
		{"berlin", "Berlin, Berlin, Germany", "Berlin, Germany", "Berlin, New Hampshire, United States"},
		{"victoria", "Victoria, Australia", "Victoria, British Columbia, Canada", "Hong Kong, Central and Western, Hong Kong"},
		{"rome", "Rome, Lazio, Italy", "Rome, Georgia, United States", "Rome, New York, United States", "Romeoville, Illinois, United States"},
		{"san jose", "San Jose, California, United States", "San José, San José Province, Costa Rica", "San José de Mayo, San Jose, Uruguay"},
	} {
		last := -1
		for _, label := range order[1:] {
			at := position(order[0], label)
			if at <= last {
				t.Errorf("%q: %s is at %d, should follow %d", order[0], label, at, last)
			}
			last = at
		}
		if last == 1000 {
			t.Errorf("%q: the last of %v is not found", order[0], order[1:])
		}
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"", " ", "a", " a ", "é", "東", "..", "!!", ",,", "\x00\x00", strings.Repeat("a", 101), strings.Repeat("a ", 20)} {
		if found := location.Search(query, 100); found == nil || len(found) != 0 {
			t.Errorf("Search(%q) = %v, want an empty list", query, found)
		}
	}
	for _, limit := range []int{-1, 0, 1, 7, 100, 1000} {
		if got, want := len(location.Search("sa", limit)), max(0, min(limit, location.MaxResults)); got != want {
			t.Errorf("limit %d gives %d results, want %d", limit, got, want)
		}
	}
}

// A shorter list is the beginning of a longer one.
func TestLimitOnlyCuts(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"san", "lo", "new", "santa cruz", "springfield us"} {
		whole := location.Search(query, 100)
		for limit := range len(whole) {
			for i, l := range location.Search(query, limit) {
				if l.ID != whole[i].ID {
					t.Fatalf("%q: with limit %d place %d is %s, else %s", query, limit, i, l.Label, whole[i].Label)
				}
			}
		}
	}
}

func TestEveryCountryIsFound(t *testing.T) {
	t.Parallel()
	countries := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string([]rune{a, b})
			name, ok := geo.CountryName(code)
			if !ok {
				continue
			}
			countries++
			found := false
			for _, l := range location.Search(name, 100) {
				found = found || l.CountryCode == code && l.Type == location.Country && l.Name == name
			}
			byCode := location.Search(code, 100)
			if !found || len(byCode) == 0 || byCode[0].CountryCode != code {
				t.Errorf("%s is not found by %q and by %q", code, name, code)
			}
		}
	}
	if countries != 250 {
		t.Errorf("looked at %d countries", countries)
	}
}

// Whatever is typed, the answer is short, without doubles, the same again, and every id can be used.
func FuzzSearch(f *testing.F) {
	for _, query := range []string{
		"london", "london, gb", "san josé, costa rica", "portland or usa", "a b c d e f g h i j k l m", ",,,", "st. john's",
		"東京", "İstanbul", "\xff\xfe", "ﬁ", "a,b;c|d", "ǆ", "ß", "a\u0300\u0301", "new new new new york york",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		found := location.Search(query, location.MaxResults)
		if len(found) > location.MaxResults {
			t.Fatalf("%d results", len(found))
		}
		seen := map[int]bool{}
		again := location.Search(query, location.MaxResults)
		for i, l := range found {
			if got, ok := location.Get(l.ID); !ok || got != l || seen[l.ID] || again[i] != l {
				t.Errorf("%q: result %d is %+v; by id %+v, seen %v, again %+v", query, i, l, got, seen[l.ID], again[i])
			}
			seen[l.ID] = true
		}
	})
}
