package app

import "github.com/trigpoint/trigpoint/internal/desk"

// desk is what an account sees of itself.
func (a *App) desk() *desk.Desk {
	return &desk.Desk{
		DB: a.DB, Accounts: a.Accounts, Clock: a.Clock, Local: a.Local, MapRank: a.MapRank, RankWatch: a.RankWatch, Ledger: a.Ledger, PublicURL: a.Config.Public(),
		Sources: desk.Sources{Map: desk.Providers(a.mapsNow), Web: desk.Providers(a.web), Keyword: desk.Providers(a.data)},
	}
}
