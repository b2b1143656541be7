package rankwatch

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/source"
)

// claim is a keyword that one worker may check until a time; no other worker takes it before then.
type claim struct {
	number   int64
	checked  int64 // when it was checked last, in microseconds; 0 is never
	kw       string
	tracking *tracking
	until    time.Time
}

// outcome is a claim with what came of it.
type outcome struct {
	claim
	at    time.Time
	found finding
	page  serp.Packed
	err   error

	asked    string          // title of who was asked last
	provider string          // who answered
	receipt  *source.Receipt // what asking has cost
}

// Why a check was not made: the process or the run is stopping, or another worker may have it by now.
var (
	errReleased = errors.New("the check was not made")
	errExpired  = errors.New("the claim has run out")
)

func (o *outcome) released() bool { return errors.Is(o.err, errReleased) }

// refused tells whether the provider does not want us. A budget that is used up may be that of one account, which must not
// keep others from being checked.
func (o *outcome) refused() bool {
	kind := provider.KindOf(o.err)
	return kind == provider.Unauthorized || kind == provider.QuotaSpent
}

// promised tells when the provider will have the answer, if it works on it.
func (o *outcome) promised() (at time.Time, ok bool) {
	var later *provider.Error
	if !errors.As(o.err, &later) || later.Kind != provider.Pending {
		return at, false
	}
	return o.at.Add(later.RetryAfter), true
}

// word is what came of the check, for the operator's metrics.
func (o *outcome) word() string {
	_, promised := o.promised()
	switch {
	case promised:
		return "promised"
	case o.released() || errors.Is(o.err, errExpired):
		return "released"
	case o.err != nil:
		return "failed"
	case o.found.Rank == 0:
		return "not_found"
	}
	return "found"
}

// query is the search of a check; depth is for trackings that do not say.
func (c *claim) query(depth int) provider.WebQuery {
	t := c.tracking
	q := provider.WebQuery{
		Keyword: c.kw, Device: t.device(), Depth: depth,
		Until: func(item provider.WebItem) bool { return t.target.Match(item.URL) },
	}
	if !t.target.IsPrefix() { // of a prefix, the first result of its host may be another page
		q.Target = t.target.Host()
	}
	if t.config.Depth != nil {
		q.Depth = *t.config.Depth
	}
	if l, ok := location.Get(t.locationID); ok {
		q.Country, q.Location, q.GoogleDomain = l.CountryCode, l.Locality(), l.GoogleDomain
	}
	// The check that follows the last one: a promised answer is fetched under its key also on the next day, and not for another search.
	search := sha256.Sum256(fmt.Append(nil, c.checked, q.Depth, q.Device, t.locationID, t.target))
	q.Key = fmt.Sprintf("%d/%x", c.number, search[:12])
	return q
}

// Pauses after a check that failed.
const (
	firstRetry = 5 * time.Minute
	maxRetry   = 6 * time.Hour
	soldOut    = time.Hour // a refused credential or an empty account: a person has to act
)

// retryAt says when to check again after a failure, the n-th in a row. What can never be answered is
// asked again tomorrow: the provider may be another one then.
func retryAt(now time.Time, n int, err error) time.Time {
	var refusal *provider.Error
	errors.As(err, &refusal)
	switch provider.KindOf(err) {
	case provider.BadQuery, provider.NotFound:
		return (series.DayOf(now) + 1).Start()
	case provider.Unauthorized, provider.QuotaSpent, provider.OverBudget:
		return now.Add(soldOut)
	}
	wait := job.Backoff(n, firstRetry, maxRetry)
	if refusal != nil {
		wait = min(max(wait, refusal.RetryAfter), 24*time.Hour)
	}
	return now.Add(wait)
}

// reason is the part of a failure that a user may read.
func reason(err error) string {
	var refusal *provider.Error
	if errors.As(err, &refusal) {
		return refusal.Message
	}
	return "The check could not be completed."
}
