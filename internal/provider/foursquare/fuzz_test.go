package foursquare

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func FuzzPlaces(f *testing.F) {
	raw, err := os.ReadFile("testdata/search.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte(`{"results":[{"fsq_place_id":7,"latitude":"x"},null]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer searchAnswer
		if json.Unmarshal(raw, &answer) != nil || answer.Verify() != nil {
			return
		}
		for _, row := range *answer.Results {
			if b := row.business(); b.PlaceID == "" || strings.ContainsRune(b.Name, 0) {
				t.Errorf("%+v", b)
			}
		}
	})
}
