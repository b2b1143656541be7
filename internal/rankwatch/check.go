package rankwatch

import (
	"errors"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// finding is what a result page says about a target.
type finding struct {
	Observation        // its URL is still to be numbered
	url         string // of the best rank
	latest      latest
}

// find looks for the target on a page. An entry of the map pack is the target's by its website or, when
// business is not empty, by its name.
func find(page provider.WebPage, target webtarget.Target, business string) finding {
	var f finding
	others := 0
	for i, item := range page.Items {
		f.Features |= FeatureOf(item.Type)
		switch item.Type {
		case provider.Organic:
			if !target.Match(item.URL) {
				continue
			}
			switch rank := uint16(min(max(item.Rank, 0), MaxRank)); {
			case rank == 0:
			case f.Rank == 0:
				f.Rank, f.url = rank, item.URL
			case item.URL != f.url:
				others++
				if rank < f.Rank {
					f.Rank, f.url = rank, item.URL
				}
			}
		case provider.LocalPack:
			if f.MapPack == 0 {
				f.MapPack, f.latest.MapURL = inPack(item.Items, target, business)
			}
		case provider.FeaturedSnippet:
			if f.latest.SnippetURL == "" && item.URL != "" {
				f.latest.SnippetURL, f.latest.SnippetRank = cutURL(item.URL), i+1
				f.OwnSnippet = target.Match(item.URL)
			}
		}
	}
	f.MoreURL = others > 0
	return f
}

func inPack(entries []provider.WebItem, target webtarget.Target, business string) (rank uint8, url string) {
	for i, entry := range entries[:min(len(entries), MaxMapPack)] {
		if target.Match(entry.URL) || (business != "" && strings.EqualFold(strings.TrimSpace(entry.Title), business)) {
			return uint8(i + 1), cutURL(entry.URL)
		}
	}
	return 0, ""
}

// cutURL leaves out what is too long to keep; half a URL leads nowhere.
func cutURL(url string) string {
	if len(url) > maxURLLen {
		return ""
	}
	return url
}

// query is the search of a check.
func (s *Service) query(c *claim) provider.WebQuery {
	t := c.tracking
	q := provider.WebQuery{
		Keyword: c.kw, Device: t.device(), Depth: s.depth,
		Until: func(item provider.WebItem) bool { return t.target.Match(item.URL) },
	}
	if t.config.Depth != nil {
		q.Depth = *t.config.Depth
	}
	if l, ok := location.Get(t.locationID); ok {
		q.Country, q.Location, q.GoogleDomain = l.CountryCode, l.Locality(), l.GoogleDomain
	}
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
		return (DayOf(now) + 1).Start()
	case provider.Unauthorized, provider.QuotaSpent:
		return now.Add(soldOut)
	}
	wait := maxRetry
	if n = max(n, 1); n <= 7 {
		wait = min(firstRetry<<(n-1), maxRetry)
	}
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
