package httpapi

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Limiter holds one token bucket an account: the plan's rate, and twice that as burst. Each process
// counts for itself.
type Limiter struct {
	mu      sync.Mutex
	buckets map[string]*bucket
	swept   time.Time
}

type bucket struct {
	*rate.Limiter
	used time.Time
}

// NewLimiter returns an empty limiter.
func NewLimiter() *Limiter { return &Limiter{buckets: map[string]*bucket{}} }

// Take counts one request of an account, or refuses it with the headers that say when to come back.
func (l *Limiter) Take(who account.Principal, now time.Time, h http.Header) error {
	if who.Plan.Rate == 0 {
		return nil
	}
	b := l.bucket(who, now)
	if b.AllowN(now, 1) {
		return nil
	}
	wait := time.Duration(math.Ceil((1-b.TokensAt(now))/who.Plan.Rate)) * time.Second
	h.Set("RateLimit-Limit", strconv.Itoa(b.Burst()))
	h.Set("RateLimit-Remaining", "0")
	h.Set("RateLimit-Reset", strconv.Itoa(int(wait.Seconds())))
	e := errs.New(errs.RateLimited, "Too many requests: the plan allows %g a second.", who.Plan.Rate)
	e.RetryAfter = wait
	return e
}

// idleBucket is how long an unused bucket is kept; it is full again long before.
const idleBucket = 10 * time.Minute

func (l *Limiter) bucket(who account.Principal, now time.Time) *bucket {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > idleBucket {
		l.swept = now
		for id, b := range l.buckets {
			if now.Sub(b.used) > idleBucket {
				delete(l.buckets, id)
			}
		}
	}
	b := l.buckets[who.AccountID]
	if b == nil || b.Limit() != rate.Limit(who.Plan.Rate) {
		b = &bucket{Limiter: rate.NewLimiter(rate.Limit(who.Plan.Rate), max(1, int(2*who.Plan.Rate)))}
		l.buckets[who.AccountID] = b
	}
	b.used = now
	return b
}
