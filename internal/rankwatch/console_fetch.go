package rankwatch

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/searchconsole"
	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// Once a day Google is asked on which days a property was found. Days that are final and not kept yet are fetched, the
// newest first: so are those that were missed while the service was down, and those before the link.
const (
	fetchEvery    = 24 * time.Hour
	fetchLease    = 15 * time.Minute // a day's rows take less, retries included
	fetchSide     = 4                // properties at once
	fetchDays     = 90               // of one property, before others have their turn
	maxDayRows    = 50_000           // as many as Google gives
	finalAfter    = 3                // days, where Google does not tell which are final
	pacificOffset = -8 * 60 * 60     // in winter; in summer a day ends an hour late for us, which does no harm
)

// fetched is what came of a property's turn.
type fetched struct {
	property
	more bool // its days are not all fetched yet
	err  error
}

// fetchDue fetches what is due of all properties.
func (s *Service) fetchDue(ctx context.Context) (more bool, err error) {
	crew := job.Crew[property, fetched]{
		Workers: fetchSide, Batch: fetchSide, Work: s.fetch,
		Keep: func(batch []fetched) error {
			more = more || slices.ContainsFunc(batch, func(f fetched) bool { return f.more })
			return s.keepFetched(context.WithoutCancel(ctx), batch) // a claim that is not ended lasts
		},
	}
	_, err = crew.Run(ctx, func(give func(property) bool) error {
		for ctx.Err() == nil {
			var claims []property
			now := s.clock.Now()
			err := s.db.Tx(ctx, func(tx *db.Tx) (err error) {
				claims, err = claimProperties(ctx, tx, now, now.Add(fetchLease), 1)
				return err
			})
			if err != nil || len(claims) == 0 {
				return err
			}
			for _, p := range claims {
				give(p) // one that is not begun is free again when its lease ends
			}
		}
		return nil
	})
	return more && ctx.Err() == nil, err
}

// keepFetched says when each property is due again.
func (s *Service) keepFetched(ctx context.Context, batch []fetched) error {
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		for _, f := range batch {
			next, failures, problem, fetchedAt := now.Add(fetchEvery), 0, "", &now
			switch {
			case errors.Is(f.err, context.Canceled): // the process stops, which says nothing of the property
				next, failures, fetchedAt = now, f.failures, nil
			case f.err != nil:
				failures, problem, fetchedAt = f.failures+1, s.fetchProblem(f), nil
				next = retryAt(now, failures, f.err)
			case f.more:
				next, fetchedAt = now, nil
			case !f.live:
				fetchedAt = nil
			}
			if err := finishFetch(ctx, tx, f.id, next, failures, problem, fetchedAt); err != nil {
				return err
			}
		}
		return nil
	})
}

// fetchProblem is what a person may read of a failure; one of ours is in the log.
func (s *Service) fetchProblem(f fetched) string {
	var failure *provider.Error
	if errors.As(f.err, &failure) {
		return failure.Message
	}
	s.log.Error("search performance was not fetched", "property", f.id, "error", f.err)
	return "The fetch failed here; it is tried again."
}

// fetch takes a property's turn.
func (s *Service) fetch(ctx context.Context, p property) fetched {
	if !p.live {
		return fetched{property: p}
	}
	missing, err := s.missingDays(ctx, p)
	if err != nil {
		return fetched{p, false, err}
	}
	turn := missing[:min(len(missing), fetchDays)]
	for _, day := range turn {
		d, err := s.fetchDay(ctx, p, day)
		if err != nil {
			return fetched{p, false, err}
		}
		if there, err := s.keepDay(ctx, p, d); err != nil || !there {
			return fetched{p, false, err}
		}
	}
	return fetched{p, len(missing) > len(turn), nil}
}

// missingDays are those that Google has final figures for and that are not kept yet, newest first.
func (s *Service) missingDays(ctx context.Context, p property) ([]series.Day, error) {
	today := series.DayOf(s.clock.Now().Add(pacificOffset * time.Second))
	from := max(p.firstDay, today-consoleHistory)
	report, err := s.askConsole(ctx, p, searchconsole.Query{From: from.String(), To: today.String(), Dimensions: []searchconsole.Dimension{searchconsole.ByDate}, Fresh: true, MaxRows: 2 * consoleHistory})
	if err != nil {
		return nil, err
	}
	final := today - finalAfter
	if incomplete, err := series.ParseDay(report.FirstIncomplete); err == nil {
		final = incomplete - 1
	}
	kept, err := keptDays(ctx, s.db, p.id)
	if err != nil {
		return nil, err
	}
	var missing []series.Day
	for _, row := range report.Rows {
		if day, err := series.ParseDay(row.Keys[0]); err == nil && day >= from && day <= final && !kept[day] {
			missing = append(missing, day)
			kept[day] = true // a day that is listed twice is fetched once
		}
	}
	slices.Sort(missing)
	slices.Reverse(missing)
	return missing, nil
}

// fetchDay asks for the rows of a day twice: told apart by page, Google counts an impression for every page shown, so
// that the figures of a query are right only without.
func (s *Service) fetchDay(ctx context.Context, p property, day series.Day) (consoleDay, error) {
	d := consoleDay{day: day}
	queries, err := s.askConsole(ctx, p, searchconsole.Query{
		From: day.String(), To: day.String(), MaxRows: maxDayRows,
		Dimensions: []searchconsole.Dimension{searchconsole.ByQuery, searchconsole.ByCountry, searchconsole.ByDevice},
	})
	if err != nil {
		return d, err
	}
	pages, err := s.askConsole(ctx, p, searchconsole.Query{
		From: day.String(), To: day.String(), MaxRows: maxDayRows,
		Dimensions: []searchconsole.Dimension{searchconsole.ByQuery, searchconsole.ByCountry, searchconsole.ByDevice, searchconsole.ByPage},
	})
	if err != nil {
		return d, err
	}
	d.cut, d.queries, d.pages = queries.Cut || pages.Cut, consoleRows(queries), consoleRows(pages)
	return d, nil
}

func (s *Service) askConsole(ctx context.Context, p property, q searchconsole.Query) (searchconsole.Report, error) {
	q.Site = p.siteURL
	return provider.Call(ctx, s.consoleCaller, func(ctx context.Context) (searchconsole.Report, error) {
		return s.console.Query(ctx, p.accountID, q)
	})
}

// consoleRows reads keys in the order in which fetchDay asks for them.
func consoleRows(report searchconsole.Report) []performance.Row {
	rows := make([]performance.Row, len(report.Rows))
	for i, row := range report.Rows {
		rows[i] = performance.Row{Query: row.Keys[0], Country: row.Keys[1], Device: row.Keys[2], Figures: performance.Of(row.Clicks, row.Impressions, row.Position)}
		if len(row.Keys) > 3 {
			rows[i].Page = row.Keys[3]
		}
	}
	return rows
}

func (s *Service) keepDay(ctx context.Context, p property, d consoleDay) (there bool, err error) {
	queries, err := s.performance.Pack(d.queries)
	if err != nil {
		return false, err
	}
	pages, err := s.performance.Pack(d.pages)
	if err != nil {
		return false, err
	}
	now := s.clock.Now()
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		there, err = keepDay(ctx, tx, p.id, d.day, d.cut, queries, pages, now, now.Add(fetchLease))
		return err
	})
	return there, err
}
