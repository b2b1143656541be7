package rankwatch

import "time"

// A clock that is ahead for a while leaves times behind that lie in the future once it is right again.
// None of them is waited for: what is due later than it can be is due now, a claim that holds for longer
// than a claim can is void, the checks of days to come are forgotten, and a keyword counts from now on.
const (
	skew     = time.Hour           // by which the clocks of two processes may differ
	maxAhead = 24*time.Hour + skew // a check is due at most a day from now
	maxClaim = maxLease + skew     // a claim holds at most so long from now
)

// ahead tells whether a stored time is one that a wrong clock has left.
func ahead(at, now time.Time) bool { return at.After(now.Add(skew)) }
