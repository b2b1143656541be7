package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/basemap"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// dashboardPaths are the screens. Each is served with all that lies below it; the dashboard itself tells them apart.
var dashboardPaths = []string{
	"overview", "maps", "keywords", "research", "locations", "settings", "shared",
	"setup", "signin", "signup", "forgot", "reset",
}

// Start yields what the dashboard is told as it starts, as JSON: the answer of GET /session.
type Start func(r *http.Request) ([]byte, error)

// dashboard serves the web application as it was built.
type dashboard struct {
	files        fs.FS
	before, rest []byte // of index.html, around startMark
	start        Start
	baseMap      basemap.Map
	policy       string
	fail         func(http.ResponseWriter, *http.Request, error)
}

// startMark stands in index.html where what Start yields goes.
const startMark = "<!--start-->"

// newDashboard is nil when nothing was built.
func newDashboard(files fs.FS, start Start, m basemap.Map, fail func(http.ResponseWriter, *http.Request, error)) *dashboard {
	index, err := fs.ReadFile(files, "index.html")
	if err != nil {
		return nil
	}
	before, rest, _ := bytes.Cut(index, []byte(startMark))
	return &dashboard{files: files, before: before, rest: rest, start: start, baseMap: m, policy: dashboardPolicy(m), fail: fail}
}

func (d *dashboard) mount(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", d.serveIndex)
	for _, name := range dashboardPaths {
		mux.HandleFunc("GET /"+name, d.serveIndex)
		mux.HandleFunc("GET /"+name+"/{rest...}", d.serveIndex)
	}
	mux.HandleFunc("GET /assets/{file}", d.serveAsset)
	if d.baseMap.Kind == basemap.PMTiles {
		mux.HandleFunc("GET "+basemap.TilesPath, d.serveTiles)
		mux.HandleFunc("GET "+basemap.StylePath, d.serveStyle)
	}
}

// serveIndex serves the one page that all screens share, with what it needs to start, so that it need not ask.
func (d *dashboard) serveIndex(w http.ResponseWriter, r *http.Request) {
	start, err := d.start(r)
	if err != nil {
		d.fail(w, r, err)
		return
	}
	var page bytes.Buffer
	page.Write(d.before)
	page.WriteString(`<script type="application/json" id="start">`)
	json.HTMLEscape(&page, start) // so that no value can end the element
	page.WriteString(`</script>`)
	page.Write(d.rest)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", d.policy)
	setPageHeaders(h)
	h.Set("Cache-Control", "private, no-cache") // who is signed in stands in it
	h.Set("Etag", fmt.Sprintf(`"%x"`, sha256.Sum256(page.Bytes())))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(page.Bytes()))
}

// assetTypes are the media types of what is built. The machine's own table is not asked: it differs from machine to machine.
var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".json": "application/json", ".map": "application/json",
	".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
}

// serveAsset serves a file whose name holds a hash of its content, packed as the client likes it best.
func (d *dashboard) serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	media, known := assetTypes[path.Ext(name)]
	file, err := d.files.Open("assets/" + name)
	if !known || err != nil {
		d.fail(w, r, errs.New(errs.NotFound, "There is nothing at %.200s.", r.URL.Path))
		return
	}
	h := w.Header()
	tag := name
	h.Set("Vary", "Accept-Encoding")
	for _, packed := range []struct{ coding, ending string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !accepts(r.Header.Get("Accept-Encoding"), packed.coding) {
			continue
		}
		if smaller, err := d.files.Open("assets/" + name + packed.ending); err == nil {
			_ = file.Close()
			file, tag = smaller, name+packed.ending
			h.Set("Content-Encoding", packed.coding)
			break
		}
	}
	defer func() { _ = file.Close() }()
	content, ok := file.(io.ReadSeeker)
	if !ok {
		d.fail(w, r, fmt.Errorf("asset %s is no plain file", name))
		return
	}
	h.Set("Content-Type", media)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Etag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, content)
}

var refusedCoding = regexp.MustCompile(`^\s*q=0(\.0*)?\s*$`)

// accepts tells whether a client's list of codings has this one.
func accepts(list, coding string) bool {
	for element := range strings.SplitSeq(list, ",") {
		if name, weight, _ := strings.Cut(element, ";"); strings.EqualFold(strings.TrimSpace(name), coding) {
			return !refusedCoding.MatchString(weight)
		}
	}
	return false
}
