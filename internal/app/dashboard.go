package app

import (
	"encoding/json"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/basemap"
	"github.com/trigpoint/trigpoint/internal/server"
)

// start tells the dashboard what it needs before its first request.
func (a *App) start(version string) server.Start {
	return func(*http.Request) ([]byte, error) {
		return json.Marshal(struct {
			Map     basemap.Map `json:"map"`
			Version string      `json:"version"`
		}{a.baseMap, version})
	}
}
