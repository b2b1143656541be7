package basemap_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/basemap"
)

func TestSettingsMakeAMap(t *testing.T) {
	t.Parallel()
	tiles := write(t, "PMTiles\x03rest")
	for style, want := range map[string]basemap.Map{
		"":                            {Kind: "style", URL: basemap.Default, DarkURL: "https://tiles.openfreemap.org/styles/dark", Hosts: []string{"https://tiles.openfreemap.org", "https://a.example"}},
		"http://maps.example/s.json?": {Kind: "style", URL: "http://maps.example/s.json?", Hosts: []string{"http://maps.example", "https://a.example"}},
		"none":                        {Kind: "none", Hosts: []string{"https://a.example"}},
		tiles:                         {Kind: "pmtiles", URL: "/map/style.json?theme=light", DarkURL: "/map/style.json?theme=dark", File: tiles, Hosts: []string{"https://a.example"}},
	} {
		if got, err := basemap.New(style, []string{"a.example"}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", style, got, err)
		}
	}
}

func TestWrongSettingsTeach(t *testing.T) {
	t.Parallel()
	for style, says := range map[string]string{
		"https://maps.example/town.pmtiles": "download the file and give its path",
		"ftp://maps.example/style":          "neither the http(s) URL",
		"https://a.example;x/style":         "neither the http(s) URL",
		"style.json":                        "nor the path of a .pmtiles file, nor none",
		"/nowhere/town.pmtiles":             "no such file",
		write(t, "PMTiles\x02rest"):         "no PMTiles file of version 3",
		write(t, "PM"):                      "no PMTiles file of version 3",
	} {
		if _, err := basemap.New(style, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", style, err)
		}
	}
	// what stands in the policy must not be able to widen it
	for _, host := range []string{"", "a.example; script-src *", "https:", "a.example/path", "'unsafe-inline'", "*", "a b"} {
		if m, err := basemap.New("", []string{host}); err == nil {
			t.Errorf("host %q was taken: %v", host, m.Hosts)
		}
	}
}

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "town.pmtiles")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
