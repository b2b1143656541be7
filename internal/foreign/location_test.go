package foreign_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/foreign"
)

func TestLocationsOfGoogleAndBrightLocal(t *testing.T) {
	t.Parallel()
	table := open(t, "google-business.csv")
	for name, content := range map[string][]byte{"CSV": table, "workbook": workbook(t, readCSV(t, table)), "UTF-16": utf16(t, table)} {
		var left skips
		got, err := foreign.ReadLocations(file("locations", content), "", left.skip)
		if err != nil || len(got) != 2 {
			t.Fatal(name, got, err)
		}
		day := func(from, to string) []foreign.OpenHours { return []foreign.OpenHours{{From: from, To: to}} }
		want := foreign.Location{
			Row: foreign.Row{Line: 2}, StoreCode: "DELI1", Name: "Benchmark Deli", Phone: "+1 404-555-0142", Website: "https://benchmark-deli.example",
			Description: "Sandwiches, soups\nand bagels since 1974.", Address1: "112 Example Square", Address2: "Suite 2", City: "Decatur", Region: "GA",
			Zip: "30030", Country: "US", Categories: []string{"Delicatessen", "Coffee shop", "Sandwich shop"}, Lat: 33.77465, Lng: -84.2963, Located: true, Opens: true,
			Hours: [7][]foreign.OpenHours{
				nil, day("08:00", "18:00"),
				{{From: "08:00", To: "12:00"}, {From: "13:00", To: "18:00"}},
				day("08:00", "18:00"),
				day("00:00", "00:00"), day("22:00", "02:00"), day("09:00", "17:00"),
			},
			Special: []foreign.SpecialDay{{Day: "2026-12-24", Hours: day("10:00", "14:00")}, {Day: "2026-12-25"}},
		}
		if !reflect.DeepEqual(got[0], want) {
			t.Errorf("%s: got  %+v\nwant %+v", name, got[0], want)
		}
		if second := got[1]; second.Country != "US" || second.Located || second.Opens || !slices.Equal(second.Categories, []string{"delicatessen"}) || len(left) != 1 {
			t.Errorf("%s: %+v, %q", name, second, left)
		}
	}
	var left skips
	got, err := foreign.ReadLocations(file("locations", open(t, "brightlocal-locations.csv")), "", left.skip)
	if err != nil || len(left) > 0 || len(got) != 1 || got[0].Country != "US" || got[0].Zip != "30030" || got[0].Website != "benchmark-deli.example" || got[0].StoreCode != "L-1" {
		t.Errorf("%+v, %v, %v", got, left, err)
	}
}
