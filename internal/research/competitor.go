package research

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// standing is a keyword for which a target (a domain, host or URL prefix) ranks.
type standing struct {
	kw       string
	position int
	source   string // of the position
	at       time.Time
	search   *serp.Search // nil when no result page told it
}

// place is where the keyword was searched.
func (s *standing) place(asked market) int {
	if s.search == nil {
		return asked.location.ID
	}
	return s.search.LocationID
}

// standings finds the keywords for which a target ranks, the best rank of each over all the searches,
// best first. positions are its ranks in the searches.
func standings(searches []serp.Search, positions []int) []standing {
	best := map[string]standing{}
	for i := range searches {
		s := &searches[i]
		rank := positions[i]
		if known, ok := best[s.Keyword]; rank > 0 && (!ok || rank < known.position) {
			best[s.Keyword] = standing{s.Keyword, rank, sourceSeen, s.FetchedAt, s}
		}
	}
	list := make([]standing, 0, len(best))
	for _, one := range best {
		list = append(list, one)
	}
	slices.SortFunc(list, byPosition)
	return list
}

func byPosition(a, b standing) int { return cmp.Or(a.position-b.position, strings.Compare(a.kw, b.kw)) }

// missing is what a competitor ranks for and the domain does not.
func missing(theirs, own []standing) []standing {
	has := make(map[string]bool, len(own))
	for _, s := range own {
		has[s.kw] = true
	}
	var list []standing
	for _, s := range theirs {
		if !has[s.kw] {
			list = append(list, s)
		}
	}
	return list
}

// competitor is a domain that ranks for the same keywords.
type competitor struct {
	domain string
	shared int // keywords
}

// competitorsOf counts, over the searches in which the target ranks, which other domains rank too; those
// with most shared keywords first.
func competitorsOf(searches []serp.Search, t webtarget.Target) []competitor {
	names := domainNames{}
	own := names.of(t.Host())
	shared := map[string]map[string]bool{} // domain -> keywords
	for i := range searches {
		s := &searches[i]
		if s.Hosts.Position(t) == 0 {
			continue
		}
		s.Hosts.Ranks(func(_ int, host string) bool {
			if domain := names.of(host); domain != "" && domain != own {
				if shared[domain] == nil {
					shared[domain] = map[string]bool{}
				}
				shared[domain][s.Keyword] = true
			}
			return true
		})
	}
	list := make([]competitor, 0, len(shared))
	for domain, keywords := range shared {
		list = append(list, competitor{domain, len(keywords)})
	}
	slices.SortFunc(list, func(a, b competitor) int { return cmp.Or(b.shared-a.shared, strings.Compare(a.domain, b.domain)) })
	return list
}

// domainNames remembers the registrable domains of hosts: finding one costs more than all the rest.
type domainNames map[string]string

func (d domainNames) of(host string) string {
	domain, ok := d[host]
	if !ok {
		domain = webtarget.Domain(host)
		d[host] = domain
	}
	return domain
}

const (
	closestCompetitors = 10
	suggestDepth       = 20 // ranks of a competitor that count
)

// suggest scores keywords for a target: those of its closest competitors, each by how much the competitor has in
// common with it and how well the competitor ranks. What it ranks for itself is among them.
func suggest(searches []serp.Search, t webtarget.Target) map[string]float64 {
	names := domainNames{}
	weight := map[string]float64{names.of(t.Host()): 1}
	closest := competitorsOf(searches, t)
	for _, r := range closest[:min(len(closest), closestCompetitors)] {
		weight[r.domain] = float64(r.shared) / float64(closest[0].shared)
	}
	scores := map[string]float64{}
	for i := range searches {
		s := &searches[i]
		score := 0.0
		s.Hosts.Ranks(func(rank int, host string) bool {
			score += weight[names.of(host)] / float64(rank)
			return rank < suggestDepth
		})
		if score > 0 {
			scores[s.Keyword] = max(scores[s.Keyword], score)
		}
	}
	return scores
}
