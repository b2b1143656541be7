// Package basemap is the map under the dashboard's grids: where its style comes from, and which hosts a browser must
// be let reach for it. It serves nothing.
package basemap

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"strings"
)

// Where the styles of OpenFreeMap are, which asks for no key; one host has all that they name.
const (
	Default     = "https://tiles.openfreemap.org/styles/positron"
	defaultDark = "https://tiles.openfreemap.org/styles/dark"
)

// Where the program serves a PMTiles file, and the style made for it.
const (
	TilesPath = "/map/tiles.pmtiles"
	StylePath = "/map/style.json"
)

// Kind says what the dashboard shows under a grid.
type Kind string

// The kinds of base map.
const (
	Style   Kind = "style"   // a MapLibre style somewhere
	PMTiles Kind = "pmtiles" // a file that the program serves
	None    Kind = "none"    // a plain ground
)

// Map is a base map.
type Map struct {
	Kind    Kind     `json:"kind" enum:"style,pmtiles,none" doc:"What lies under a grid: a style of its own address, one for the tiles that the program serves, or nothing."`
	URL     string   `json:"url,omitempty" doc:"The MapLibre style." example:"https://tiles.openfreemap.org/styles/positron"`
	DarkURL string   `json:"dark_url,omitempty" doc:"The style for dark screens, where there is another one."`
	File    string   `json:"-"` // of PMTiles
	Hosts   []string `json:"-"` // sources, as a Content-Security-Policy names them
}

// New reads the settings: a style's URL, the path of a .pmtiles file, or none; and the hosts that a style names beside
// its own. Its error tells every problem, each on a line.
func New(style string, hosts []string) (Map, error) {
	sources, wrongHosts := readHosts(hosts)
	m, wrongStyle := readStyle(style)
	m.Hosts = append(m.Hosts, sources...)
	return m, errors.Join(wrongStyle, wrongHosts)
}

func readStyle(style string) (Map, error) {
	if style == "" {
		style = Default
	}
	u, err := url.Parse(style)
	web := err == nil && (u.Scheme == "https" || u.Scheme == "http") && host.MatchString(strings.ToLower(u.Host)) // it will stand in a policy
	switch {
	case style == "none":
		return Map{Kind: None}, nil
	case web && strings.HasSuffix(u.Path, ".pmtiles"):
		return Map{}, fmt.Errorf("map-style %q is tiles on another host; download the file and give its path", style)
	case web:
		m := Map{Kind: Style, URL: style, Hosts: []string{u.Scheme + "://" + u.Host}}
		if style == Default {
			m.DarkURL = defaultDark
		}
		return m, nil
	case strings.HasSuffix(style, ".pmtiles"):
		return Map{Kind: PMTiles, URL: StylePath + "?theme=light", DarkURL: StylePath + "?theme=dark", File: style}, checkTiles(style)
	}
	return Map{}, fmt.Errorf("map-style %q is neither the http(s) URL of a MapLibre style, nor the path of a .pmtiles file, nor none", style)
}

var host = regexp.MustCompile(`^(https?://)?(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?$`)

func readHosts(hosts []string) (sources []string, err error) {
	for _, h := range hosts {
		if !host.MatchString(h) {
			err = errors.Join(err, fmt.Errorf("map-hosts: %q is no host such as tiles.example.com or https://tiles.example.com:8443", h))
		}
		if !strings.Contains(h, "://") {
			h = "https://" + h
		}
		sources = append(sources, h)
	}
	return sources, err
}

// tilesMagic begins a PMTiles file: its name and version 3.
const tilesMagic = "PMTiles\x03"

func checkTiles(path string) error {
	file, err := os.Open(path) //nolint:gosec // the operator names it
	if err != nil {
		return fmt.Errorf("map-style: %w", err)
	}
	defer func() { _ = file.Close() }()
	start := make([]byte, len(tilesMagic))
	if _, err := io.ReadFull(file, start); err != nil || string(start) != tilesMagic {
		return fmt.Errorf("map-style %q is no PMTiles file of version 3; `pmtiles convert` makes one of older files and of MBTiles", path)
	}
	return nil
}
