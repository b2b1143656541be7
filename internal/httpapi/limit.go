package httpapi

import (
	"crypto/sha256"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Limiter holds token buckets: one an account, with its plan's rate and twice that as burst, one as large for those who
// follow its share links, and one a client's network, for what it tries in vain. Each process counts for itself.
type Limiter struct {
	mu      sync.Mutex
	buckets map[string]*bucket
	proved  map[[sha256.Size]byte]time.Time // when a secret was last found to be good
	swept   time.Time
}

type bucket struct {
	*rate.Limiter
	used time.Time
}

// NewLimiter returns an empty limiter.
func NewLimiter() *Limiter {
	return &Limiter{buckets: map[string]*bucket{}, proved: map[[sha256.Size]byte]time.Time{}}
}

// Take counts one request of an account, or refuses it with the headers that say when to come back.
func (l *Limiter) Take(who account.Principal, now time.Time, h http.Header) error {
	if who.Plan.Rate == 0 {
		return nil
	}
	b := l.bucket(who.AccountID, who.Plan.Rate, max(1, int(2*who.Plan.Rate)), now)
	if b.AllowN(now, 1) {
		return nil
	}
	return b.refuse(now, h, "Too many requests: the plan allows %g a second.", who.Plan.Rate)
}

// What a network may try in vain, a second and at once. Secrets have 256 bits: this bounds the work that
// guesses cause, not the odds of one.
const (
	triesPerSecond = 10
	triesAtOnce    = 100
)

// SignIn finds with look who holds a secret. A secret that is not valid counts for the client's network;
// one with too many of them is refused without a look. A secret that was good of late is always looked
// at, so that nobody is locked out by a neighbour behind the same address.
func (l *Limiter) SignIn(client netip.Addr, secret string, now time.Time, h http.Header, look func() (account.Principal, error)) (account.Principal, error) {
	network, sum := networkOf(client), sha256.Sum256([]byte(secret))
	if b := l.overdrawn(network, sum, now); b != nil {
		return account.Principal{}, b.refuse(now, h, "Too many credentials that are not valid came from this address.")
	}
	who, err := look()
	switch {
	case err == nil:
		l.mu.Lock()
		l.proved[sum] = now
		l.mu.Unlock()
	case errs.CodeOf(err) == errs.Unauthorized:
		l.bucket(network, triesPerSecond, triesAtOnce, now).AllowN(now, 1)
	}
	return who, err
}

// overdrawn returns the bucket of a network that may not try this secret now, or nil.
func (l *Limiter) overdrawn(network string, sum [sha256.Size]byte, now time.Time) *bucket {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[network]
	if b == nil || b.TokensAt(now) >= 1 || now.Sub(l.proved[sum]) < idleBucket {
		return nil
	}
	return b
}

// What a network may ask without a credential, and guess, a second and at once. A password has fewer bits than a
// secret of ours; those of one email are counted in the store besides.
const (
	visitsPerSecond  = 10
	visitsAtOnce     = 100
	guessesPerSecond = 0.1
	guessesAtOnce    = 30
)

// Visit counts a request of nobody for its network, or refuses it.
func (l *Limiter) Visit(client netip.Addr, now time.Time, h http.Header) error {
	b := l.bucket("visits of "+networkOf(client), visitsPerSecond, visitsAtOnce, now)
	if b.AllowN(now, 1) {
		return nil
	}
	return b.refuse(now, h, "Too many requests came from this address; wait a moment.")
}

// VisitShared counts a read by share token, or refuses it. A link has from one network at most half of the rate of its
// owner's plan, and from all together that rate. None of it is taken from the owner, whom visitors cannot lock out.
func (l *Limiter) VisitShared(client netip.Addr, token string, owner account.Principal, now time.Time, h http.Header) error {
	perSecond := float64(visitsPerSecond)
	if owner.Plan.Rate > 0 {
		perSecond = min(perSecond, owner.Plan.Rate/2)
	}
	b := l.bucket("visits by "+token+" of "+networkOf(client), perSecond, max(1, int(2*perSecond)), now)
	if !b.AllowN(now, 1) {
		return b.refuse(now, h, "Too many requests came by this link; wait a moment.")
	}
	return l.Take(account.Principal{AccountID: visitorsOf(owner), Plan: owner.Plan}, now, h)
}

// visitorsOf names those who follow share links of an account, all together.
func visitorsOf(owner account.Principal) string { return "visitors of " + owner.AccountID }

// guess counts a try before its outcome is known, so that many at once are counted too, and gives it back unless it
// was refused. One for an email that is blocked counts too; one that nobody had the time to look at does not.
func (l *Limiter) guess(client netip.Addr, now time.Time, h http.Header, try func() error) error {
	reserved, err := l.reserve(client, now, h)
	if err != nil {
		return err
	}
	err = try()
	switch errs.CodeOf(err) {
	case errs.Unauthorized, errs.Forbidden, errs.Conflict, errs.RateLimited:
	default:
		reserved.CancelAt(now)
	}
	return err
}

func (l *Limiter) spend(client netip.Addr, now time.Time, h http.Header) error {
	_, err := l.reserve(client, now, h)
	return err
}

func (l *Limiter) reserve(client netip.Addr, now time.Time, h http.Header) (*rate.Reservation, error) {
	b := l.bucket("guesses of "+networkOf(client), guessesPerSecond, guessesAtOnce, now)
	reserved := b.ReserveN(now, 1)
	if reserved.DelayFrom(now) == 0 {
		return reserved, nil
	}
	reserved.CancelAt(now)
	return nil, b.refuse(now, h, "Too many tries came from this address; wait a moment.")
}

// networkOf is what one client has for itself: an IPv4 address, or an IPv6 network of 64 bits.
func networkOf(client netip.Addr) string {
	client = client.Unmap().WithZone("")
	if client.Is6() {
		if network, err := client.Prefix(64); err == nil {
			return network.String()
		}
	}
	return client.String()
}

func (b *bucket) refuse(now time.Time, h http.Header, format string, args ...any) error {
	wait := time.Duration(math.Ceil((1-b.TokensAt(now))/float64(b.Limit()))) * time.Second
	h.Set("RateLimit-Limit", strconv.Itoa(b.Burst()))
	h.Set("RateLimit-Remaining", "0")
	h.Set("RateLimit-Reset", strconv.Itoa(int(wait.Seconds())))
	e := errs.New(errs.RateLimited, format, args...)
	e.RetryAfter = wait
	return e
}

// idleBucket is how long an unused bucket is kept; it is full again long before.
const idleBucket = 10 * time.Minute

func (l *Limiter) bucket(key string, perSecond float64, burst int, now time.Time) *bucket {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > idleBucket {
		l.sweep(now)
	}
	b := l.buckets[key]
	if b == nil || b.Limit() != rate.Limit(perSecond) {
		b = &bucket{Limiter: rate.NewLimiter(rate.Limit(perSecond), burst)}
		l.buckets[key] = b
	}
	b.used = now
	return b
}

func (l *Limiter) sweep(now time.Time) {
	l.swept = now
	for key, b := range l.buckets {
		if now.Sub(b.used) > idleBucket {
			delete(l.buckets, key)
		}
	}
	for sum, at := range l.proved {
		if now.Sub(at) > idleBucket {
			delete(l.proved, sum)
		}
	}
}
