package rankwatch

import (
	"context"
	"errors"
	"slices"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// PastSearches are the queries for which a property was shown on a day, as Google Search Console exports them.
type PastSearches struct {
	Day            series.Day
	Queries, Pages []performance.Row
}

// ImportedSearches is what came of an import.
type ImportedSearches struct {
	SiteURL string
	Days    int // that were added
	Known   int // that were there
	Queries int // rows of the days that were added
}

const pastDays = 30 // of one transaction

// ImportSearches adds days of search performance to the property that an account's tracking is linked to. One that is not
// linked yet is linked to siteURL, or to the property of its domain. A day that is there stays as it is. What it rehearses
// it does not keep.
func (s *Service) ImportSearches(ctx context.Context, accountID, trackingID, siteURL string, days []PastSearches, rehearse bool) (done ImportedSearches, err error) {
	batch := pastDays
	if rehearse {
		batch = max(1, len(days))
	}
	for part := range slices.Chunk(days, batch) {
		var kept ImportedSearches
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			var err error
			if kept, err = s.importSearches(ctx, tx, accountID, trackingID, siteURL, part); err == nil && rehearse {
				err = errRehearsed
			}
			return err
		})
		if err != nil && !errors.Is(err, errRehearsed) {
			return done, err
		}
		done = ImportedSearches{kept.SiteURL, done.Days + kept.Days, done.Known + kept.Known, done.Queries + kept.Queries}
	}
	return done, nil
}

func (s *Service) importSearches(ctx context.Context, tx *db.Tx, accountID, trackingID, siteURL string, days []PastSearches) (done ImportedSearches, err error) {
	t, err := lockTracking(ctx, tx, accountID, trackingID)
	if err != nil {
		return done, err
	}
	link, err := findLink(ctx, tx, t.id)
	if errs.CodeOf(err) == errs.NotFound {
		if siteURL == "" {
			siteURL = "sc-domain:" + t.target.Host()
		}
		link, err = s.link(ctx, tx, accountID, t.id, siteURL, s.today()-consoleHistory)
	}
	if err != nil {
		return done, err
	}
	if siteURL != "" && link.siteURL != siteURL {
		return done, errs.New(errs.Conflict, "The tracking is linked to the property %s, not to %s.", link.siteURL, siteURL)
	}
	done.SiteURL = link.siteURL
	for _, d := range days {
		if d.Day >= s.today() || d.Day.Month().Year() < firstYear {
			return done, errs.New(errs.Invalid, "There are no figures of %s yet.", d.Day)
		}
		queries, err := s.performance.Pack(d.Queries)
		if err != nil {
			return done, err
		}
		pages, err := s.performance.Pack(d.Pages)
		if err != nil {
			return done, err
		}
		added, err := insertDay(ctx, tx, link.id, d.Day, false, queries, pages, s.clock.Now())
		if err != nil {
			return done, err
		}
		if added {
			done.Days, done.Queries = done.Days+1, done.Queries+len(d.Queries)
		} else {
			done.Known++
		}
	}
	return done, nil
}
