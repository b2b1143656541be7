package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// TestCommandsOfAnotherServer make, show and remove what a server has that is reached by its address and a key alone.
func TestCommandsOfAnotherServer(t *testing.T) {
	t.Parallel()
	market := providertest.Market(providertest.Decatur, 10)
	p := apptest.Start(t, dbtest.SQLite(t), func(s *apptest.Setup) {
		s.NoWorker = true
		s.Options.Web = &providertest.Scripted{Title: "Web"}
		s.Options.Map.Provider = &providertest.Scripted{Place: providertest.Known(market), Map: providertest.NearestFirst(market)}
	})
	run := func(args ...string) string {
		t.Helper()
		return apptest.Run(t, []string{"TRIGPOINT_KEY=" + p.Owner.Key}, append(args, "--server", p.URL)...)
	}
	id := func(args ...string) string {
		t.Helper()
		var made struct {
			ID       string `json:"id"`
			Bare     string `json:"_id"`
			Location string `json:"location_id"`
		}
		if out := run(append(args, "--json")...); json.Unmarshal([]byte(out), &made) != nil {
			t.Fatalf("%q printed %s", args, out)
		}
		return made.ID + made.Bare + made.Location
	}
	want := func(out, part string) {
		t.Helper()
		if !strings.Contains(out, part) {
			t.Errorf("%q is not in\n%s", part, out)
		}
	}

	categories, _, _ := category.List("US", 1, 0)
	file := filepath.Join(t.TempDir(), "location.json")
	text := `{"business_name":"Decatur Deli","phone_number":"+1 404-555-0123","country":"US","region":"GA","city":"Decatur","zip":"30030","address_line_1":"1 Main Street","category_ids":["` + categories[0].ID + `"]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want(run("location", "create", file, "--check"), "Nothing is wrong")
	location := id("location", "create", file)
	want(run("location", "list", "--query", "deli"), "Decatur Deli")
	if err := os.WriteFile(file, []byte(`{"business_name":"Deli of Decatur"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	want(run("location", "update", location, file), "Deli of Decatur")
	want(run("location", "get", location), "\ncity: Decatur\n")
	want(run("location", "listings", location), "DIRECTORY")
	run("location", "delete", location)

	const bulk = "../foreign/testdata/google-business.csv"
	want(run("import", "google-business", bulk, "--dry-run"), "2 locations would be added; 0 were there.")
	want(run("import", "google-business", bulk), "2 locations added; 0 were there.")
	want(run("import", "brightlocal-locations", bulk, "../foreign/testdata/brightlocal-locations.csv"), "0 locations added; 3 were there.")
	var imported []struct {
		Location string `json:"location_id"`
	}
	if out := run("location", "list", "--json"); json.Unmarshal([]byte(out), &imported) != nil || len(imported) != 2 {
		t.Errorf("imported: %s", out)
	}
	for _, l := range imported {
		run("location", "delete", l.Location)
	}

	campaign := id("campaign", "create", market[0].PlaceID, "pizza", "--grid", "3x3")
	want(run("campaign", "collect", campaign), "is being collected")
	want(run("campaign", "find"), "COLLECTING")
	want(run("campaign", "list"), "COLLECTING")
	shown := run("campaign", "get", campaign)
	want(shown, "\n  template: 3x3\n")
	want(shown, "\n    name: pizza\n")
	run("campaign", "delete", campaign)

	tracking := id("tracking", "create", "deli.example", "deli", "--mobile")
	want(run("tracking", "list"), "mobile")
	want(run("keyword", "add", tracking, "bagel near me"), "bagel near me")
	want(run("keyword", "list", tracking, "--limit", "1"), "KEYWORD")
	run("tracking", "delete", tracking)
	for _, kind := range []string{"location", "tracking"} {
		if out := run(kind, "list", "--json"); strings.TrimSpace(out) != "[]" {
			t.Errorf("%s list still has %s", kind, out)
		}
	}
}
