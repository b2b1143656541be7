package maprank

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// viewQuery says what of a campaign is shown; what is left out has a default.
type viewQuery struct {
	keyword string          // id; the first collected one
	at      *time.Time      // of the report; the newest
	who     result.Identity // the campaign's own business
	reports int             // most reports of the history
}

// viewing is a view that is being read: each of its steps asks the store once, whatever the size of the campaign.
type viewing struct {
	c    *campaign
	view CampaignView

	reports       []report // collected ones, oldest first
	window        []report // those of them whose history is shown
	running       *report
	shown, before *report // the report shown and the one before it; nil without

	ordinals map[string][]uint16        // of the business shown, by report; nil for the campaign's own
	keywords map[string][]viewedKeyword // of the reports shown and before; under "" the campaign's
	history  map[string]viewedReport    // of the keyword shown, by report
}

// viewedKeyword is a keyword in a report, and how the business shown fares with it; nil when it was not collected.
type viewedKeyword struct {
	Keyword
	status Status
	tally  *result.Tally
}

// figures is the keyword's line, beside what it had in the report before; nil when it was not collected there.
func (k viewedKeyword) figures(before *result.Tally) KeywordFigures {
	shown := KeywordFigures{Keyword: k.shown(), Status: k.status}
	if k.tally == nil {
		return shown
	}
	f := figuresOf(*k.tally)
	shown.AveragePosition, shown.ShareOfVoice, shown.FoundShare, shown.TopShare = &f.AveragePosition, &f.ShareOfVoice, &f.FoundShare, &f.TopShare
	if before != nil {
		position, share := before.AveragePosition()-f.AveragePosition, f.ShareOfVoice-before.ShareOfVoice()
		shown.AveragePositionDiff, shown.ShareOfVoiceDiff = &position, &share
	}
	return shown
}

// viewedReport is what a report has of the keyword shown.
type viewedReport struct {
	name      string
	positions Positions
	tally     result.Tally
	all       []result.BusinessTally // of the reports shown and before only
}

// readReports finds the report to show, the one before it, and the history around it.
func (v *viewing) readReports(ctx context.Context, q db.Queryer, asked viewQuery) error {
	all, err := db.All(ctx, q, scanReport, "SELECT "+reportColumns+" FROM reports WHERE campaign_id = $1 AND status IN ('COLLECTED', 'COLLECTING') ORDER BY at", v.c.id)
	if err != nil {
		return err
	}
	for i := range all {
		if all[i].status == Collecting {
			v.running = &all[i]
		} else {
			v.reports = append(v.reports, all[i])
		}
	}
	at := len(v.reports) - 1
	if asked.at != nil {
		at = slices.IndexFunc(v.reports, func(r report) bool { return r.at.Equal(*asked.at) })
		if at < 0 {
			return errs.With(errs.Invalid, errs.ReportUnknown, "The campaign has no report of %s. Leave reportDate out to see the newest.", Instant{*asked.at})
		}
	}
	if at < 0 {
		return nil
	}
	v.shown, v.view.ReportDate = &v.reports[at], &Instant{v.reports[at].at}
	if at > 0 {
		v.before = &v.reports[at-1]
	}
	first := max(0, min(at, len(v.reports)-asked.reports))
	v.window = v.reports[first:min(first+asked.reports, len(v.reports))]
	return nil
}

// historyIDs are the reports of which the keyword shown is read.
func (v *viewing) historyIDs() []string {
	var ids []string
	if v.before != nil && len(v.window) > 0 && v.before.at.Before(v.window[0].at) {
		ids = append(ids, v.before.id)
	}
	for i := range v.window {
		ids = append(ids, v.window[i].id)
	}
	return ids
}

// findBusiness finds the business to show in the reports. Its own name follows with the others', from a report that knows it.
func (v *viewing) findBusiness(ctx context.Context, q db.Queryer, who result.Identity) (err error) {
	if v.view.Own {
		v.view.Business = v.c.business
		return nil
	}
	v.ordinals, err = ordinalsIn(ctx, q, v.historyIDs(), who.Keys())
	if err == nil && len(v.ordinals) == 0 {
		err = errs.New(errs.NotFound, "No report of the campaign has met this business. Leave cid and placeIds out to see the campaign's own.")
	}
	return err
}

// ordinalsAt are the numbers of the business shown in a report's dictionary.
func (v *viewing) ordinalsAt(reportID string) []uint16 {
	if v.view.Own {
		return []uint16{result.OwnOrdinal}
	}
	return v.ordinals[reportID]
}

// readKeywords reads the campaign's keywords and those of the reports shown and before. The figures of the campaign's
// own business stand beside them, those of another are added up from the results.
func (v *viewing) readKeywords(ctx context.Context, q db.Queryer) error {
	results := "CAST(NULL AS BYTEA)"
	if !v.view.Own {
		results = "result"
	}
	v.keywords = map[string][]viewedKeyword{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var reportID string
		var k viewedKeyword
		var t result.Tally
		var blob sql.RawBytes // read in place
		var position int
		if err := row.Scan(&reportID, &k.ID, &k.Name, &k.status, &t.Points, &t.Found, &t.Top, &t.RankSum, &t.Reciprocals, &blob, &position); err != nil {
			return err
		}
		if k.status == Collected {
			if !v.view.Own {
				stored, err := result.Open(blob)
				if err != nil {
					return err
				}
				t = stored.Tally(v.ordinals[reportID]...)
			}
			k.tally = &t
		}
		v.keywords[reportID] = append(v.keywords[reportID], k)
		return nil
	}, `SELECT '' AS report_id, id, name, 'CREATED', 0, 0, 0, 0, 0, CAST(NULL AS BYTEA), position FROM campaign_keywords WHERE campaign_id = $1
		UNION ALL SELECT report_id, keyword_id, name, status, points, found, top, rank_sum, reciprocals, `+results+`, position
			FROM report_keywords WHERE report_id IN ($2, $3)
		ORDER BY position`, v.c.id, idOf(v.shown), idOf(v.before))
	if err != nil {
		return err
	}
	before := map[string]*result.Tally{}
	for _, k := range v.keywords[idOf(v.before)] {
		before[k.ID] = k.tally
	}
	v.view.Keywords = []KeywordFigures{}
	for _, k := range v.keywords[idOf(v.shown)] {
		v.view.Keywords = append(v.view.Keywords, k.figures(before[k.ID]))
	}
	return nil
}

func idOf(r *report) string {
	if r == nil {
		return ""
	}
	return r.id
}

// chooseKeyword is the keyword to show: the one asked for, or the first that was collected.
func (v *viewing) chooseKeyword(given string) Keyword {
	asked, _ := id.Parse(given)
	known := slices.Concat(v.keywords[idOf(v.shown)], v.keywords[""])
	at := slices.IndexFunc(known, func(k viewedKeyword) bool {
		return given == "" && k.status == Collected || given != "" && k.ID == asked
	})
	switch {
	case at >= 0:
		return known[at].Keyword
	case given == "" && len(known) > 0:
		return known[0].Keyword
	}
	return Keyword{ID: asked} // one that the campaign had once
}

// readHistory reads where the business shown ranked with a keyword in each report of the history.
func (v *viewing) readHistory(ctx context.Context, q db.Queryer, k Keyword) (err error) {
	v.history, err = byReport(ctx, q, v.historyIDs(), func(row db.Scanner, into map[string]viewedReport) error {
		var reportID string
		var r viewedReport
		var blob sql.RawBytes // read in place
		if err := row.Scan(&reportID, &r.name, &blob); err != nil {
			return err
		}
		stored, err := result.Open(blob)
		if err != nil {
			return err
		}
		r.positions = stored.Positions(nil, v.ordinalsAt(reportID)...)
		for _, rank := range r.positions {
			r.tally.Add(int(rank))
		}
		if reportID == idOf(v.shown) || reportID == idOf(v.before) {
			r.all, err = stored.TallyAll()
		}
		into[reportID] = r
		return err
	}, "SELECT report_id, name, result FROM report_keywords WHERE keyword_id = $1 AND status = 'COLLECTED' AND report_id IN", k.ID)
	if err != nil {
		return err
	}
	for i := range v.window {
		if r, ok := v.history[v.window[i].id]; ok && k.Name == "" {
			k.Name = r.name
		}
	}
	if k.Name == "" {
		return errs.New(errs.NotFound, "The campaign has no keyword with this id. Leave keywordId out to see the first.")
	}
	v.view.Keyword = k.shown()
	return nil
}

// readPoints reads the sets of points that the campaign and the reports of the history have, and lists these reports.
func (v *viewing) readPoints(ctx context.Context, q db.Queryer) error {
	ids := []string{v.c.pointsID}
	for i := range v.window {
		if set := v.window[i].pointsID; !slices.Contains(ids, set) {
			ids = append(ids, set)
		}
	}
	sets, err := pointSets(ctx, q, ids)
	if err != nil {
		return err
	}
	v.view.PointSets, v.view.Reports = [][]ViewPoint{}, []ReportFigures{}
	numbers := map[string]int{}
	for i := range v.window {
		at := &v.window[i]
		r, collected := v.history[at.id]
		if !collected {
			continue
		}
		number, listed := numbers[at.pointsID]
		if !listed {
			number = len(v.view.PointSets)
			numbers[at.pointsID] = number
			v.view.PointSets = append(v.view.PointSets, viewPoints(sets[at.pointsID]))
		}
		v.view.Reports = append(v.view.Reports, ReportFigures{Date: Instant{at.at}, PointSet: number, Figures: figuresOf(r.tally), Positions: r.positions})
	}
	set := sets[v.c.pointsID]
	if v.c.access != Viewer {
		cost := int64(len(set.Enabled())) * int64(v.c.keywordsNumber)
		v.view.CollectCost = &cost
	}
	keywords := make([]Keyword, 0, len(v.keywords[""]))
	for _, k := range v.keywords[""] {
		keywords = append(keywords, k.Keyword)
	}
	var dates []Instant
	for i := range slices.Backward(v.reports) {
		dates = append(dates, Instant{v.reports[i].at})
	}
	v.view.Campaign = v.c.show(keywords, set, dates)
	return nil
}

// readProgress tells how far the collection under way is.
func (v *viewing) readProgress(ctx context.Context, q db.Queryer) error {
	if v.running == nil {
		return nil
	}
	done, failed, err := v.running.done(ctx, q)
	v.view.Collecting = httpapi.Of(CollectionProgress{Instant{v.running.at}, done, v.running.searches(), failed})
	return err
}
