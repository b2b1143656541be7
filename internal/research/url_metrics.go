package research

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Metric is what one source says.
type Metric struct {
	Values map[string]float64 `json:"v" doc:"Figures by name."`
	ToldAt int64              `json:"ts" doc:"Unix seconds."`
}

// URLMetrics is what is known of a page and its domain. A source that says nothing is absent.
type URLMetrics struct {
	ID      string            `json:"_id"`
	URL     string            `json:"url"`
	Domain  string            `json:"domain"`
	Metrics map[string]Metric `json:"m" doc:"By source: each imported list of domains gives rank and authority (0 to 100); seen gives keywords, best_position and mean_position on the account's newest result pages."`
	TopRank *int64            `json:"topRank" doc:"Best place of the domain in the imported lists; null when it is in none."`
}

// sourceSeen names our own result pages as a source.
const sourceSeen = "seen"

func metricsOf(ranks []domainRank) map[string]Metric {
	metrics := map[string]Metric{}
	for _, r := range ranks {
		metrics[r.source] = Metric{
			Values: map[string]float64{"rank": float64(r.rank), "authority": AuthorityOfRank(int(r.rank)).Score}, ToldAt: r.toldAt.Unix(),
		}
	}
	return metrics
}

// seen sums up the positions of a target on result pages.
func seen(list []standing) (Metric, bool) {
	if len(list) == 0 {
		return Metric{}, false
	}
	sum := 0
	var newest time.Time
	for _, s := range list {
		sum += s.position
		if s.search.FetchedAt.After(newest) {
			newest = s.search.FetchedAt
		}
	}
	return Metric{Values: map[string]float64{
		"keywords": float64(len(list)), "best_position": float64(list[0].position), "mean_position": float64(sum) / float64(len(list)),
	}, ToldAt: newest.Unix()}, true
}

// urlID names a page; the same address has the same id.
func urlID(t webtarget.Target) string {
	sum := sha256.Sum256([]byte(t.String()))
	return hex.EncodeToString(sum[:16])
}

// metrics gathers what is known of a page and its domain.
func (s *Service) metrics(ctx context.Context, accountID, url string, t webtarget.Target) (URLMetrics, error) {
	domain := webtarget.Domain(t.Host())
	ranks, err := ranksOf(ctx, s.db, []string{domain})
	if err != nil {
		return URLMetrics{}, err
	}
	m := URLMetrics{ID: urlID(t), URL: strings.TrimSpace(url), Domain: domain, Metrics: metricsOf(ranks[domain])}
	if rank, ok := bestRank(ranks[domain]); ok {
		m.TopRank = &rank
	}
	searches, err := searchesIn(ctx, s.db, accountID, anywhere(), t.Host())
	if err != nil {
		return m, err
	}
	list, err := s.standings(ctx, searches, t)
	if found, ok := seen(list); ok {
		m.Metrics[sourceSeen] = found
	}
	return m, err
}
