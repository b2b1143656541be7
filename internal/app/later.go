package app

import (
	"cmp"
	"time"

	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/source"
)

// laterMaps lets those of map sources that are set to answer later be asked through their queues.
func (a *App) laterMaps(chain source.Chain[maprank.MapProvider]) source.Chain[maprank.MapProvider] {
	later := make(source.Chain[maprank.MapProvider], len(chain))
	for i, s := range chain {
		later[i] = s
		if q, ok := s.Provider.(provider.Queues); ok && q.MapQueue() != nil {
			later[i].Provider, later[i].Caller = source.LaterMaps(s.Provider, q.MapQueue(), a.later(s.Caller, 10*time.Second))
		}
	}
	return later
}

// laterWeb does the same for rank checks. They are many rows: each is looked at again only after a minute.
func (a *App) laterWeb(chain source.Chain[rankwatch.WebProvider]) source.Chain[rankwatch.WebProvider] {
	later := make(source.Chain[rankwatch.WebProvider], len(chain))
	for i, s := range chain {
		later[i] = s
		if q, ok := s.Provider.(provider.Queues); ok && q.WebQueue() != nil {
			later[i].Provider, later[i].Caller = source.LaterWeb(s.Provider, q.WebQueue(), a.later(s.Caller, time.Minute))
		}
	}
	return later
}

func (a *App) later(c *provider.Caller, pause time.Duration) source.LaterOptions {
	return source.LaterOptions{DB: a.DB, Clock: a.Clock, Ledger: a.Ledger, Caller: c, Pause: cmp.Or(a.comeBack, pause)}
}
