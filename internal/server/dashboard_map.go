package server

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"time"
)

// serveTiles serves the PMTiles file, of which browsers read what they show, range by range.
func (d *dashboard) serveTiles(w http.ResponseWriter, r *http.Request) {
	file, err := os.Open(d.baseMap.File)
	if err != nil {
		d.fail(w, r, fmt.Errorf("base map: %w", err))
		return
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		d.fail(w, r, fmt.Errorf("base map: %w", err))
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/vnd.pmtiles")
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("Etag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size())) // readers start over when the file is another one
	http.ServeContent(w, r, "", info.ModTime(), file)
}

// serveStyle serves the style that the web build has made for such a file.
func (d *dashboard) serveStyle(w http.ResponseWriter, r *http.Request) {
	theme := "light"
	if r.URL.Query().Get("theme") == "dark" {
		theme = "dark"
	}
	style, err := fs.ReadFile(d.files, "map/"+theme+".json")
	if err != nil {
		d.fail(w, r, fmt.Errorf("base map: %w", err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(style))
}
