package photon

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func FuzzFeatures(f *testing.F) {
	recorded, err := os.ReadFile("testdata/api.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(recorded)
	f.Add([]byte(`{"features":[{"properties":{"osm_type":"N","osm_id":-1,"osm_key":"shop","osm_value":"*","name":"x"},"geometry":{"coordinates":[181,91]}},{"geometry":null},null]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var answer featureCollection
		if json.Unmarshal(raw, &answer) != nil || answer.Features == nil {
			return
		}
		for _, row := range *answer.Features {
			b, ok := row.business()
			if !ok {
				continue
			}
			if b.Name == "" || !(provider.Point{Lat: b.Lat, Lng: b.Lng}).Valid() || (b.PlaceID == "") != (b.CID == "") {
				t.Errorf("%+v", b)
			}
			if _, cid, ok := parseID(b.PlaceID); b.PlaceID != "" && (!ok || cid != b.CID) {
				t.Errorf("%s is read as %s, %v", b.PlaceID, cid, ok)
			}
		}
	})
}

func FuzzUnderstand(f *testing.F) {
	f.Add("zahnarzt köln")
	f.Add("near me")
	f.Fuzz(func(t *testing.T, keyword string) {
		if asked := understand(keyword); len(asked.include) == 0 {
			t.Errorf("%q looks for nothing: %+v", keyword, asked)
		}
	})
}

func TestPositionsSurviveTheID(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := provider.Point{Lat: rapid.Float64Range(-90, 90).Draw(t, "lat"), Lng: rapid.Float64Range(-180, 180).Draw(t, "lng")}
		id, cid := identify("W", 42, at)
		back, number, ok := parseID(id)
		if !ok || number != cid || math.Abs(back.Lat-at.Lat) > 1e-5 || math.Abs(back.Lng-at.Lng) > 1e-5 {
			t.Fatalf("%v became %v with %s, %v", at, back, number, ok)
		}
	})
}
