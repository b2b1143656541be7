package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// built is a dashboard as the web build leaves it.
var built = fstest.MapFS{
	"index.html":             {Data: []byte("<!doctype html><head><!--start--></head><div id=app></div>")},
	"assets/main-a1b2.js":    {Data: []byte("plain")},
	"assets/main-a1b2.js.br": {Data: []byte("as br")},
	"assets/main-a1b2.js.gz": {Data: []byte("as gzip")},
	"assets/logo-c3d4.svg":   {Data: []byte("<svg/>")},
	"map/light.json":         {Data: []byte(`{"name":"light"}`)},
	"map/dark.json":          {Data: []byte(`{"name":"dark"}`)},
}

func startDashboard(t *testing.T, changes ...func(*apptest.Setup)) *apptest.Program {
	t.Helper()
	return apptest.Start(t, dbtest.SQLite(t), append(changes, func(s *apptest.Setup) { s.Options.Dashboard, s.NoWorker = built, true })...)
}

// browse asks as a browser does, whose transport unpacks nothing by itself.
func browse(t *testing.T, method, url string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestDashboardIsServedAtItsScreens(t *testing.T) {
	t.Parallel()
	p := startDashboard(t)
	var tag string
	for _, path := range []string{"/", "/overview", "/maps", "/maps/1/compare", "/shared/campaign/1", "/signin", "/settings/keys/"} {
		res, page := browse(t, "GET", p.URL+path)
		if res.StatusCode != 200 || !strings.Contains(page, "<div id=app>") || res.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Fatalf("%s: %d %v %s", path, res.StatusCode, res.Header, page)
		}
		tag = res.Header.Get("Etag")
		if res.Header.Get("Cache-Control") != "private, no-cache" || tag == "" || res.Header.Get("X-Frame-Options") != "DENY" || res.Header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%s: headers %v", path, res.Header)
		}
	}
	if res, page := browse(t, "HEAD", p.URL+"/maps"); res.StatusCode != 200 || page != "" || res.ContentLength < 1 {
		t.Errorf("HEAD: %d, %d bytes, %q", res.StatusCode, res.ContentLength, page)
	}
	if res, _ := browse(t, "GET", p.URL+"/", "If-None-Match", tag); res.StatusCode != 304 {
		t.Errorf("a page that the browser has: %d", res.StatusCode)
	}
	if res, body := browse(t, "GET", p.URL+"/nothing"); res.StatusCode != 404 || !json.Valid([]byte(body)) {
		t.Errorf("a path of nobody's: %d %s", res.StatusCode, body)
	}
	if res, _ := browse(t, "POST", p.URL+"/maps"); res.StatusCode != 405 || res.Header.Get("Allow") != "GET" {
		t.Errorf("POST to a screen: %d %v", res.StatusCode, res.Header)
	}
}

func TestDashboardIsToldHowToStart(t *testing.T) {
	t.Parallel()
	p := startDashboard(t, func(s *apptest.Setup) { s.Config.MapStyle = "https://maps.example/</script>\u2028?key=1" })
	_, page := browse(t, "GET", p.URL+"/")
	_, rest, _ := strings.Cut(page, `<script type="application/json" id="start">`)
	text, rest, ended := strings.Cut(rest, "</script>")
	if !ended || !strings.HasPrefix(rest, "</head>") || strings.Contains(text, "\u2028") {
		t.Fatalf("a value got out of its element: %s", page)
	}
	var start struct {
		Map     struct{ Kind, URL string }
		Version string
	}
	if err := json.Unmarshal([]byte(text), &start); err != nil || start.Map.Kind != "style" || start.Map.URL != "https://maps.example/</script>\u2028?key=1" || start.Version != "test" {
		t.Errorf("%v %s", err, text)
	}
}

func TestAssetsArePackedAsTheBrowserLikes(t *testing.T) {
	t.Parallel()
	p := startDashboard(t)
	for accept, want := range map[string]string{
		"gzip, deflate, br, zstd": "as br", "gzip": "as gzip", "br;q=0, gzip;q=0.5": "as gzip", "identity": "plain", "br;q=0.0, gzip;q=0": "plain", "": "plain",
	} {
		res, body := browse(t, "GET", p.URL+"/assets/main-a1b2.js", "Accept-Encoding", accept)
		if body != want || "as "+res.Header.Get("Content-Encoding") != want && want != "plain" || res.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %q %v", accept, body, res.Header)
		}
		if res.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || res.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%q: %v", accept, res.Header)
		}
		if again, _ := browse(t, "GET", p.URL+"/assets/main-a1b2.js", "Accept-Encoding", accept, "If-None-Match", res.Header.Get("Etag")); again.StatusCode != 304 {
			t.Errorf("%q again: %d", accept, again.StatusCode)
		}
	}
	if res, body := browse(t, "GET", p.URL+"/assets/logo-c3d4.svg", "Accept-Encoding", "br"); body != "<svg/>" || res.Header.Get("Content-Encoding") != "" {
		t.Errorf("what is not packed: %q %v", body, res.Header)
	}
	for _, path := range []string{"/assets/main-a1b2.js.br", "/assets/nothing.js", "/assets/..%2findex.html", "/assets/"} {
		if res, _ := browse(t, "GET", p.URL+path); res.StatusCode != 404 {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
}

func TestPolicyLetsTheBrowserReachTheBaseMapOnly(t *testing.T) {
	t.Parallel()
	for style, want := range map[string]string{
		"":     "connect-src 'self' https://tiles.openfreemap.org;",
		"none": "connect-src 'self';",
		"https://maps.example:8443/a/style.json?key=secret": "connect-src 'self' https://maps.example:8443 https://*.tiles.example http://fonts.example:81;",
	} {
		p := startDashboard(t, func(s *apptest.Setup) {
			if s.Config.MapStyle = style; strings.Contains(style, "key") {
				s.Config.MapHosts = []string{"*.tiles.example", "http://fonts.example:81"}
			}
		})
		res, _ := browse(t, "GET", p.URL+"/")
		policy := res.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, want) || strings.Contains(policy, "unsafe") || strings.Contains(policy, "secret") {
			t.Errorf("map-style %q: %s", style, policy)
		}
	}
}

func TestTilesAreServedFromAFile(t *testing.T) {
	t.Parallel()
	tiles := filepath.Join(t.TempDir(), "town.pmtiles")
	if err := os.WriteFile(tiles, []byte("PMTiles\x03 and then tiles"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startDashboard(t, func(s *apptest.Setup) { s.Config.MapStyle = tiles })
	res, part := browse(t, "GET", p.URL+"/map/tiles.pmtiles", "Range", "bytes=13-16")
	if res.StatusCode != 206 || part != "then" || res.Header.Get("Etag") == "" || res.Header.Get("Content-Range") != "bytes 13-16/23" {
		t.Errorf("a range: %d %q %v", res.StatusCode, part, res.Header)
	}
	for query, name := range map[string]string{"": "light", "?theme=light": "light", "?theme=dark": "dark"} {
		if res, style := browse(t, "GET", p.URL+"/map/style.json"+query); res.StatusCode != 200 || !strings.Contains(style, name) {
			t.Errorf("style%s: %d %s", query, res.StatusCode, style)
		}
	}
	if res, _ := browse(t, "GET", startDashboard(t).URL+"/map/tiles.pmtiles"); res.StatusCode != 404 {
		t.Errorf("without a file: %d", res.StatusCode)
	}
}
