package placeindex

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"testing"
)

// BenchmarkRead reads the same places from each format; read MB/s and places/s.
func BenchmarkRead(b *testing.B) {
	places := NewMarket(1, 20_000).Drift(0)
	for format, file := range map[Format][]byte{
		CSV: marketCSV(places), GeoJSON: marketGeoJSON(b, places), PBF: marketPBF(places),
	} {
		b.Run(string(format), func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			total := 0
			for b.Loop() {
				err := Read(bytes.NewReader(file), format, testOptions(), func(Place, Progress) error { total++; return nil },
					func(at int64, reason string) { b.Fatal(at, reason) })
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "places/s")
		})
	}
}

func marketCSV(places []Place) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write([]string{"name", "lat", "lng", "address", "category", "rating", "reviews", "phone"})
	for _, p := range places {
		w.Write([]string{
			p.Name, fmt.Sprint(p.Lat), fmt.Sprint(p.Lng), p.Address, p.Categories[0],
			fmt.Sprint(p.Rating), fmt.Sprint(p.Reviews), p.Phone,
		})
	}
	w.Flush()
	return out.Bytes()
}

func marketGeoJSON(b *testing.B, places []Place) []byte {
	var out bytes.Buffer
	out.WriteString(`{"type":"FeatureCollection","features":[`)
	for i, p := range places {
		if i > 0 {
			out.WriteByte(',')
		}
		err := json.NewEncoder(&out).Encode(map[string]any{
			"type": "Feature", "id": p.ID,
			"geometry":   map[string]any{"type": "Point", "coordinates": []float64{p.Lng, p.Lat}},
			"properties": map[string]any{"name": p.Name, "address": p.Address, "category": p.Categories[0], "rating": p.Rating},
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	out.WriteString("]}")
	return out.Bytes()
}

// marketPBF has nine nodes without tags for each place, as real extracts do.
func marketPBF(places []Place) []byte {
	w := &pbfWriter{}
	var block []osmNode
	for i, p := range places {
		for j := range 9 {
			block = append(block, osmNode{id: int64(i*10 + j), lat: p.Lat, lng: p.Lng})
		}
		block = append(block, osmNode{id: int64(i*10 + 9), lat: p.Lat, lng: p.Lng, tags: []string{"name", p.Name, "amenity", "bar"}})
		if len(block) >= 1000 {
			w.block(block, nil, nil)
			block = nil
		}
	}
	w.block(block, nil, nil)
	return w.file()
}
