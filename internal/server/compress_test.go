package server_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/local"
)

func TestLongJSONAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for name, tc := range map[string]struct {
			path, accepts string
			packed        bool
		}{
			"a long list":         {local.Prefix + "/categories?country=US", "gzip, br", true},
			"weighed":             {local.Prefix + "/categories?country=US", "br;q=1, gzip;q=0.5", true},
			"refused":             {local.Prefix + "/categories?country=US", "gzip;q=0", false},
			"not named":           {local.Prefix + "/categories?country=US", "identity", false},
			"a short answer":      {local.Prefix + "/locations", "gzip", false},
			"a failure":           {local.Prefix + "/categories?country=XX", "gzip", false},
			"a page":              {"/docs/local", "gzip", false},
			"an OpenAPI document": {"/openapi/local.json", "gzip", true},
		} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+tc.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Apikey "+p.Owner.Key)
			req.Header.Set("Accept-Encoding", tc.accepts) // said by hand, it is not unpacked by the client
			answer, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			if packed := answer.Header.Get("Content-Encoding") == "gzip"; packed != tc.packed {
				t.Errorf("%s: compressed %v, want %v", name, packed, tc.packed)
			}
			if isJSON := strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json"); isJSON {
				var body io.Reader = answer.Body
				if tc.packed {
					if body, err = gzip.NewReader(answer.Body); err != nil {
						t.Fatalf("%s: %v", name, err)
					}
				}
				if err := json.NewDecoder(body).Decode(new(any)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if !strings.Contains(strings.Join(answer.Header.Values("Vary"), ","), "Accept-Encoding") {
					t.Errorf("%s: Vary is %q", name, answer.Header.Values("Vary"))
				}
			}
			_ = answer.Body.Close()
		}
	})
}
