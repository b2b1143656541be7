// Package web holds the dashboard as it was built: `make build` writes it into dist/. Without Node dist/ is empty,
// and so is Dashboard.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Tokens are the dashboard's colours and sizes, for the pages that the server writes itself.
//
//go:embed src/ui/tokens.css
var Tokens string

// Dashboard is index.html and assets/, whose names hold a hash of their content; each asset lies there as it is, and
// packed as .br and .gz.
func Dashboard() fs.FS {
	built, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // the name above is valid
	}
	return built
}
