package directory

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func ptr[T any](v T) *T { return &v }

// page renders a location and returns the page and its linked data.
func page(t *testing.T, item Item) (html string, data map[string]any) {
	t.Helper()
	var b strings.Builder
	h := &HostedPage{PublicURL: "https://maps.example"}
	if err := h.Write(&b, item); err != nil {
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
				{Type: Closed, Day: "2030-12-25"}, {Type: OpenedAllDay, Day: "2030-01-01"}, {Type: RangeHours, Day: "2030-06-01", Times: Ranges{{"10:00", "11:00"}}},
			},
			MoreHours: []MoreHours{{Type: "DRIVE_THROUGH", Hours: Week{Friday: Ranges{{"08:00", "20:00"}}}}},
		},
		Images: []Image{{Type: "PHOTO", URL: "https://maps.example/media/photo"}, {Type: "COVER", URL: "https://maps.example/media/cover"}},
	})
	for _, want := range []string{
		`<a href="tel:&#43;14045550123;ext=7">(404) 555-0123 ext. 7</a>`, `destination=33.5%2C-84.25`, "Cash, NFC mobile payments", "Delicatessen",
		`<tr><th>Monday</th><td>09:00–12:00, 22:00–02:00</td></tr>`, `<tr><th>Tuesday</th><td>Closed</td></tr>`, `<tr><th>Sunday</th><td>Open 24 hours</td></tr>`,
		"<h2>Drive through</h2>", `<tr><th>Friday</th><td>08:00–20:00</td></tr>`,
		`href="https://www.instagram.com/deli"`, `href="https://x.com/deli_us"`, `href="https://youtu.be/x"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(html, `<img class="cover" src="https://maps.example/media/cover"`) + strings.Count(html, `<img src="https://maps.example/media/cover"`); n != 1 {
		t.Errorf("the cover is shown %d times", n)
	}
	var days []int
	for _, day := range []string{"<th>2030-01-01</th><td>Open 24 hours", "<th>2030-06-01</th><td>10:00–11:00", "<th>2030-12-25</th><td>Closed"} {
		days = append(days, strings.Index(html, day))
	}
	if days[0] < 0 || !slices.IsSorted(days) {
		t.Errorf("special days stand at %v", days)
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
