package research

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
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

// sourceSeen is the source that is our own result pages.
const sourceSeen = "seen"

// domainRank is a domain's place in an imported list.
type domainRank struct {
	domain, source string
	rank           int64
	toldAt         time.Time
}

// ranksOf finds the places of domains in all lists.
func ranksOf(ctx context.Context, q db.Queryer, domains []string) (map[string][]domainRank, error) {
	found := map[string][]domainRank{}
	domains = slices.Compact(slices.Sorted(slices.Values(domains)))
	err := eachList(domains, func(list []string) error {
		var p db.Params
		return db.Each(ctx, q, func(row db.Scanner) error {
			var r domainRank
			var told int64
			err := row.Scan(&r.domain, &r.source, &r.rank, &told)
			r.toldAt = db.Time(told)
			found[r.domain] = append(found[r.domain], r)
			return err
		}, "SELECT domain, source, rank, told_at FROM domain_ranks WHERE domain IN "+db.AddAll(&p, list), p.Args...)
	})
	return found, err
}

func bestRank(ranks []domainRank) (rank int64, ok bool) {
	for _, r := range ranks {
		if !ok || r.rank < rank {
			rank, ok = r.rank, true
		}
	}
	return rank, ok
}

func authorityOf(ranks []domainRank) Authority {
	rank, ok := bestRank(ranks)
	if !ok {
		return Authority{}
	}
	return AuthorityOfRank(int(rank))
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

// difficultyOf judges a page by its hosts.
func difficultyOf(hosts hostList, ranks map[string][]domainRank) *int64 {
	var results []Authority
	for _, domain := range firstDomains(hosts) {
		results = append(results, authorityOf(ranks[domain]))
	}
	seo, ok := Difficulty(results)
	if !ok {
		return nil
	}
	value := int64(seo)
	return &value
}

// firstDomains are the registrable domains of the results that count for difficulty.
func firstDomains(hosts hostList) []string {
	var domains []string
	hosts.ranks(func(rank int, host string) bool {
		domains = append(domains, webtarget.Domain(host))
		return rank < difficultyResults
	})
	return domains
}

// seen sums up where a target stands.
func seen(list []standing) (Metric, bool) {
	if len(list) == 0 {
		return Metric{}, false
	}
	sum := 0
	var newest time.Time
	for _, s := range list {
		sum += s.position
		if s.search.fetchedAt.After(newest) {
			newest = s.search.fetchedAt
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
