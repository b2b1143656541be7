package rankwatch

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Movements is what is new about the trackings of an account.
type Movements struct {
	Items   []MovedTracking `json:"items" nullable:"false"`
	Winners []MovedKeyword  `json:"winners" nullable:"false"`
	Losers  []MovedKeyword  `json:"losers" nullable:"false"`
}

// MovedTracking is a tracking with what has changed within a week.
type MovedTracking struct {
	ID         string    `json:"id"`
	Domain     string    `json:"domain"`
	Location   string    `json:"location"`
	PlatformID int       `json:"platform_id" enum:"1,2"`
	Keywords   int       `json:"keywords"`
	Visibility *float64  `json:"visibility_index"`
	Change     float64   `json:"visibility_change"`
	Trend      []float64 `json:"trend" nullable:"false"`
}

// MovedKeyword is a keyword that climbed or fell within a week.
type MovedKeyword struct {
	TrackingID string `json:"tracking_id"`
	Domain     string `json:"domain"`
	KeywordID  string `json:"keyword_id"`
	Text       string `json:"kw"`
	Rank       *int   `json:"rank"`
	Change     int    `json:"change"`
}

const (
	movementsShown = 8
	moversShown    = 5
)

// Movements finds the trackings whose visibility changed most within a week, then the newest, and the keywords that climbed and
// fell most. It reads summaries, which are reckoned a little after ranks change.
func (s *Service) Movements(ctx context.Context, accountID string) (Movements, error) {
	items, err := movedTrackings(ctx, s.db, accountID)
	if err != nil {
		return Movements{}, err
	}
	movers, err := movedKeywords(ctx, s.db, accountID)
	found := Movements{Items: items, Winners: []MovedKeyword{}, Losers: []MovedKeyword{}}
	for _, m := range movers {
		if m.Change > 0 && len(found.Winners) < moversShown {
			found.Winners = append(found.Winners, m)
		}
	}
	slices.Reverse(movers)
	for _, m := range movers {
		if m.Change < 0 && len(found.Losers) < moversShown {
			found.Losers = append(found.Losers, m)
		}
	}
	return found, err
}

func movedTrackings(ctx context.Context, q db.Queryer, accountID string) ([]MovedTracking, error) {
	all := []MovedTracking{}
	return all, db.Each(ctx, q, func(row db.Scanner) error {
		var m MovedTracking
		var domain string
		var locationID int
		var trend []byte
		err := row.Scan(&m.ID, &domain, &locationID, &m.PlatformID, &m.Keywords, &m.Visibility, &m.Change, &trend)
		if err != nil {
			return err
		}
		if l, ok := location.Get(locationID); ok {
			m.Location = l.Label
		}
		if m.Domain, err = displayed(domain); err == nil {
			err = json.Unmarshal(trend, &m.Trend)
		}
		all = append(all, m)
		return err
	}, `SELECT t.id, t.domain, t.location_id, t.platform_id, s.keywords, s.visibility, s.change, s.trend
		FROM (SELECT * FROM tracking_summaries WHERE account_id = $1 ORDER BY moved DESC, tracking_id DESC LIMIT $2) s JOIN trackings t ON t.id = s.tracking_id
		ORDER BY s.moved DESC, s.tracking_id DESC`, accountID, movementsShown)
}

// movedKeywords are those that climbed most and those that fell most, from the largest climb to the deepest fall. A few more than
// are shown are read, since some may have been removed.
func movedKeywords(ctx context.Context, q db.Queryer, accountID string) ([]MovedKeyword, error) {
	some := func(sign, order string) string {
		return "SELECT * FROM (SELECT keyword, rank, change FROM tracking_movers WHERE account_id = $1 AND change " + sign + " 0 ORDER BY change " + order + " LIMIT $2) m"
	}
	all, err := db.All(ctx, q, func(row db.Scanner) (m MovedKeyword, err error) {
		var domain string
		if err := row.Scan(&m.TrackingID, &domain, &m.KeywordID, &m.Text, &m.Rank, &m.Change); err != nil {
			return m, err
		}
		m.Domain, err = displayed(domain)
		return m, err
	}, `SELECT t.id, t.domain, k.id, k.kw, m.rank, m.change FROM (`+some(">", "DESC")+" UNION ALL "+some("<", "ASC")+`) m
		JOIN tracked_keywords k ON k.number = m.keyword AND k.removed_at IS NULL JOIN trackings t ON t.id = k.tracking_id`, accountID, 4*moversShown)
	slices.SortFunc(all, func(a, b MovedKeyword) int {
		return cmp.Or(cmp.Compare(b.Change, a.Change), cmp.Compare(a.KeywordID, b.KeywordID))
	})
	return all, err
}

func displayed(domain string) (string, error) {
	target, err := webtarget.Parse(domain)
	return target.Display(), err
}
