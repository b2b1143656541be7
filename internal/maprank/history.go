package maprank

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
)

// Metrics are the figures of a business over all reports, by the reports' instants.
type Metrics struct {
	AveragePositions map[string]float64 `json:"average_positions" nullable:"false"`
	ShareOfVoices    map[string]float64 `json:"share_of_voices" nullable:"false" doc:"In percent."`
	FoundShares      map[string]float64 `json:"found_in_shares" nullable:"false" doc:"Percentage of points where the business is among the first 20."`
	TopShares        map[string]float64 `json:"top_3_shares" nullable:"false" doc:"Percentage of points where it is among the first three."`
	MeanRanks        map[string]float64 `json:"mean_ranks_found" nullable:"false" doc:"Mean rank over the points where it is found; absent when there are none."`
}

func (m *Metrics) add(at time.Time, t Tally) {
	key := Instant{at}.String()
	m.AveragePositions[key] = t.AveragePosition()
	m.ShareOfVoices[key] = t.ShareOfVoice()
	m.FoundShares[key] = t.FoundShare()
	m.TopShares[key] = t.TopShare()
	if rank, ok := t.MeanRankFound(); ok {
		m.MeanRanks[key] = rank
	}
}

// metrics answers B5. The campaign's own business is read from the summaries, others from the results.
func (s *Service) metrics(ctx context.Context, c *campaign, given string, who identity) (Metrics, error) {
	m := Metrics{map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}}
	keywordID, _ := id.Parse(given)
	known, err := s.everHad(ctx, c.id, keywordID)
	if err != nil {
		return m, err
	}
	if !known {
		dates, err := reportDates(ctx, s.db, c.id)
		for _, at := range dates {
			m.add(at.Time, Tally{})
		}
		return m, err
	}
	const history = ` FROM report_keywords k JOIN reports r ON r.id = k.report_id
		WHERE k.keyword_id = $1 AND k.status = 'COLLECTED' AND r.campaign_id = $2 AND r.status = 'COLLECTED'`
	if who.is(c.business) {
		err := db.Each(ctx, s.db, func(row db.Scanner) error {
			var at int64
			var t Tally
			err := row.Scan(&at, &t.Points, &t.Found, &t.Top, &t.RankSum, &t.Reciprocals)
			m.add(db.Time(at), t)
			return err
		}, "SELECT r.at, k.points, k.found, k.top, k.rank_sum, k.reciprocals"+history, keywordID, c.id)
		return m, err
	}
	keys := who.keys()
	ordinals := map[string][]uint16{}
	err = db.Each(ctx, s.db, func(row db.Scanner) error {
		var reportID string
		var p part
		err := row.Scan(&reportID, &p.keys)
		ordinals[reportID] = p.find(ordinals[reportID], keys)
		return err
	}, "SELECT b.report_id, b.keys FROM report_businesses b WHERE b.report_id IN (SELECT k.report_id"+history+")", keywordID, c.id)
	if err != nil {
		return m, err
	}
	err = db.Each(ctx, s.db, func(row db.Scanner) error {
		var reportID string
		var at int64
		var blob []byte
		if err := row.Scan(&reportID, &at, &blob); err != nil {
			return err
		}
		result, err := OpenResult(blob)
		if err == nil {
			m.add(db.Time(at), result.Tally(ordinals[reportID]...))
		}
		return err
	}, "SELECT r.id, r.at, k.result"+history, keywordID, c.id)
	return m, err
}

// everHad tells whether the campaign has, or had in a report, this keyword.
func (s *Service) everHad(ctx context.Context, campaignID, keywordID string) (bool, error) {
	n, err := db.One(ctx, s.db, db.Value[int], `SELECT (SELECT count(*) FROM campaign_keywords WHERE id = $1 AND campaign_id = $2)
		+ (SELECT count(*) FROM (SELECT 1 FROM report_keywords k JOIN reports r ON r.id = k.report_id
			WHERE k.keyword_id = $1 AND r.campaign_id = $2 LIMIT 1) x)`, keywordID, campaignID)
	return n > 0, err
}
