package rankwatch

import (
	"math"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// crew is how many checks are made at once, and how long each may take, at a provider's pace. More checks
// than the pace can serve would only wait for each other's pages until all have run out of time, and be
// billed for what they had seen.
type crew struct {
	workers int           // checks under way at once
	claims  int           // keywords taken in hand at once
	limit   time.Duration // for one check, from the moment at which the provider is asked
	lease   time.Duration // how long a claim holds
}

const (
	maxWorkers = 64
	minClaims  = 32              // where nothing but this machine bounds the pace
	pageTime   = 3 * time.Second // a slow page
	checkTime  = 2 * time.Minute // for the pages of a check, when they need not wait for their turn
	waitTime   = time.Minute     // to be asked at all, and to be recorded
	maxLease   = 2 * time.Hour   // at the slowest pace
	maxPages   = (provider.MaxWebDepth + 9) / 10
)

func crewFor(pace provider.Pace) crew {
	c := crew{workers: min(max(pace.Concurrent, 1), maxWorkers), limit: checkTime}
	if pace.PerSecond > 0 {
		c.workers = min(c.workers, max(1, int(math.Ceil(pace.PerSecond*pageTime.Seconds()))))
		turns := float64(2*maxPages*c.workers) / pace.PerSecond // others ask the provider, too
		c.limit = min(c.limit+time.Duration(turns*float64(time.Second)), maxLease-waitTime)
		c.claims = c.workers
	} else {
		c.claims = max(2*c.workers, minClaims)
	}
	c.lease = c.limit + waitTime
	return c
}
