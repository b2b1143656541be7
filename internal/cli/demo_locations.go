package cli

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/cli/drawing"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/local"
)

// demoLocations gives the demo account the deli's shops, with pictures, and a plumber who comes to the house, once.
func demoLocations(ctx context.Context, a *app.App, c created) error {
	held, err := db.One(ctx, a.DB, db.Value[int], "SELECT count(*) FROM locations WHERE account_id = $1", c.AccountID)
	if err != nil || held > 0 {
		return err
	}
	who := account.Principal{AccountID: c.AccountID, Email: c.Email, PlanName: c.Plan, Plan: a.Accounts.Plan(c.Plan)}
	if _, err := a.Local.Create(ctx, who, demoPlumber()); err != nil {
		return err
	}
	dishes, err := drawDishes()
	if err != nil {
		return err
	}
	api := demoAPI{a.Server(version()).Handler(), c.APIKey}
	houses := []drawing.House{drawing.Square, drawing.Oakhurst, drawing.Avondale}
	for i := len(demoDelis) - 1; i >= 0; i-- { // lists show the newest first
		made, err := a.Local.Create(ctx, who, demoDeli(demoDelis[i], i, a.Clock.Now()))
		if err != nil {
			return err
		}
		front, err := drawing.Shop(houses[i], "BENCHMARK DELI")
		if err != nil {
			return err
		}
		for _, p := range append(dishes, demoPicture{"COVER", "The shop from the street", front}) {
			if err := api.post(ctx, local.Prefix+"/locations/"+made.ID+"/images", map[string]string{
				"content": base64.StdEncoding.EncodeToString(p.png), "type": p.kind, "description": p.caption,
			}, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

type demoPicture struct {
	kind, caption string
	png           []byte
}

// drawDishes draws what all shops show, the last to be seen first.
func drawDishes() (all []demoPicture, err error) {
	for _, p := range []struct {
		kind, caption string
		draw          func() ([]byte, error)
	}{
		{"PHOTO", "The counter, with pickles of our own", drawing.Counter},
		{"PHOTO", "Matzo ball soup, from eleven", drawing.Soup},
		{"PHOTO", "Bagels: plain, poppy and sesame", drawing.Bagels},
		{"PHOTO", "Coffee with the morning paper", drawing.Coffee},
		{"PHOTO", "Pastrami on a seeded roll", drawing.Sandwich},
		{"PROFILE", "Benchmark Deli", drawing.Logo},
	} {
		drawn, err := p.draw()
		if err != nil {
			return nil, err
		}
		all = append(all, demoPicture{p.kind, p.caption, drawn})
	}
	return all, nil
}

// demoDeli is the profile of a shop of the deli.
func demoDeli(s demoShop, number int, now time.Time) directory.Profile {
	day := directory.Ranges{{From: "07:30", To: "17:00"}}
	late := directory.Ranges{{From: "07:30", To: "21:00"}}
	placeID, _ := s.identity()
	p := directory.Profile{
		BusinessName: s.name, PhoneNumber: s.phone, Country: "US", Region: "GA", City: s.town, Zip: s.zip, AddressLine1: s.street,
		CategoryIDs: []string{"shop.deli", "amenity.fast_food.sandwich", "amenity.cafe"}, WebsiteURL: "https://" + s.site, PlaceID: placeID,
		Description: []string{
			"Pastrami cut by hand, rye baked before sunrise and coffee that gets you across the square. " +
				"Breakfast from half past seven, lunch until the soup is gone, platters for the office with a day of notice. We exist only in this demo.",
			"The little sister in Oakhurst: eight tables, a porch, and the same pastrami. Open late on Fridays, when the whole street eats outside. We exist only in this demo.",
			"Our newest shop, in the old Tudor row of Avondale. Bagels all day, and a counter to pick up what you ordered on the way home. We exist only in this demo.",
		}[number],
		Coordinates:       &directory.Coordinates{Latitude: &s.lat, Longitude: &s.lng},
		BusinessHours:     &directory.Week{Monday: day, Tuesday: day, Wednesday: day, Thursday: day, Friday: late, Saturday: late, Sunday: directory.Ranges{{From: "09:00", To: "14:00"}}},
		SpecialHours:      demoSpecialDays(now),
		PaymentOptions:    []string{"CASH", "CREDIT_CARD", "DEBIT_CARD", "NFC_MOBILE_PAYMENTS"},
		FeaturedMessage:   "Box lunches for ten: order before 11",
		InstagramUsername: "benchmark.deli.example", TwitterUsername: "benchmark_deli",
		YoutubeVideo: "https://www.youtube.com/watch?v=benchmarkdeli",
		MoreHours: []directory.MoreHours{
			{Type: "BREAKFAST", Hours: everyDay("07:30", "11:00")},
			{Type: "TAKEOUT", Hours: everyDay("08:00", "16:30")},
			{Type: "DELIVERY", Hours: everyDay("11:00", "16:00")},
		},
	}
	p.FeaturedMessageURL = "https://" + demoDelis[0].site + "/box-lunches"
	if number == 2 {
		p.PhoneNumber = "+1 404-555-0149" // the map has another, which is for the owner to find
	}
	return p
}

func everyDay(from, to string) directory.Week {
	day := directory.Ranges{{From: from, To: to}}
	return directory.Week{Monday: day, Tuesday: day, Wednesday: day, Thursday: day, Friday: day, Saturday: day, Sunday: day}
}

// demoSpecialDays are days that are never long ahead, and the feasts of the year to come.
func demoSpecialDays(now time.Time) []directory.SpecialDay {
	date := func(t time.Time) string { return t.Format(time.DateOnly) }
	short := directory.Ranges{{From: "09:00", To: "13:00"}}
	days := []directory.SpecialDay{
		{Type: directory.RangeHours, Day: date(now.AddDate(0, 0, 6)), Times: short},
		{Type: directory.Closed, Day: date(now.AddDate(0, 0, 17))},
	}
	taken := map[string]bool{days[0].Day: true, days[1].Day: true}
	for _, feast := range []directory.SpecialDay{
		{Type: directory.Closed, Day: date(thanksgiving(now))},
		{Type: directory.RangeHours, Day: date(next(now, time.December, 24)), Times: short},
		{Type: directory.Closed, Day: date(next(now, time.December, 25))},
		{Type: directory.Closed, Day: date(next(now, time.January, 1))},
	} {
		if !taken[feast.Day] {
			days = append(days, feast)
		}
	}
	return days
}

// next is the day of the month that comes next.
func next(now time.Time, month time.Month, day int) time.Time {
	t := time.Date(now.Year(), month, day, 0, 0, 0, 0, time.UTC)
	if t.Before(now) {
		t = t.AddDate(1, 0, 0)
	}
	return t
}

// thanksgiving is the fourth Thursday of a November that is not over.
func thanksgiving(now time.Time) time.Time {
	for year := now.Year(); ; year++ {
		first := time.Date(year, time.November, 1, 0, 0, 0, 0, time.UTC)
		t := first.AddDate(0, 0, (int(time.Thursday-first.Weekday())+7)%7+21)
		if t.After(now) {
			return t
		}
	}
}

// demoPlumber has no shop: it hides its address and tells where it comes to.
func demoPlumber() directory.Profile {
	return directory.Profile{
		BusinessName: "Contour Plumbing", PhoneNumber: "+1 404-555-0177", Country: "US", Region: "GA", City: "Atlanta", Zip: "30307",
		AddressLine1: "7 Example Street", CategoryIDs: []string{"craft.plumber"}, SuppressAddress: true,
		ServiceAreaPlaces: []directory.ServiceAreaPlace{{Name: "Decatur, GA", PlaceID: "demo-decatur"}, {Name: "Atlanta, GA", PlaceID: "demo-atlanta"}},
	}
}
