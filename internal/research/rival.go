package research

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// search is the newest result page of a keyword, as far as it tells who ranks.
type search struct {
	kw         string
	locationID int
	platformID int
	serpID     string
	fetchedAt  time.Time
	hosts      hostList
}

// hostList is the hosts of organic results in order of rank, each between line feeds. An empty line is
// a result without a host.
type hostList string

// ranks calls yield with each rank and host.
func (l hostList) ranks(yield func(rank int, host string) bool) {
	rest := strings.TrimPrefix(string(l), "\n")
	for rank := 1; rest != ""; rank++ {
		var host string
		host, rest, _ = strings.Cut(rest, "\n")
		if !yield(rank, host) {
			return
		}
	}
}

// position is the best rank of a host target on the page, or 0. For a URL-prefix target it is the best
// rank of its host: only the page itself tells more.
func (s *search) position(t webtarget.Target) int {
	if !strings.Contains(string(s.hosts), t.Host()+"\n") {
		return 0
	}
	found := 0
	s.hosts.ranks(func(rank int, host string) bool {
		if strings.HasSuffix(host, t.Host()) && onHost(t, host) {
			found = rank
		}
		return found == 0
	})
	return found
}

func onHost(t webtarget.Target, host string) bool {
	if t.IsPrefix() {
		return host == t.Host()
	}
	return t.Match(host)
}

// standing is a keyword for which a target ranks.
type standing struct {
	kw       string
	position int
	search   *search // nil when it is only suggested
}

// place is where the keyword was searched.
func (s *standing) place(asked market) int {
	if s.search == nil {
		return asked.location.ID
	}
	return s.search.locationID
}

// standings finds the keywords for which a target ranks, the best rank of each over all the searches,
// best first.
func standings(searches []search, position func(*search) int) []standing {
	best := map[string]standing{}
	for i := range searches {
		s := &searches[i]
		rank := position(s)
		if known, ok := best[s.kw]; rank > 0 && (!ok || rank < known.position) {
			best[s.kw] = standing{s.kw, rank, s}
		}
	}
	list := make([]standing, 0, len(best))
	for _, one := range best {
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b standing) int { return cmp.Or(a.position-b.position, strings.Compare(a.kw, b.kw)) })
	return list
}

// missing is what a competitor ranks for and the domain does not.
func missing(competitor, domain []standing) []standing {
	has := make(map[string]bool, len(domain))
	for _, s := range domain {
		has[s.kw] = true
	}
	var list []standing
	for _, s := range competitor {
		if !has[s.kw] {
			list = append(list, s)
		}
	}
	return list
}

// rival is a domain that ranks for the same keywords.
type rival struct {
	domain string
	shared int // keywords
}

// rivals counts, over the searches in which the target ranks, which other domains rank too; those
// with most shared keywords first.
func rivals(searches []search, t webtarget.Target) []rival {
	names := domainNames{}
	own := names.of(t.Host())
	shared := map[string]map[string]bool{} // domain -> keywords
	for i := range searches {
		s := &searches[i]
		if s.position(t) == 0 {
			continue
		}
		s.hosts.ranks(func(_ int, host string) bool {
			if domain := names.of(host); domain != "" && domain != own {
				if shared[domain] == nil {
					shared[domain] = map[string]bool{}
				}
				shared[domain][s.kw] = true
			}
			return true
		})
	}
	list := make([]rival, 0, len(shared))
	for domain, keywords := range shared {
		list = append(list, rival{domain, len(keywords)})
	}
	slices.SortFunc(list, func(a, b rival) int { return cmp.Or(b.shared-a.shared, strings.Compare(a.domain, b.domain)) })
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
	closestRivals = 10
	suggestDepth  = 20 // ranks of a rival that count
)

// suggest scores keywords for a target: those of its closest rivals, each by how much the rival has in
// common with it and how well the rival ranks. What it ranks for itself is among them.
func suggest(searches []search, t webtarget.Target) map[string]float64 {
	names := domainNames{}
	weight := map[string]float64{names.of(t.Host()): 1}
	closest := rivals(searches, t)
	for _, r := range closest[:min(len(closest), closestRivals)] {
		weight[r.domain] = float64(r.shared) / float64(closest[0].shared)
	}
	scores := map[string]float64{}
	for i := range searches {
		s := &searches[i]
		score := 0.0
		s.hosts.ranks(func(rank int, host string) bool {
			score += weight[names.of(host)] / float64(rank)
			return rank < suggestDepth
		})
		if score > 0 {
			scores[s.kw] = max(scores[s.kw], score)
		}
	}
	return scores
}
