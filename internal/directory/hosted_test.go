package directory

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/geo"
)

func ptr[T any](v T) *T { return &v }

// sunday is an instant at which the pages of tests are read.
var sunday = time.Date(2030, time.June, 2, 12, 0, 0, 0, time.UTC)

// page renders a location and returns the page and its linked data.
func page(t *testing.T, item Item) (html string, data map[string]any) {
	t.Helper()
	return write(t, Page{Item: item, Now: sunday})
}

func write(t *testing.T, p Page) (html string, data map[string]any) {
	t.Helper()
	var b strings.Builder
	h := &HostedPage{PublicURL: "https://maps.example"}
	if _, err := h.Write(&b, p); err != nil {
		t.Fatal(err)
	}
	_, linked, _ := strings.Cut(b.String(), `<script type="application/ld+json">`)
	linked, _, _ = strings.Cut(linked, "</script>")
	if err := json.Unmarshal([]byte(linked), &data); err != nil {
		t.Fatal(err)
	}
	return b.String(), data
}

func TestPageShowsAllThatALocationHas(t *testing.T) {
	t.Parallel()
	html, data := page(t, Item{
		LocationID: "1",
		Profile: Profile{
			BusinessName: "Deli", PhoneNumber: "(404) 555-0123 ext. 7", Country: "US", Region: "GA", City: "Decatur", AddressLine1: "1 Main Street",
			CategoryIDs: []string{"shop.deli"}, Coordinates: &Coordinates{ptr(33.5), ptr(-84.25)},
			InstagramUsername: "@deli", TwitterUsername: "deli_us", YoutubeVideo: "youtu.be/x", PaymentOptions: []string{"CASH", "NFC_MOBILE_PAYMENTS"},
			BusinessHours: &Week{Monday: Ranges{{"09:00", "12:00"}, {"22:00", "02:00"}}, Sunday: Ranges{{"00:00", "00:00"}}},
			SpecialHours: []SpecialDay{
				{Type: Closed, Day: "2030-12-25"}, {Type: OpenedAllDay, Day: "2030-01-01"}, {Type: Closed, Day: "2030-06-01"}, {Type: RangeHours, Day: "2030-06-08", Times: Ranges{{"10:00", "11:00"}}},
			},
			MoreHours: []MoreHours{{Type: "DRIVE_THROUGH", Hours: Week{Friday: Ranges{{"08:00", "20:00"}}}}},
		},
		Images: []Image{{Type: "PHOTO", URL: "https://maps.example/media/photo"}, {Type: "COVER", URL: "https://maps.example/media/cover"}},
	})
	for _, want := range []string{
		`<a href="tel:&#43;14045550123;ext=7">(404) 555‑0123 ext. 7</a>`, `destination=33.5%2C-84.25`, "<li>Cash</li><li>Contactless</li>", "Delicatessen",
		`<th scope="row">Monday</th><td>09:00–12:00, 22:00–02:00</td>`, `<th scope="row">Tuesday</th><td>Closed</td>`, `<th scope="row">Sunday</th><td>Open 24 hours</td>`,
		"<h3>Drive-through</h3>", `<th scope="row">Fri</th><td>08:00–20:00</td>`,
		`href="https://www.instagram.com/deli"`, `href="https://x.com/deli_us"`, `href="https://youtu.be/x"`,
		`src="/media/photo?w=320"`, `alt="Picture 1"`, `<meta property="og:image" content="https://maps.example/media/cover?w=1280">`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(html, `src="/media/cover?w=`); n != 1 {
		t.Errorf("the cover is shown %d times", n)
	}
	if strings.Contains(html, "1 Jun") || !strings.Contains(html, `<th scope="row">Sat 8 Jun</th><td>10:00–11:00</td>`) || strings.Contains(html, "Christmas") {
		t.Error("the special days are not those of the next weeks")
	}
	if same, _ := json.Marshal(data["sameAs"]); string(same) != `["https://www.instagram.com/deli","https://x.com/deli_us","https://youtu.be/x"]` {
		t.Errorf("sameAs %s", same)
	}
}

// Crawlers read an end equal to the start as closed.
func TestWholeDaysInLinkedDataEndAMinuteBefore(t *testing.T) {
	t.Parallel()
	_, data := page(t, Item{Profile: Profile{
		BusinessHours: &Week{Monday: Ranges{{"00:00", "00:00"}}, Tuesday: Ranges{{"09:00", "09:00"}}, Wednesday: Ranges{{"18:00", "03:00"}}},
		SpecialHours:  []SpecialDay{{Type: OpenedAllDay, Day: "2030-01-01"}, {Type: Closed, Day: "2030-12-25"}},
	}})
	spans := func(key string) (all []string) {
		for _, spec := range data[key].([]any) {
			spec := spec.(map[string]any)
			all = append(all, spec["opens"].(string)+"-"+spec["closes"].(string))
		}
		return all
	}
	if got := spans("openingHoursSpecification"); !slices.Equal(got, []string{"00:00-23:59", "09:00-08:59", "18:00-03:00"}) {
		t.Errorf("week %v", got)
	}
	if got := spans("specialOpeningHoursSpecification"); !slices.Equal(got, []string{"00:00-23:59", "00:00-00:00"}) {
		t.Errorf("special days %v", got)
	}
}

func TestHiddenAddressHasNoDirections(t *testing.T) {
	t.Parallel()
	html, _ := page(t, Item{Profile: Profile{BusinessName: "Deli", City: "Decatur", Country: "US", AddressLine1: "7 Secret Street", SuppressAddress: true, Coordinates: &Coordinates{ptr(1.0), ptr(2.0)}}})
	if strings.Contains(html, "Directions") || strings.Contains(html, "Secret") {
		t.Errorf("the page shows the way: %s", html)
	}
}

// A page that people are sent to loads at once: with all that a business usually tells it is one small file.
func TestPageIsSmall(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("0123456789abcdef", 4)
	day := Ranges{{"07:30", "11:00"}, {"12:00", "21:00"}}
	week := Week{day, day, day, day, day, day, day}
	full := Page{
		Now: sunday, Zoned: true, Brand: &account.Brand{Name: "Theodolite Local", Colour: "#123456", LogoURL: "/brand/" + hash + ".png"},
		Item: Item{
			LocationID: hash[:32],
			Profile: Profile{
				BusinessName: "Benchmark Deli", PhoneNumber: "(404) 555-0123", Country: "US", Region: "GA", City: "Decatur", Zip: "30030", AddressLine1: "1 Main Street",
				Description: strings.Repeat("word ", 80), CategoryIDs: []string{"shop.deli", "amenity.cafe"}, Coordinates: &Coordinates{ptr(33.5), ptr(-84.25)},
				WebsiteURL: "https://www.deli.example", InstagramUsername: "deli", TwitterUsername: "deli_us", YoutubeVideo: "youtu.be/x",
				PaymentOptions: []string{"CASH", "CREDIT_CARD", "DEBIT_CARD", "NFC_MOBILE_PAYMENTS"}, BusinessHours: &week,
				SpecialHours:    []SpecialDay{{Type: Closed, Day: "2030-06-08"}, {Type: Closed, Day: "2030-06-09"}, {Type: Closed, Day: "2030-12-25"}},
				MoreHours:       []MoreHours{{"DELIVERY", week}, {"TAKEOUT", week}, {"BREAKFAST", week}},
				FeaturedMessage: "Order by eleven", FeaturedMessageURL: "https://www.deli.example/lunch",
			},
		},
		Near: slices.Repeat([]Neighbour{{LocationID: hash[:32], Name: "Benchmark Deli Oakhurst", Km: 2}}, 6),
	}
	for _, kind := range []string{"COVER", "PROFILE", "PHOTO", "PHOTO", "PHOTO", "PHOTO", "PHOTO"} {
		full.Images = append(full.Images, Image{Type: kind, URL: "https://maps.example/media/" + hash + ".jpg", Description: "What one sees in the picture"})
	}
	html, _ := write(t, full)
	if len(html) > 15_000 {
		t.Errorf("the page has %d bytes", len(html))
	}
	// The most that a location can hold: what is shown of it is bounded.
	full.Profile.SpecialHours, full.Profile.MoreHours, full.Images = nil, nil, slices.Repeat(full.Images, 20)
	for i := range 30 {
		full.Profile.SpecialHours = append(full.Profile.SpecialHours, SpecialDay{Type: RangeHours, Day: sunday.AddDate(0, 0, i).Format(time.DateOnly), Times: day})
	}
	for range 12 {
		full.Profile.MoreHours = append(full.Profile.MoreHours, MoreHours{"PRAYER_GENERAL", Week{day, nil, day, nil, day, nil, day}})
	}
	for i := range full.Images {
		full.Images[i].Description = strings.Repeat("caption ", 31)
	}
	full.Profile.ServiceAreaPlaces = slices.Repeat([]ServiceAreaPlace{{Name: strings.Repeat("town ", 20)}}, 100)
	if html, _ = write(t, full); len(html) > 45_000 {
		t.Errorf("the fullest page has %d bytes", len(html))
	}
}

func TestPageShowsTodayBrandAndNeighbours(t *testing.T) {
	t.Parallel()
	html, data := write(t, Page{
		Now: sunday, Zoned: true, Brand: &account.Brand{Name: "Theodolite", Colour: "#ffee00", LogoURL: "/brand/x.png"},
		Item: Item{LocationID: "1", Profile: Profile{
			BusinessName: "Deli", City: "Decatur", Country: "US", Coordinates: &Coordinates{ptr(33.5), ptr(-84.25)},
			BusinessHours: &Week{Sunday: Ranges{{"09:00", "17:00"}}}, SpecialHours: []SpecialDay{{Type: RangeHours, Day: "2030-06-02", Times: Ranges{{"10:00", "13:00"}}}},
		}},
		Near: []Neighbour{{LocationID: "2", Name: "Deli North", Km: 1.04, At: geo.Point{Lat: 33.509353, Lng: -84.25}}},
	})
	for _, want := range []string{
		`<p class="state open">Open now until 13:00</p>`, `<tr class="now"><th scope="row">Sunday, today</th><td>10:00–13:00</td></tr>`,
		`<img class="logo" src="/brand/x.png"`, "<footer>Theodolite · Deli, Decatur</footer>", `<a href="/l/2">Deli North</a><span>1 km</span>`, `cx="160" cy="56"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if data["logo"] != "https://maps.example/brand/x.png" {
		t.Errorf("logo %v", data["logo"])
	}
}
