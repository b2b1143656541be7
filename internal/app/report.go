package app

import (
	"github.com/trigpoint/trigpoint/internal/report"
	"github.com/trigpoint/trigpoint/internal/typeface"
)

// addReports wires what is handed to others.
func (a *App) addReports() error {
	mailer, err := a.Config.Mailer()
	if err != nil {
		return err
	}
	a.Reports = report.New(report.Options{
		DB: a.DB, Accounts: a.Accounts, Clock: a.Clock, Log: a.Log, Jobs: a.Jobs, Mail: mailer,
		Local: a.Local, MapRank: a.MapRank, RankWatch: a.RankWatch, Faces: typeface.NewFolder(a.Config.FontDir, a.Log),
		PublicURL: a.Config.Public(), Lease: 5 * a.Config.JobTakeover, // a report takes longer than a message
	})
	return nil
}
