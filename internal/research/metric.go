package research

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/serp"
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
	err := db.Lists(domains, func(list []string) error {
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

// judgement is what the newest page of a keyword says of its difficulty.
type judgement struct {
	difficulty int64
	fetchedAt  time.Time
}

// judgements finds those of keywords in exactly their places, nil where there is none; desktop before
// mobile.
func judgements(ctx context.Context, q db.Queryer, accountID string, list []asked) ([]*judgement, error) {
	type key struct {
		kw    string
		place int
	}
	wanted := map[key][]serp.Search{}
	var places []int
	kws := make([]string, len(list))
	for i, one := range list {
		kws[i] = one.kw
		places = append(places, one.in.location.ID)
		wanted[key{one.kw, one.in.location.ID}] = nil
	}
	searches, err := serp.SearchesFor(ctx, q, accountID, slices.Compact(slices.Sorted(slices.Values(places))), kws)
	if err != nil {
		return nil, err
	}
	var domains []string
	for _, one := range searches {
		k := key{one.Keyword, one.LocationID}
		if found, ok := wanted[k]; ok {
			wanted[k] = append(found, one)
			domains = append(domains, firstDomains(one.Hosts)...)
		}
	}
	ranks, err := ranksOf(ctx, q, domains)
	if err != nil {
		return nil, err
	}
	judged := make([]*judgement, len(list))
	for i, one := range list {
		for _, search := range wanted[key{one.kw, one.in.location.ID}] {
			if difficulty := difficultyOf(search.Hosts, ranks); difficulty != nil && judged[i] == nil {
				judged[i] = &judgement{*difficulty, search.FetchedAt}
			}
		}
	}
	return judged, nil
}

// difficultyOf judges a page by its hosts.
func difficultyOf(hosts serp.Hosts, ranks map[string][]domainRank) *int64 {
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
func firstDomains(hosts serp.Hosts) []string {
	var domains []string
	hosts.Ranks(func(rank int, host string) bool {
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
