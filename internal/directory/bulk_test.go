package directory

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var bulkDay = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// cells are those of a location by their column.
func cells(t *testing.T, id string, item Item) map[string]string {
	t.Helper()
	bulk, ok := FindBulk(id)
	if !ok {
		t.Fatalf("there is no table %s", id)
	}
	row := bulk.Row(item, bulkDay)
	byName := map[string]string{}
	for i, name := range bulk.Header() {
		if _, twice := byName[name]; twice {
			t.Errorf("%s has two columns %q", id, name)
		}
		byName[name] = row[i]
	}
	return byName
}

func check(t *testing.T, got, want map[string]string) {
	t.Helper()
	for column, cell := range want {
		if have, ok := got[column]; !ok || have != cell {
			t.Errorf("%s is %q (a column: %t), want %q", column, have, ok, cell)
		}
	}
}

func restaurant() Item {
	latitude, longitude := 33.7748, -84.29630001
	return Item{
		LocationID: "L1",
		Profile: Profile{
			BusinessName: "Benchmark Pizza", PhoneNumber: "(404) 555-0142", Country: "US", Region: "GA", City: "Decatur", Zip: "30030",
			AddressLine1: "100 Example Square", AddressLine2: "Suite 2", WebsiteURL: "www.benchmark-pizza.example", Description: "Its dough rests for two days.",
			CategoryIDs: []string{"amenity.restaurant.pizza", "amenity.bar"}, Coordinates: &Coordinates{&latitude, &longitude},
			PaymentOptions: []string{"CASH", "CREDIT_CARD"}, InstagramUsername: "@benchmark", TwitterUsername: "bench",
			BusinessHours: &Week{
				Tuesday:   Ranges{{"09:00", "17:00"}},
				Wednesday: Ranges{{"11:00", "15:00"}, {"17:00", "22:30"}},
				Friday:    Ranges{{"18:00", "02:00"}},
				Saturday:  Ranges{{"00:00", "00:00"}},
				Sunday:    Ranges{{"06:00", "06:00"}},
			},
			SpecialHours: []SpecialDay{
				{Type: OpenedAllDay, Day: "2026-12-31"},
				{Type: Closed, Day: "2026-12-25"},
				{Type: Closed, Day: "2026-11-30"},
				{Type: RangeHours, Day: "2026-12-24", Times: Ranges{{"09:00", "12:00"}, {"13:00", "14:00"}}},
			},
		},
		Images: []Image{{Type: "PHOTO", URL: "https://a.example/1.jpg"}, {Type: "COVER", URL: "https://a.example/2.jpg"}, {Type: "PHOTO", URL: "https://a.example/3.jpg"}},
	}
}

func TestBulkOfBing(t *testing.T) {
	t.Parallel()
	check(t, cells(t, "bing", restaurant()), map[string]string{
		"Store Id": "L1", "Business Name": "Benchmark Pizza", "Address Line 1": "100 Example Square", "Address Line 2": "Suite 2", "City": "Decatur",
		"State": "GA", "Zip Code": "30030", "Country": "US", "Phone Number": "+14045550142", "Website": "https://www.benchmark-pizza.example",
		"Category": "Pizza Restaurant", "Additional Categories": "Bar", "Description": "Its dough rests for two days.",
		"Monday Hours": "Closed", "Tuesday Hours": "09:00-17:00", "Wednesday Hours": "11:00-15:00, 17:00-22:30", "Thursday Hours": "Closed",
		"Friday Hours": "18:00-02:00", "Saturday Hours": "00:00-24:00", "Sunday Hours": "06:00-05:59",
		"Holiday Hours":            "2026-12-24 09:00-12:00, 13:00-14:00; 2026-12-25 Closed; 2026-12-31 00:00-24:00",
		"Temporarily Closed Until": "", "Payment Options": "Cash; Credit card", "Latitude": "33.7748000", "Longitude": "-84.2963000",
		"Instagram": "https://www.instagram.com/benchmark", "Twitter": "https://x.com/bench", "YouTube": "",
		"Photo URLs": "https://a.example/2.jpg; https://a.example/1.jpg; https://a.example/3.jpg",
	})
}

func TestBulkOfApple(t *testing.T) {
	t.Parallel()
	item := restaurant()
	check(t, cells(t, "apple", item), map[string]string{
		"Partners Location ID": "L1", "Display Name": "Benchmark Pizza", "Primary Category": "Pizza Restaurant", "Additional Categories": "Bar",
		"Address Line 1": "100 Example Square", "Locality": "Decatur", "Administrative Area": "GA", "Post Code": "30030", "Country Code": "US",
		"Phone Number": "+14045550142", "URL": "https://www.benchmark-pizza.example", "Location Status": "OPEN", "Reopen Date": "",
		"Friday Hours": "18:00-02:00", "Special Hours": "2026-12-24 09:00-12:00, 13:00-14:00; 2026-12-25 Closed; 2026-12-31 00:00-24:00",
		"Logo URL": "", "Cover Photo URL": "https://a.example/2.jpg", "Photo URLs": "https://a.example/1.jpg; https://a.example/3.jpg",
	})
	item.Profile.PhoneNumber, item.Profile.ReopenDate = "404-555-0142 ext. 7", "2027-03-01"
	check(t, cells(t, "apple", item), map[string]string{"Phone Number": "+14045550142", "Location Status": "TEMPORARILY_CLOSED", "Reopen Date": "2027-03-01"})
	item.Profile.ReopenDate = "2026-12-01"
	check(t, cells(t, "apple", item), map[string]string{"Location Status": "OPEN", "Reopen Date": ""})
}

func TestBulkHidesWhatTheBusinessHides(t *testing.T) {
	t.Parallel()
	item := restaurant()
	item.Profile.SuppressAddress = true
	item.Profile.ServiceAreaPlaces = []ServiceAreaPlace{{Name: "Decatur, GA"}, {Name: "Atlanta, GA"}}
	for _, b := range Bulks {
		got := cells(t, b.ID, item)
		check(t, got, map[string]string{"Address Line 1": "", "Address Line 2": "", "Latitude": "", "Longitude": "", "Service Area": "Decatur, GA; Atlanta, GA"})
		if all := fmt.Sprint(got); strings.Contains(all, "Example Square") || strings.Contains(all, "33.77") {
			t.Errorf("%s tells the address: %s", b.ID, all)
		}
	}
	if item.Profile.AddressLine1 == "" || item.Profile.Coordinates == nil {
		t.Error("the location itself has lost its address")
	}
}

func TestBulkOfALocationWithLittle(t *testing.T) {
	t.Parallel()
	item := Item{LocationID: "L2", Profile: Profile{BusinessName: "Little", PhoneNumber: "none", Country: "US"}}
	for range 2 * bulkImages {
		item.Images = append(item.Images, Image{Type: "PHOTO", URL: "https://a.example/x.jpg"})
	}
	for _, b := range Bulks {
		got := cells(t, b.ID, item)
		check(t, got, map[string]string{"Monday Hours": "", "Phone Number": "none", "Latitude": "", "Additional Categories": ""})
		if n := strings.Count(got["Photo URLs"], "https://"); n != bulkImages {
			t.Errorf("%s names %d photos", b.ID, n)
		}
	}
}
