package rankwatch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/provider/searchconsole"
	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// consoleHistory is how many days Google keeps: 16 months.
const consoleHistory = 486

// ConsoleProperty is a property of Google Search Console that the account's connected user can see.
type ConsoleProperty struct {
	SiteURL    string `json:"site_url" doc:"Its name, exactly as Google spells it." example:"sc-domain:example.com"`
	Permission string `json:"permission" enum:"siteOwner,siteFullUser,siteRestrictedUser,siteUnverifiedUser" doc:"What the user may do; an unverified user reads nothing."`
	Suggested  bool   `json:"suggested" doc:"Whether it fits the tracking best."`
}

// ConsoleLink tells whether a tracking is linked to a property, and what has been fetched of it.
type ConsoleLink struct {
	Linked      bool    `json:"linked" doc:"Whether the tracking is linked to a property."`
	SiteURL     string  `json:"site_url,omitempty" doc:"The property." example:"sc-domain:example.com"`
	LinkedAt    *int64  `json:"linked_at" doc:"Unix seconds; null without a link."`
	Since       *string `json:"since" format:"date" doc:"First day that is fetched."`
	FirstDay    *string `json:"first_day" format:"date" doc:"First day that is kept; null before the first."`
	LastDay     *string `json:"last_day" format:"date" doc:"Last day that is kept; final figures come two to three days late."`
	Days        int     `json:"days" doc:"Days that are kept."`
	FetchedAt   *int64  `json:"fetched_at" doc:"When all there was had been fetched, Unix seconds; null while the first fetch goes on."`
	NextFetchAt *int64  `json:"next_fetch_at" doc:"Unix seconds."`
	Error       string  `json:"error,omitempty" doc:"Why the last fetch failed; it is tried again." example:"The account is not connected with Google Search Console."`
}

// property is a stored property.
type property struct {
	id, accountID, siteURL string
	firstDay               series.Day
	failures               int
	live                   bool // a tracking that is not deleted is linked to it
}

// linkedProperty is a property with what a status tells of it.
type linkedProperty struct {
	property
	linkedAt, nextFetchAt time.Time
	fetchedAt             *time.Time
	problem               string
	days                  int
	kept                  series.Range // the first and the last of them
}

func (p *linkedProperty) show() ConsoleLink {
	linked, next, since := p.linkedAt.Unix(), p.nextFetchAt.Unix(), p.firstDay.String()
	shown := ConsoleLink{Linked: true, SiteURL: p.siteURL, LinkedAt: &linked, NextFetchAt: &next, Since: &since, Days: p.days, Error: p.problem}
	if p.days > 0 {
		first, last := p.kept.From.String(), p.kept.To.String()
		shown.FirstDay, shown.LastDay = &first, &last
	}
	if p.fetchedAt != nil {
		fetched := p.fetchedAt.Unix()
		shown.FetchedAt = &fetched
	}
	return shown
}

// fit tells how well a property covers what a tracking watches; 0 is not at all. The smallest that holds all of it is
// best: the prefix itself, its domain, a prefix of the host, a domain above.
func fit(site searchconsole.Site, t webtarget.Target) int {
	if !site.Readable() {
		return 0
	}
	if domain := site.Domain(); domain != "" {
		over, err := webtarget.Parse(domain)
		switch {
		case err != nil || !over.Match("https://"+t.String()):
			return 0
		case over.Host() == t.Host():
			return 400
		}
		return 100
	}
	prefix, err := webtarget.Parse(site.URL)
	if err != nil || prefix.Host() != t.Host() || prefix.IsPrefix() && !prefix.Match("https://"+t.String()) {
		return 0
	}
	score := 200
	if prefix == t && t.IsPrefix() {
		score = 500
	}
	if strings.HasPrefix(site.URL, "https:") {
		score++
	}
	return score
}

// showProperties lists properties, those that fit a tracking first.
func showProperties(sites []searchconsole.Site, t webtarget.Target) []ConsoleProperty {
	sites = slices.Clone(sites)
	slices.SortStableFunc(sites, func(a, b searchconsole.Site) int {
		return cmp.Or(cmp.Compare(fit(b, t), fit(a, t)), cmp.Compare(a.URL, b.URL))
	})
	shown := make([]ConsoleProperty, len(sites))
	for i, site := range sites {
		shown[i] = ConsoleProperty{SiteURL: site.URL, Permission: string(site.Permission), Suggested: i == 0 && fit(site, t) > 0}
	}
	return shown
}

// chooseProperty refuses a property that the connected user cannot read.
func chooseProperty(siteURL string, sites []searchconsole.Site, t webtarget.Target) error {
	i := slices.IndexFunc(sites, func(s searchconsole.Site) bool { return s.URL == siteURL })
	var problems errs.Problems
	switch {
	case i >= 0 && sites[i].Readable():
		return nil
	case i >= 0:
		problems.Add("site_url", errs.InvalidValue, "The connected user is not a verified user of %s: verify the property in Search Console, or have its owner add the user.", siteURL)
	default:
		hint := "it has none."
		if len(sites) > 0 {
			best := showProperties(sites, t)[0]
			hint = fmt.Sprintf("its name must be spelt exactly as Google does, such as %s.", best.SiteURL)
		}
		problems.Add("site_url", errs.InvalidValue, "The connected user has no property %.100q; %s", siteURL, hint)
	}
	return problems.Err()
}

// consoleDay is what Google tells of a day.
type consoleDay struct {
	day            series.Day
	cut            bool
	queries, pages []performance.Row
}
