package cli

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
)

// demoLocations gives the demo account two invented locations, once.
func demoLocations(ctx context.Context, a *app.App, c created) error {
	held, err := db.One(ctx, a.DB, db.Value[int], "SELECT count(*) FROM locations WHERE account_id = $1", c.AccountID)
	if err != nil || held > 0 {
		return err
	}
	noon, evening := directory.Ranges{{From: "11:00", To: "15:00"}}, directory.Ranges{{From: "11:00", To: "15:00"}, {From: "17:00", To: "22:30"}}
	latitude, longitude := 33.7748, -84.2963
	who := account.Principal{AccountID: c.AccountID, Email: c.Email, PlanName: c.Plan, Plan: a.Accounts.Plan(c.Plan)}
	for _, p := range []directory.Profile{
		{
			BusinessName: "Benchmark Pizza (invented)", PhoneNumber: "+1 404-555-0142", Country: "US", Region: "GA", City: "Decatur", Zip: "30030",
			AddressLine1: "100 Example Square", CategoryIDs: []string{"amenity.restaurant.pizza"}, WebsiteURL: "www.benchmark-pizza.example",
			Description: "A pizzeria that exists only in this demo. Its dough rests for two days.",
			Coordinates: &directory.Coordinates{Latitude: &latitude, Longitude: &longitude},
			BusinessHours: &directory.Week{
				Tuesday: noon, Wednesday: noon, Thursday: evening, Friday: evening, Saturday: evening, Sunday: noon,
			},
			PaymentOptions: []string{"CASH", "CREDIT_CARD"},
		},
		{
			BusinessName: "Contour Plumbing (invented)", PhoneNumber: "+1 404-555-0177", Country: "US", Region: "GA", City: "Atlanta", Zip: "30307",
			AddressLine1: "7 Example Street", CategoryIDs: []string{"craft.plumber"}, SuppressAddress: true,
			ServiceAreaPlaces: []directory.ServiceAreaPlace{{Name: "Decatur, GA", PlaceID: "demo-decatur"}, {Name: "Atlanta, GA", PlaceID: "demo-atlanta"}},
		},
	} {
		if _, err := a.Local.Create(ctx, who, p); err != nil {
			return err
		}
	}
	return nil
}
