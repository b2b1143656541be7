package maprank

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
)

// KeywordStatuses are the keywords of a report and how far each is.
type KeywordStatuses struct {
	Keywords     []KeywordStatus `json:"keywords" nullable:"false"`
	StatusDetail string          `json:"statusDetail,omitempty" doc:"What went wrong with the report, if anything did."`
}

// KeywordStatus is one of them.
type KeywordStatus struct {
	Keyword Keyword `json:"keyword"`
	Status  Status  `json:"status" enum:"CREATED,COLLECTING,COLLECTED,FAILED"`
	Failed  int     `json:"failedPoints,omitempty" doc:"Points of which the report knows nothing, since their searches failed or were not paid for; statusDetail says why."`

	Provider string `json:"provider,omitempty" doc:"Who answers, or answered, for all points of the keyword, such as placeindex or serper; absent before a report, and in reports from before it was kept."`
}

// keywordStatuses lists the keywords that the report of an instant was made with, or the latest report when at
// is nil; without a report, the campaign's.
func (s *Service) keywordStatuses(ctx context.Context, c *campaign, at *time.Time, wanted []string) (KeywordStatuses, error) {
	var r report
	var err error
	if at != nil {
		r, err = reportAt(ctx, s.db, c.id, *at)
	} else {
		r, err = latestReport(ctx, s.db, c.id)
	}
	if err != nil && !db.IsNoRow(err) {
		return KeywordStatuses{}, err
	}
	answer := KeywordStatuses{Keywords: []KeywordStatus{}, StatusDetail: r.reason}
	keywords, err := reportKeywords(ctx, s.db, r.id)
	if err != nil {
		return answer, err
	}
	for _, k := range keywords {
		answer.Keywords = append(answer.Keywords, KeywordStatus{k.shown(), k.status, k.failed, k.provider})
	}
	if len(keywords) == 0 { // no report, or one that has not started
		current, err := keywordsOf(ctx, s.db, c.id)
		if err != nil {
			return answer, err
		}
		for _, k := range current {
			answer.Keywords = append(answer.Keywords, KeywordStatus{Keyword: k.shown(), Status: Created})
		}
	}
	answer.filter(wanted)
	return answer, nil
}

// filter leaves the keywords that are wanted by id or name, all when none is. What no keyword is called as a
// whole may be several, joined by commas.
func (s *KeywordStatuses) filter(wanted []string) {
	var names []string
	for _, name := range wanted {
		if slices.ContainsFunc(s.Keywords, func(k KeywordStatus) bool { return k.Keyword.is(name) }) {
			names = append(names, name)
		} else {
			names = append(names, strings.Split(name, ",")...)
		}
	}
	if len(wanted) > 0 {
		s.Keywords = slices.DeleteFunc(s.Keywords, func(k KeywordStatus) bool { return !slices.ContainsFunc(names, k.Keyword.is) })
	}
}

// is tells whether the shown keyword has this id or name.
func (k Keyword) is(name string) bool {
	parsed, isID := id.Parse(name)
	return isID && id.Dashed(parsed) == k.ID || sameKeyword(oneLine(name)) == sameKeyword(k.Name)
}

// Progress is how far a collection is.
type Progress struct {
	Status Status
	Done   int64 // searches
	Total  int64
	Reason string
}

// Progress tells how far the report of an instant is, for a person who watches.
func (s *Service) Progress(ctx context.Context, campaignID string, at time.Time) (Progress, error) {
	parsed, _ := id.Parse(campaignID)
	r, err := reportAt(ctx, s.db, parsed, at)
	if err != nil {
		return Progress{}, err
	}
	done, _, err := r.done(ctx, s.db)
	return Progress{Status: r.status, Done: done, Total: r.searches(), Reason: r.reason}, err
}

// searches is how many a report makes.
func (r *report) searches() int64 { return int64(r.points) * int64(r.keywords) }

// searchesDone counts the searches of report r that have ended, those of keywords that are done and those that wait for
// the rest of theirs; and the failed ones of the former.
const searchesDone = `(SELECT coalesce(sum(points + failed), 0) FROM report_keywords WHERE report_id = r.id)
	+ (SELECT coalesce(sum(points), 0) FROM report_batches WHERE report_id = r.id),
	(SELECT coalesce(sum(failed), 0) FROM report_keywords WHERE report_id = r.id)`

func (r *report) done(ctx context.Context, q db.Queryer) (done, failed int64, err error) {
	done, err = db.One(ctx, q, func(row db.Scanner) (done int64, err error) {
		err = row.Scan(&done, &failed)
		return done, err
	}, "SELECT "+searchesDone+" FROM reports r WHERE r.id = $1", r.id)
	return done, failed, err
}

// campaignProgress tells how far the collection of a campaign is that the account sees. It is asked often: by one statement.
func campaignProgress(ctx context.Context, q db.Queryer, accountID, given string) (CampaignProgress, error) {
	campaignID, _ := id.Parse(given)
	p, err := db.One(ctx, q, func(row db.Scanner) (p CampaignProgress, err error) {
		var at *int64
		var r report
		var c CollectionProgress
		err = row.Scan(&p.Status, &at, &r.points, &r.keywords, &c.Done, &c.Failed)
		if at != nil {
			c.ReportDate, c.Total = Instant{db.Time(*at)}, r.searches()
			p.Collecting = httpapi.Of(c)
		}
		return p, err
	}, "SELECT c.status, r.at, coalesce(r.points_number, 0), coalesce(r.keywords_number, 0), "+searchesDone+` FROM campaigns c
		JOIN campaign_access x ON x.campaign_id = c.id AND x.account_id = $1
		LEFT JOIN reports r ON r.campaign_id = c.id AND r.status = 'COLLECTING' WHERE c.id = $2`, accountID, campaignID)
	if db.IsNoRow(err) {
		err = noCampaign(given)
	}
	return p, err
}

// ReportSummary is a report in a list.
type ReportSummary struct {
	At                Instant
	Status            Status
	Keywords          int
	Charged, Refunded int64
	Reason            string
}

// Reports lists the reports of a campaign, newest first, up to a limit.
func (s *Service) Reports(ctx context.Context, campaignID string, limit int) ([]ReportSummary, error) {
	c, err := ownedCampaign(ctx, s.db, campaignID, "")
	if err != nil {
		return nil, err
	}
	return db.All(ctx, s.db, func(row db.Scanner) (ReportSummary, error) {
		r, err := scanReport(row)
		return ReportSummary{Instant{r.at}, r.status, r.keywords, r.charged, r.refunded, r.reason}, err
	}, "SELECT "+reportColumns+" FROM reports WHERE campaign_id = $1 ORDER BY at DESC LIMIT $2", c.id, limit)
}

// Keywords lists the keywords of a campaign with what its last report has of them.
func (s *Service) Keywords(ctx context.Context, campaignID string) ([]KeywordStatus, error) {
	c, err := ownedCampaign(ctx, s.db, campaignID, "")
	if err != nil {
		return nil, err
	}
	latest, err := s.keywordStatuses(ctx, &c, nil, nil)
	if err != nil {
		return nil, err
	}
	reported := map[string]Status{}
	for _, k := range latest.Keywords {
		reported[k.Keyword.ID] = k.Status
	}
	current, err := keywordsOf(ctx, s.db, c.id)
	all := make([]KeywordStatus, len(current))
	for i, k := range current {
		all[i] = KeywordStatus{Keyword: k.shown(), Status: Created}
		if status, ok := reported[all[i].Keyword.ID]; ok {
			all[i].Status = status
		}
	}
	return all, err
}
