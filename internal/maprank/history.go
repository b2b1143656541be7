package maprank

import (
	"context"
	"database/sql"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

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

// keywordHistory finds the reports in which a keyword ($1) of a campaign ($2) was collected.
const keywordHistory = ` FROM report_keywords k JOIN reports r ON r.id = k.report_id
	WHERE k.keyword_id = $1 AND k.status = 'COLLECTED' AND r.campaign_id = $2 AND r.status = 'COLLECTED'`

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
	if who.is(c.business) {
		err := db.Each(ctx, s.db, func(row db.Scanner) error {
			var at int64
			var t Tally
			err := row.Scan(&at, &t.Points, &t.Found, &t.Top, &t.RankSum, &t.Reciprocals)
			m.add(db.Time(at), t)
			return err
		}, "SELECT r.at, k.points, k.found, k.top, k.rank_sum, k.reciprocals"+keywordHistory, keywordID, c.id)
		return m, err
	}
	return m, s.tallyOther(ctx, &m, keywordID, c.id, who.keys())
}

// tallyAtOnce is how many connections one request may use to read results.
const tallyAtOnce = 4

// tallyOther reads the figures of a business that is not the campaign's own from the results, only of those
// reports that know it.
func (s *Service) tallyOther(ctx context.Context, m *Metrics, keywordID, campaignID string, keys []uint64) error {
	ordinals := map[string][]uint16{}
	err := db.Each(ctx, s.db, func(row db.Scanner) error {
		var reportID string
		var p part
		err := row.Scan(&reportID, &p.keys)
		if found := p.find(ordinals[reportID], keys); len(found) > 0 {
			ordinals[reportID] = found
		}
		return err
	}, "SELECT b.report_id, b.keys FROM report_businesses b WHERE b.report_id IN (SELECT k.report_id"+keywordHistory+")", keywordID, campaignID)
	if err != nil {
		return err
	}
	var wanted []string
	dates := map[string]time.Time{}
	err = db.Each(ctx, s.db, func(row db.Scanner) error {
		var reportID string
		var at int64
		var t Tally
		err := row.Scan(&reportID, &at, &t.Points)
		if dates[reportID] = db.Time(at); ordinals[reportID] == nil {
			m.add(db.Time(at), t) // found nowhere
		} else {
			wanted = append(wanted, reportID)
		}
		return err
	}, "SELECT r.id, r.at, k.points"+keywordHistory, keywordID, campaignID)
	if err != nil {
		return err
	}
	tallies, err := s.tallyAll(ctx, keywordID, wanted, ordinals)
	for reportID, t := range tallies {
		m.add(dates[reportID], t)
	}
	return err
}

// tallyAll reads the results of many reports, a few pieces at once.
func (s *Service) tallyAll(ctx context.Context, keywordID string, reportIDs []string, ordinals map[string][]uint16) (map[string]Tally, error) {
	tallies := make(map[string]Tally, len(reportIDs))
	var mu sync.Mutex
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(tallyAtOnce)
	for chunk := range slices.Chunk(reportIDs, 100) {
		work.Go(func() error {
			p := db.Params{Args: []any{keywordID}}
			return db.Each(ctx, s.db, func(row db.Scanner) error {
				var reportID string
				var blob sql.RawBytes // read in place
				if err := row.Scan(&reportID, &blob); err != nil {
					return err
				}
				result, err := OpenResult(blob)
				if err != nil {
					return err
				}
				t := result.Tally(ordinals[reportID]...)
				mu.Lock()
				defer mu.Unlock()
				tallies[reportID] = t
				return nil
			}, "SELECT report_id, result FROM report_keywords WHERE keyword_id = $1 AND report_id IN "+db.AddAll(&p, chunk), p.Args...)
		})
	}
	return tallies, work.Wait()
}

// everHad tells whether the campaign has, or had in a report, this keyword.
func (s *Service) everHad(ctx context.Context, campaignID, keywordID string) (bool, error) {
	n, err := db.One(ctx, s.db, db.Value[int], `SELECT (SELECT count(*) FROM campaign_keywords WHERE id = $1 AND campaign_id = $2)
		+ (SELECT count(*) FROM (SELECT 1 FROM report_keywords k JOIN reports r ON r.id = k.report_id
			WHERE k.keyword_id = $1 AND r.campaign_id = $2 LIMIT 1) x)`, keywordID, campaignID)
	return n > 0, err
}
