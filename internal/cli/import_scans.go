package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/foreign"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// scanFlags say what a grid of ranks may leave open.
type scanFlags struct {
	intoAccount
	PlaceID  string `name:"place-id" help:"Place id of the business, where the file does not tell it; other businesses of the file are then its rivals." placeholder:"ID"`
	Name     string `help:"Name of the business, where the file does not tell it."`
	Keyword  string `help:"Keyword, where the file does not tell it."`
	Date     string `help:"When it was scanned, where the file does not tell it, such as 2026-03-01." placeholder:"DATE"`
	DayFirst bool   `help:"3/4/2026 is 3 April, not 4 March."`
}

type importLocalFalconCmd struct {
	Files []string `arg:"" name:"file" help:"CSV of a scan's points, Excel workbook, or ZIP archive of CSV files." type:"existingfile"`
	scanFlags
}

// Run takes over scans.
func (cmd *importLocalFalconCmd) Run(e *env) error {
	return cmd.importScans(e, cmd.Files, "localfalcon")
}

type importBrightLocalCmd struct {
	Files []string `arg:"" name:"file" help:"CSV of a Local Search Grid, Excel workbook, or ZIP archive of CSV files." type:"existingfile"`
	scanFlags
}

// Run takes over grids.
func (cmd *importBrightLocalCmd) Run(e *env) error {
	return cmd.importScans(e, cmd.Files, "brightlocal")
}

// importScans reads all files before it makes anything, so that scans of one business meet in one campaign.
func (flags *scanFlags) importScans(e *env, files []string, from string) error {
	at, err := readDate(flags.Date, flags.DayFirst)
	if err != nil {
		return err
	}
	options := foreign.ScanOptions{PlaceID: flags.PlaceID, Name: flags.Name, Keyword: flags.Keyword, At: at, DayFirst: flags.DayFirst}
	var scans []foreign.Scan
	skipped, unread := eachForeign(e, files, "scans", func(f *foreignFile) error {
		read, err := foreign.ReadScans(f.File, options, f.bad)
		scans = append(scans, read...)
		return err
	})
	if len(scans) == 0 {
		return cmp.Or(unread, fmt.Errorf("there are no scans in %s", strings.Join(files, ", ")))
	}
	if unread != nil { // all or nothing: a part would have to be told from the rest
		return unread
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, flags.Account)
		if err != nil {
			return err
		}
		taken := false
		for _, past := range pastCampaigns(scans) {
			past.AccountID, past.From = acc.ID, from
			done, err := a.MapRank.ImportCampaign(ctx, past, flags.DryRun)
			if err != nil {
				return fmt.Errorf("%s: %s", past.Business.PlaceID, readable(err))
			}
			flags.tell(e, done)
			taken = taken || done.Scans+done.Known > 0
		}
		return sumUpImport(e, flags.DryRun, skipped, taken)
	})
}

// tell says what became of the scans of a business.
func (flags *scanFlags) tell(e *env, done maprank.ImportedCampaign) {
	for _, refused := range done.Refused {
		fmt.Fprintln(e.err, refused)
	}
	if done.ID == "" { // none of the scans can be kept
		return
	}
	which := "Campaign"
	if done.New {
		which = "New campaign"
	}
	fmt.Fprintf(e.out, "%s %q: %s with %s %sadded, at no charge; %s %s there.\n", which, done.Name,
		counted(done.Reports, "reports"), counted(done.Scans, "scans"), would(flags.DryRun), counted(done.Known, "scans"), were(done.Known))
	if !done.New && len(done.Keywords) > 0 {
		fmt.Fprintf(e.out, "Its keywords grow by %s; reports that it collects from now on have them too.\n", strings.Join(done.Keywords, ", "))
	}
	if !done.New || flags.DryRun {
		return
	}
	fmt.Fprintf(e.out, "It is collected by hand until it is given a schedule: trigpoint heatmap %s\n", done.ID)
}

// pastCampaigns puts the scans of a business together.
func pastCampaigns(scans []foreign.Scan) []maprank.PastCampaign {
	var all []maprank.PastCampaign
	for _, scan := range scans {
		i := slices.IndexFunc(all, func(c maprank.PastCampaign) bool { return c.Business.PlaceID == scan.Place.PlaceID })
		if i < 0 {
			i = len(all)
			all = append(all, maprank.PastCampaign{})
		}
		c := &all[i]
		if found := business(scan.Place); c.Business.Name == "" || found.Name != "" && found.Lat != 0 {
			c.Business = found // the newest that tells most
		}
		c.Scans = append(c.Scans, pastScan(scan))
	}
	for _, c := range all {
		slices.SortStableFunc(c.Scans, func(a, b maprank.PastScan) int { return a.At.Compare(b.At) })
	}
	return all
}

func pastScan(scan foreign.Scan) maprank.PastScan {
	past := maprank.PastScan{Keyword: scan.Keyword, At: scan.At, Points: make([]maprank.PastPoint, len(scan.Points))}
	for i, p := range scan.Points {
		point := maprank.PastPoint{At: grid.Coordinates{Lat: p.Lat, Lng: p.Lng}}
		if p.Rank > 0 {
			point.Found = append(point.Found, maprank.PastResult{Rank: p.Rank, Business: business(scan.Place)})
		}
		for _, rival := range p.Rivals {
			point.Found = append(point.Found, maprank.PastResult{Rank: rival.Rank, Business: business(rival.Place)})
		}
		past.Points[i] = point
	}
	return past
}

func business(p foreign.Place) provider.Business {
	return provider.Business{PlaceID: p.PlaceID, Name: p.Name, Address: p.Address, Lat: p.Lat, Lng: p.Lng, Rating: p.Rating, Reviews: p.Reviews}
}
