package app

import (
	"github.com/trigpoint/trigpoint/internal/report"
	"github.com/trigpoint/trigpoint/internal/typeface"
)

// addReports wires what is handed to others.
func (a *App) addReports() {
	a.Reports = report.New(report.Options{
		Accounts: a.Accounts, Clock: a.Clock, Log: a.Log, Local: a.Local, MapRank: a.MapRank, RankWatch: a.RankWatch,
		Faces: typeface.NewFolder(a.Config.FontDir, a.Log),
	})
}
