package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/foreign"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

type importSerpBearCmd struct {
	File string `arg:"" help:"SerpBear's database: database.sqlite of its data folder, or a copy of it." type:"existingfile"`
	intoAccount
}

// Run takes over the database.
func (cmd *importSerpBearCmd) Run(e *env) error {
	progress, left := newImportProgress(cmd.File, "keywords", 0, e.err), badRows{}
	sites, err := foreign.ReadSerpBear(e.ctx, cmd.File, left.noting(progress))
	if err != nil {
		return fmt.Errorf("%s: %s", cmd.File, readable(err))
	}
	if len(sites) == 0 {
		return fmt.Errorf("%s has no keywords", cmd.File)
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		skipped, taken := len(left), false
		for _, site := range sites {
			where, ok := whereSearched(site)
			if !ok {
				skipped += len(site.Keywords)
				fmt.Fprintf(e.err, "%s: left out %s: no place %q in %q is known.\n", site.Domain, counted(len(site.Keywords), "keywords"), site.City, site.Country)
				continue
			}
			past := pastTracking(site, where.ID)
			past.AccountID = acc.ID
			done, err := a.RankWatch.ImportTracking(ctx, past, cmd.DryRun)
			if errs.CodeOf(err) == errs.Invalid { // such as a domain that is none: the other sites are not to blame
				skipped += len(site.Keywords)
				fmt.Fprintf(e.err, "%s: left out %s: %s\n", site.Domain, counted(len(site.Keywords), "keywords"), readable(err))
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %s", site.Domain, readable(err))
			}
			skipped += len(done.Refused)
			cmd.tell(e, site, where, done)
			taken = taken || len(done.Refused) < len(site.Keywords)
		}
		return sumUpImport(e, cmd.DryRun, skipped, taken)
	})
}

// whereSearched finds the place that a site was searched from.
func whereSearched(site foreign.Site) (location.Location, bool) {
	country, _ := geo.CountryName(site.Country)
	query, kinds := country, []location.Type{location.Country}
	if site.City != "" {
		query, kinds = site.City+", "+country, []location.Type{location.City, location.Region}
	}
	if country == "" {
		return location.Location{}, false
	}
	found := location.Search(query, 20)
	i := slices.IndexFunc(found, func(l location.Location) bool { return l.CountryCode == site.Country && slices.Contains(kinds, l.Type) })
	if i < 0 {
		return location.Location{}, false
	}
	return found[i], true
}

func pastTracking(site foreign.Site, locationID int) rankwatch.PastTracking {
	past := rankwatch.PastTracking{From: "SerpBear", Domain: site.Domain, LocationID: locationID, PlatformID: 1}
	if site.Mobile {
		past.PlatformID = 2
	}
	for _, k := range site.Keywords {
		keyword := rankwatch.PastKeyword{Text: k.Text, Tags: k.Tags}
		for i, r := range k.Ranks {
			check := rankwatch.PastCheck{Day: series.DayOf(r.Day), Observation: series.Observation{Rank: uint16(min(r.Rank, series.MaxRank))}}
			if i == len(k.Ranks)-1 { // of former days nobody knows what ranked
				check.URL = k.URL
			}
			keyword.Checks = append(keyword.Checks, check)
		}
		past.Keywords = append(past.Keywords, keyword)
	}
	return past
}

// tell says what became of a site.
func (cmd *importSerpBearCmd) tell(e *env, site foreign.Site, where location.Location, done rankwatch.ImportedTracking) {
	for _, refused := range done.Refused {
		fmt.Fprintf(e.err, "%s: %s\n", done.Domain, refused)
	}
	which, device := "Tracking", "desktop"
	if done.New {
		which = "New tracking"
	}
	if site.Mobile {
		device = "mobile"
	}
	fmt.Fprintf(e.out, "%s of %s, %s, %s: %s and %s of ranks %sadded, at no charge; %s %s there.\n", which, done.Domain, where.Label, device,
		counted(done.Keywords, "keywords"), counted(done.Checks, "days"), would(cmd.DryRun), counted(done.Known, "days"), were(done.Known))
}
