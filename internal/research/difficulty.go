package research

import (
	"math"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Difficulty is how hard it is to reach the first ten results, 0..100:
//
//	The authorities of the first ten results are sorted from weakest to strongest; of n known ones
//	the weakest counts n times, the next n-1 times, the strongest once; seo is their mean.
//
// Weak pages weigh more because a newcomer displaces the weakest page, not the strongest. A result
// without a known authority is left out; when that is more than half of them the figure would be a
// guess, and there is none. A stronger result never lowers the figure.

// difficultyResults is how many results count.
const difficultyResults = 10

// Authority is the standing of a page or its domain, 0 (no site links to it) to 100.
type Authority struct {
	Score float64
	Known bool
}

// Difficulty computes `seo` from the authorities of a page's organic results, best rank first. It
// reports false when there is too little data.
func Difficulty(results []Authority) (seo int, ok bool) {
	results = results[:min(len(results), difficultyResults)]
	known := make([]float64, 0, difficultyResults)
	for _, r := range results {
		if r.Known && !math.IsNaN(r.Score) {
			known = append(known, min(max(r.Score, 0), 100))
		}
	}
	if len(known) == 0 || 2*len(known) < len(results) {
		return 0, false
	}
	slices.Sort(known)
	var sum, weights float64
	for i, score := range known {
		weight := float64(len(known) - i)
		sum += weight * score
		weights += weight
	}
	return int(math.Round(sum / weights)), true
}

// AuthorityOfRank turns a place in a list of the web's most linked or most visited domains into an
// authority: 100 for the first, less by the same amount for each tenfold, 0 from ten million on.
func AuthorityOfRank(rank int) Authority {
	if rank < 1 {
		return Authority{}
	}
	const decades = 7
	return Authority{Score: max(0, 100*(1-math.Log10(float64(rank))/decades)), Known: true}
}

func authorityOf(ranks []domainRank) Authority {
	rank, ok := bestRank(ranks)
	if !ok {
		return Authority{}
	}
	return AuthorityOfRank(int(rank))
}

// judgement is the difficulty of a keyword, by its newest result page or as a data provider says.
type judgement struct {
	difficulty int64
	source     string
	at         time.Time // when the page was fetched, or the provider asked
}

// judgedBy is what data providers say of the difficulty, where result pages tell too little; nil when none does.
func (m market) judgedBy(known []figures) *judgement {
	var judging []figures
	for _, f := range known {
		if f.difficulty != nil {
			judging = append(judging, f)
		}
	}
	best := m.best(judging)
	if best == nil {
		return nil
	}
	return &judgement{int64(math.Round(min(max(*best.difficulty, 0), 100))), best.source, best.toldAt}
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
