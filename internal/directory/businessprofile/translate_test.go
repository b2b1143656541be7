package businessprofile

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/provider"
)

func sample(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func ranges(spans ...string) (all directory.Ranges) {
	for _, s := range spans {
		from, to, _ := strings.Cut(s, "-")
		all = append(all, directory.Range{From: from, To: to})
	}
	return all
}

// sampled is the location of the sample, as we keep it.
func sampled() directory.Profile {
	lat, lng := 40.1000001, -75.2000001
	return directory.Profile{
		BusinessName: "Café Mañana & Söhne", PhoneNumber: "+1 555-010-0001", Country: "US", Region: "IL", City: "Springfield", Zip: "00001", AddressLine1: "12 Invented St",
		WebsiteURL: "https://manana.example.org/", Description: "Invented description.", CategoryIDs: []string{"amenity.cafe.coffee_shop", "shop.bakery"},
		Coordinates:   &directory.Coordinates{Latitude: &lat, Longitude: &lng},
		BusinessHours: &directory.Week{Monday: ranges("07:00-18:00"), Tuesday: ranges("00:00-00:00"), Saturday: ranges("20:00-02:30")},
		SpecialHours: []directory.SpecialDay{
			{Type: directory.RangeHours, Day: "2026-12-31", Times: ranges("08:00-14:00")}, {Type: directory.Closed, Day: "2026-12-25"}, {Type: directory.Closed, Day: "2026-01-01"},
		},
		MoreHours:         []directory.MoreHours{{Type: "DELIVERY", Hours: directory.Week{Monday: ranges("09:00-17:30")}}, {Type: "PRAYER_GENERAL", Hours: directory.Week{Monday: ranges("09:00-17:30")}}},
		ServiceAreaPlaces: []directory.ServiceAreaPlace{{Name: "Springfield, IL", PlaceID: "ChIJInventedRegion000001"}},
	}
}

var sampleKnowledge = known{
	categories: map[string]string{"amenity.cafe.coffee_shop": "categories/gcid:coffee_shop", "shop.bakery": "categories/gcid:bakery", "amenity.planetarium": ""},
	hourTypes:  []string{"DELIVERY"},
}

var sampleDay = time.Date(2026, 8, 22, 9, 0, 0, 0, time.UTC)

func TestTranslationIsTheSample(t *testing.T) {
	t.Parallel()
	var want location
	sample(t, "location.json", &want)
	want.Name, want.Metadata = "", nil
	got, notes := translate("SPR-01", sampled(), sampleKnowledge, sampleDay)
	want.PhoneNumbers.PrimaryPhone = got.PhoneNumbers.PrimaryPhone // Google writes it as its country does
	has, err := fieldsOf(want)
	if err != nil {
		t.Fatal(err)
	}
	wants, err := fieldsOf(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range changed(has, wants).mask {
		t.Errorf("%s is %s, want %s", name, wants[strings.SplitN(name, ".", 2)[0]], has[strings.SplitN(name, ".", 2)[0]])
	}
	if want := []string{"Google does not offer hours of the type PRAYER_GENERAL for this category."}; !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

func TestHiddenAddressIsSentEmpty(t *testing.T) {
	t.Parallel()
	shown, _ := translate("x", sampled(), sampleKnowledge, sampleDay)
	p := sampled()
	p.SuppressAddress = true
	p.CategoryIDs = append(p.CategoryIDs, "amenity.planetarium")
	hidden, notes := translate("x", p, sampleKnowledge, sampleDay)
	before, err := fieldsOf(shown)
	if err != nil {
		t.Fatal(err)
	}
	after, err := fieldsOf(hidden)
	if err != nil {
		t.Fatal(err)
	}
	c := changed(before, after)
	if want := []string{"latlng", "serviceArea", "storefrontAddress"}; !slices.Equal(c.mask, want) {
		t.Errorf("mask %v, want %v", c.mask, want)
	}
	if string(c.body["storefrontAddress"]) != "{}" || !strings.Contains(string(c.body["serviceArea"]), `"businessType":"CUSTOMER_LOCATION_ONLY"`) ||
		!strings.Contains(string(c.body["serviceArea"]), `"regionCode":"US"`) {
		t.Errorf("body %s", c.body)
	}
	if !slices.Contains(notes, "Google has no category for Planetarium.") {
		t.Errorf("notes %q", notes)
	}
}

func TestTimesOfADay(t *testing.T) {
	t.Parallel()
	for span, want := range map[string]struct {
		opens, closes timeOfDay
		overnight     bool
	}{
		"00:00-00:00": {timeOfDay{}, timeOfDay{Hours: 24}, false},
		"09:00-00:00": {timeOfDay{Hours: 9}, timeOfDay{Hours: 24}, false},
		"20:00-02:30": {timeOfDay{Hours: 20}, timeOfDay{2, 30}, true},
		"08:00-08:00": {timeOfDay{Hours: 8}, timeOfDay{Hours: 8}, true},
		"00:00-06:15": {timeOfDay{}, timeOfDay{6, 15}, false},
	} {
		opens, closes, overnight := timesOf(ranges(span)[0])
		if opens != want.opens || closes != want.closes || overnight != want.overnight {
			t.Errorf("%s: %v to %v, overnight %t", span, opens, closes, overnight)
		}
	}
	night := specialPeriods([]directory.SpecialDay{{Type: directory.RangeHours, Day: "2026-12-31", Times: ranges("20:00-03:00")}, {Type: directory.OpenedAllDay, Day: "2027-01-02"}}, sampleDay)
	if night[0].EndDate.Year != 2027 || night[0].EndDate.Day != 1 || *night[1].CloseTime != (timeOfDay{Hours: 24}) || *night[1].EndDate != night[1].StartDate {
		t.Errorf("special hours %+v", night)
	}
}

func TestOwnersProfileKeepsWhatWeHaveNothingToSayAbout(t *testing.T) {
	t.Parallel()
	var page locationsPage
	sample(t, "locations.json", &page)
	if err := page.Verify(); err != nil {
		t.Fatal(err)
	}
	p := sampled()
	p.WebsiteURL, p.SpecialHours, p.MoreHours, p.ServiceAreaPlaces = "", nil, nil, nil
	p.PhoneNumber = "+1 555 010 0001"
	p.BusinessHours.Monday = ranges("08:00-18:00")
	wants, _ := translate("SPR-01", p, sampleKnowledge, sampleDay)
	if !sameBusiness(page.Locations[0], wants, "US") || sameBusiness(page.Locations[1], wants, "US") {
		t.Error("the wrong profile is taken for the location's")
	}
	has, err := seen(page.Locations[0], wants, "US")
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := fieldsOf(wants)
	if err != nil {
		t.Fatal(err)
	}
	if c := changed(has, wanted); !slices.Equal(c.mask, []string{"regularHours"}) || !slices.Equal(slices.Collect(maps.Keys(c.body)), []string{"regularHours"}) {
		t.Errorf("changed %v with %s", c.mask, c.body)
	}
}

func TestCommonCategoriesAreOurs(t *testing.T) {
	t.Parallel()
	if len(commonCategories()) < 150 {
		t.Errorf("only %d categories", len(commonCategories()))
	}
	for id, name := range commonCategories() {
		if _, ok := category.Get(id); !ok || !strings.HasPrefix(name, "categories/gcid:") {
			t.Errorf("%q is %q", id, name)
		}
	}
	found := []categoryEntry{{Name: "categories/gcid:plumbing_supply", DisplayName: "Plumber's supply"}, {Name: "categories/gcid:plumber", DisplayName: "Plumber"}}
	if got := bestCategory("Plumbers", found); got != "categories/gcid:plumber" {
		t.Errorf("best %q", got)
	}
	if got := bestCategory("Plumb", found); got != "" {
		t.Errorf("of several others %q is taken", got)
	}
}

func TestRefusalsTeach(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "error.json"))
	if err != nil {
		t.Fatal(err)
	}
	if r := explain(400, text); r.Words != "read_mask: Field is required" {
		t.Errorf("violations in words: %+v", r)
	}
	for name, c := range map[string]struct {
		status int
		body   string
		kind   provider.Kind
		advice string
	}{
		"not approved": {429, `{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"reason":"RATE_LIMIT_EXCEEDED","metadata":{"quota_limit_value":"0"}}]}}`, provider.Unauthorized, "must be approved"},
		"too many":     {429, `{"error":{"status":"RESOURCE_EXHAUSTED"}}`, provider.Unknown, "must be approved"},
		"switched off": {403, `{"error":{"details":[{"reason":"SERVICE_DISABLED"}]}}`, provider.Unknown, "switched off"},
		"no manager":   {403, `{"error":{"status":"PERMISSION_DENIED"}}`, provider.Unknown, "owner or manager"},
		"at once":      {409, `{"error":{"status":"ABORTED"}}`, provider.Transient, ""},
		"no JSON":      {502, `<html>`, provider.Unknown, ""},
	} {
		if r := explain(c.status, []byte(c.body)); r.Kind != c.kind || !strings.Contains(r.Advice, c.advice) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestVerificationInWords(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]directory.Status{
		`{"hasVoiceOfMerchant":true}`:                directory.Connected,
		`{"verify":{}}`:                              directory.Submitted,
		`{"verify":{"hasPendingVerification":true}}`: directory.Submitted,
		`{"waitForVoiceOfMerchant":{}}`:              directory.Submitted,
		`{"resolveOwnershipConflict":{}}`:            directory.Unavailable,
		`{"complyWithGuidelines":{"recommendationReason":"BUSINESS_LOCATION_DISABLED"}}`: directory.Unavailable,
		`{"complyWithGuidelines":{}}`: directory.Unavailable,
		`{}`:                          directory.Submitted,
	} {
		var v voiceOfMerchant
		if err := json.Unmarshal([]byte(body), &v); err != nil {
			t.Fatal(err)
		}
		if o := v.outcome(); o.Status != want || (want != directory.Connected) != (o.Detail != "") {
			t.Errorf("%s: %+v", body, o)
		}
	}
}
