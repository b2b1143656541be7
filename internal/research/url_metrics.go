package research

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
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
	Metrics map[string]Metric `json:"m" doc:"By source: each imported list of domains gives rank and authority (0 to 100); a data provider gives authority, links, domains (that link to it) and first_seen (Unix seconds), as far as it knows; seen gives keywords, best_position and mean_position on the account's newest result pages."`
	TopRank *int64            `json:"topRank" doc:"Best place of the domain in the imported lists; null when it is in none."`

	Incomplete string `json:"incomplete,omitempty" doc:"Why a data provider could not be asked for links; absent when it could, or none is configured."`
}

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
	if err != nil {
		return m, err
	}
	if found, ok := seen(list); ok {
		m.Metrics[sourceSeen] = found
	}
	who := &asker{accountID: accountID}
	links, err := s.linksTo(ctx, who, t)
	if err != nil {
		return m, err
	}
	if len(links.value) > 0 {
		m.Metrics[links.source] = Metric{Values: links.value, ToldAt: links.at.Unix()}
	}
	m.Incomplete, err = who.excuse(true)
	return m, err
}

// freshLinks is how long the number of links is good.
const freshLinks = 7 * 24 * time.Hour

// linksTo tells how a target is linked to, in figures by name, as a data provider knows it.
func (s *Service) linksTo(ctx context.Context, who *asker, t webtarget.Target) (told[map[string]float64], error) {
	about := question{askLinks, t.String(), anywhere(), freshLinks}
	return remembered(ctx, s, who, about, func(p provider.Prices) provider.Money { return p.Links },
		func(ctx context.Context, from provider.LinkSource) (finding[map[string]float64], error) {
			links, err := from.LinksTo(ctx, t.String())
			return finding[map[string]float64]{value: figuresOfLinks(links)}, err
		})
}

func figuresOfLinks(links provider.Links) map[string]float64 {
	figures := map[string]float64{}
	if links.Rank != nil {
		figures["authority"] = *links.Rank
	}
	if links.Links != nil {
		figures["links"] = float64(*links.Links)
	}
	if links.Domains != nil {
		figures["domains"] = float64(*links.Domains)
	}
	if seen, err := time.Parse(time.DateOnly, links.FirstSeen); err == nil {
		figures["first_seen"] = float64(seen.Unix())
	}
	return figures
}
