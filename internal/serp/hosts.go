package serp

import (
	"strings"

	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Hosts is the hosts of organic results in order of rank, each between line feeds. An empty line is a
// result without a host.
type Hosts string

// Ranks calls yield with each rank and host.
func (l Hosts) Ranks(yield func(rank int, host string) bool) {
	rest := strings.TrimPrefix(string(l), "\n")
	for rank := 1; rest != ""; rank++ {
		var host string
		host, rest, _ = strings.Cut(rest, "\n")
		if !yield(rank, host) {
			return
		}
	}
}

// Position is the best rank of a host target, or 0. For a URL-prefix target it is the best rank of its
// host: only the page itself tells more.
func (l Hosts) Position(t webtarget.Target) int {
	if !strings.Contains(string(l), t.Host()+"\n") {
		return 0
	}
	found := 0
	l.Ranks(func(rank int, host string) bool {
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

func (l Hosts) count() int { return max(strings.Count(string(l), "\n")-1, 0) }

// over is the list with what another has beyond its end.
func (l Hosts) over(deeper Hosts) Hosts {
	rest := strings.TrimPrefix(string(deeper), "\n")
	for range l.count() {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return l + Hosts(rest)
}
