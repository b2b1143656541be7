package maprank

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// Metrics are the figures of a business over all reports, by the reports' instants.
type Metrics struct {
	AveragePositions map[string]float64 `json:"average_positions" nullable:"false"`
	ShareOfVoices    map[string]float64 `json:"share_of_voices" nullable:"false" doc:"In percent."`
	FoundShares      map[string]float64 `json:"found_in_shares" nullable:"false" doc:"Percentage of points where the business is among the first 20."`
	TopShares        map[string]float64 `json:"top_3_shares" nullable:"false" doc:"Percentage of points where it is among the first three."`
	MeanRanks        map[string]float64 `json:"mean_ranks_found" nullable:"false" doc:"Mean rank over the points where it is found; absent when there are none."`
}

func (m *Metrics) add(at time.Time, t result.Tally) {
	key := Instant{at}.String()
	m.AveragePositions[key] = t.AveragePosition()
	m.ShareOfVoices[key] = t.ShareOfVoice()
	m.FoundShares[key] = t.FoundShare()
	m.TopShares[key] = t.TopShare()
	if rank, ok := t.MeanRankFound(); ok {
		m.MeanRanks[key] = rank
	}
}

// metrics are the figures of a business over time. Those of the campaign's own business are kept with each report,
// others are added up from the results.
func (s *Service) metrics(ctx context.Context, c *campaign, given string, who result.Identity) (Metrics, error) {
	m := Metrics{map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}}
	keywordID, _ := id.Parse(given)
	known, err := s.everHad(ctx, c.id, keywordID)
	if err != nil {
		return m, err
	}
	dates, err := reportInstants(ctx, s.db, c.id)
	if err != nil {
		return m, err
	}
	if !known {
		for _, at := range dates {
			m.add(at, result.Tally{})
		}
		return m, nil
	}
	tallies, err := ownHistory(ctx, s.db, keywordID, dates)
	if err == nil && !who.Is(c.business) {
		err = s.tallyOther(ctx, tallies, keywordID, who.Keys())
	}
	for reportID, t := range tallies {
		m.add(dates[reportID], t)
	}
	return m, err
}

// reportInstants are the collected reports of a campaign. They are not joined with the keywords in the store:
// two plain look-ups cost the same however few or many rows its planner expects.
func reportInstants(ctx context.Context, q db.Queryer, campaignID string) (map[string]time.Time, error) {
	dates := map[string]time.Time{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var reportID string
		var at int64
		err := row.Scan(&reportID, &at)
		dates[reportID] = db.Time(at)
		return err
	}, "SELECT id, at FROM reports WHERE campaign_id = $1 AND status = 'COLLECTED'", campaignID)
	return dates, err
}

// ownHistory is how the campaign's own business fared with a keyword in each of the reports that have it.
func ownHistory(ctx context.Context, q db.Queryer, keywordID string, reports map[string]time.Time) (map[string]result.Tally, error) {
	tallies := map[string]result.Tally{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var reportID string
		var t result.Tally
		err := row.Scan(&reportID, &t.Points, &t.Found, &t.Top, &t.RankSum, &t.Reciprocals)
		if _, ours := reports[reportID]; ours {
			tallies[reportID] = t
		}
		return err
	}, "SELECT report_id, points, found, top, rank_sum, reciprocals FROM report_keywords WHERE keyword_id = $1 AND status = 'COLLECTED'", keywordID)
	return tallies, err
}

// tallyOther puts the figures of another business in place of the own one's. Results are read only of those
// reports that know it.
func (s *Service) tallyOther(ctx context.Context, tallies map[string]result.Tally, keywordID string, keys []uint64) error {
	reportIDs := make([]string, 0, len(tallies))
	for reportID, own := range tallies {
		reportIDs = append(reportIDs, reportID)
		tallies[reportID] = result.Tally{Points: own.Points} // found nowhere, until it is found
	}
	ordinals, err := ordinalsIn(ctx, s.db, reportIDs, keys)
	if err != nil {
		return err
	}
	found, err := tallyEach(ctx, s.db, keywordID, ordinals)
	maps.Copy(tallies, found)
	return err
}

// tallyEach adds up the ranks of a business in the results of reports.
func tallyEach(ctx context.Context, q db.Queryer, keywordID string, ordinals map[string][]uint16) (map[string]result.Tally, error) {
	return byReport(ctx, q, slices.Collect(maps.Keys(ordinals)), func(row db.Scanner, into map[string]result.Tally) error {
		var reportID string
		var blob sql.RawBytes // read in place
		if err := row.Scan(&reportID, &blob); err != nil {
			return err
		}
		stored, err := result.Open(blob)
		if err == nil {
			into[reportID] = stored.Tally(ordinals[reportID]...)
		}
		return err
	}, "SELECT report_id, result FROM report_keywords WHERE keyword_id = $1 AND report_id IN", keywordID)
}

// everHad tells whether the campaign has, or had in a report, this keyword.
func (s *Service) everHad(ctx context.Context, campaignID, keywordID string) (bool, error) {
	n, err := db.One(ctx, s.db, db.Value[int], `SELECT (SELECT count(*) FROM campaign_keywords WHERE id = $1 AND campaign_id = $2)
		+ (SELECT count(*) FROM (SELECT 1 FROM report_keywords k JOIN reports r ON r.id = k.report_id
			WHERE k.keyword_id = $1 AND r.campaign_id = $2 LIMIT 1) x)`, keywordID, campaignID)
	return n > 0, err
}
