package placeindex

import (
	"bytes"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider/overpass/overpasstest"
)

// Whatever a file holds: what is yielded is a valid place, and a read can be continued at each.

func FuzzReadCSV(f *testing.F) {
	f.Add(sampleFiles(f)[CSV])
	f.Add([]byte("name;lat;lng\n\"a\n\"\"b\";1;2\n\"open;1;2\nc;3;4"))
	f.Add([]byte("\ufeffName\tY\tX\r\na\t1,5\t2\r\n\r\n"))
	fuzzRead(f, CSV)
}

func FuzzReadGeoJSON(f *testing.F) {
	f.Add(sampleFiles(f)[GeoJSON])
	f.Add([]byte(`{"features":[{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"name":"a"}}]}`))
	f.Add([]byte("{\"type\":\"Feature\",\"id\":7,\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},\"properties\":{\"name\":\"a\",\"shop\":\"bakery\"}}\n{"))
	f.Add([]byte(`{"features":[[[["`))
	fuzzRead(f, GeoJSON)
}

func FuzzReadPBF(f *testing.F) {
	f.Add(samplePBF().file())
	plain := samplePBF()
	plain.raw = true // lets the fuzzer reach what is inside
	f.Add(plain.file())
	fuzzRead(f, PBF)
}

func FuzzReadOverpass(f *testing.F) {
	f.Add(sampleFiles(f)[Overpass])
	f.Add([]byte(overpasstest.Interrupted()))
	f.Add([]byte(`{"elements":[{"type":"way","id":1,"center":{"lat":1}}],"elements":[],"remark":"\"}`))
	fuzzRead(f, Overpass)
}

func fuzzRead(f *testing.F, format Format) {
	f.Fuzz(func(t *testing.T, file []byte) {
		if err := resumes(file, format); err != nil {
			if _, _, whole := readAll(bytes.NewReader(file), format, testOptions()); whole == nil || whole.Error() != err.Error() {
				t.Fatal(err)
			}
		}
	})
}
