package server

import (
	"net/http"
	"strings"

	"github.com/trigpoint/trigpoint/internal/basemap"
)

// dashboardPolicy is the Content-Security-Policy of the dashboard: it speaks to this server and to the hosts of its
// base map, and nothing that is not a file of its own runs in it.
func dashboardPolicy(m basemap.Map) string {
	hosts := strings.Join(append([]string{""}, m.Hosts...), " ")
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"worker-src 'self'",                  // of the map
		"img-src 'self' data: blob:" + hosts, // sprites, and pictures before they are uploaded
		"connect-src 'self'" + hosts,
		"font-src 'self'",
		"manifest-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	}, "; ")
}

// setPageHeaders sets what holds for every page that people use here: its address, which may hold the token of a share,
// is told to nobody, and it stands in no one's frame.
func setPageHeaders(h http.Header) {
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(self), microphone=(), payment=(), usb=()")
	h.Set("X-Frame-Options", "DENY") // for browsers that do not know frame-ancestors
}
