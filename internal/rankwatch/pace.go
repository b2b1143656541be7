package rankwatch

import (
	"math"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// pace is how many checks are made at once, and how long each may take, as fast as a provider
// may be asked. More checks than it can serve would only wait for each other's pages until all have run out of time, and be
// billed for what they had seen.
type pace struct {
	workers int           // checks under way at once
	claims  int           // keywords claimed in one transaction
	limit   time.Duration // for one check, from the moment at which the provider is asked
	lease   time.Duration // how long a claim holds
}

const (
	maxWorkers = 128
	minClaims  = 32              // where nothing but this machine bounds the pace
	pageTime   = 3 * time.Second // a slow page
	checkTime  = 2 * time.Minute // for the pages of a check, when they need not wait for their turn
	waitTime   = time.Minute     // until the provider is asked, and until the outcome is kept
	maxLease   = 2 * time.Hour   // at the slowest pace
	maxPages   = (provider.MaxWebDepth + 9) / 10
)

func paceFor(allowed provider.Pace) pace {
	p := pace{workers: min(max(allowed.Concurrent, 1), maxWorkers), limit: checkTime}
	if allowed.PerSecond > 0 {
		p.workers = min(p.workers, max(1, int(math.Ceil(allowed.PerSecond*pageTime.Seconds()))))
		turns := float64(2*maxPages*p.workers) / allowed.PerSecond // others ask the provider, too
		p.limit = min(p.limit+time.Duration(turns*float64(time.Second)), maxLease-waitTime)
		p.claims = p.workers
	} else {
		p.claims = max(2*p.workers, minClaims)
	}
	p.lease = p.limit + waitTime
	return p
}
