package server

import (
	_ "embed"
	"html/template"
	"net/http"
	"strings"
)

// pagePolicy is what our own pages need: nothing but their inline styles.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed home.html
var homeSource string

var homeTemplate = template.Must(template.New("home").Parse(homeSource))

type homeView struct {
	Tokens    template.CSS
	Documents []docsLink
}

// pageTokens lets the dashboard's colours follow the system where no script chooses them.
func pageTokens(tokens string) template.CSS {
	const dark = ":root[data-theme='dark'] {"
	light, rest, _ := strings.Cut(tokens, dark)
	return template.CSS(light + dark + rest + "@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) {" + rest + "}") //nolint:gosec // our own file
}

//go:embed favicon.ico
var favicon []byte

// mountHome serves what people and crawlers ask for when they know nothing but the address.
func (s *Server) mountHome() {
	if d := newDashboard(s.options.Dashboard, s.options.Start, s.options.BaseMap, s.fail); d != nil {
		d.mount(s.mux)
	} else {
		s.mux.HandleFunc("GET /{$}", s.serveHome)
	}
	s.mux.Handle("GET /docs/{$}", http.RedirectHandler("/docs", http.StatusMovedPermanently))
	s.mux.HandleFunc("GET /robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("User-agent: *\nDisallow: /_api/\nDisallow: /oauth2/\n\nSitemap: " + s.options.PublicURL + "/sitemap.xml\n"))
	})
	s.mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/x-icon")
		w.Header().Set("Cache-Control", "public, max-age=86400")
		_, _ = w.Write(favicon)
	})
}

// serveHome stands in for a dashboard that was not built.
func (s *Server) serveHome(w http.ResponseWriter, _ *http.Request) {
	var links []docsLink
	for _, d := range s.documents {
		links = append(links, docsLink{d.name, d.api().Info.Title, d.api().Info.Description, d.prefix})
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", pagePolicy)
	_ = homeTemplate.Execute(w, homeView{pageTokens(s.options.Tokens), links}) // the client has gone
}
