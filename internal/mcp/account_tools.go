package mcp

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/client/account"
	"github.com/trigpoint/trigpoint/client/local"
)

func (t tools) addAccount(s *sdk.Server) {
	add(s, described{name: "what_changed", title: "What changed this week", description: "News of the whole account within a week: campaigns and keywords that won and lost most, locations that need attention, what is left of the month's credits. Use it first when somebody asks what is new, how it is going or what to look at."}, t.whatChanged)
	add(s, described{name: "locations", title: "Find locations", description: "Finds business locations by words of their name, address or phone number, or lists those that failed to publish. Also tells which locations need attention and why. Use it for questions about addresses, opening hours, listings and directories."}, t.locations)
	add(s, described{name: "usage", title: "What is used of the plan", description: "What the account uses of its plan: locations, campaigns, keywords, and the month's credits and look-ups with the day they start anew or run out. Use it before something that costs credits, or when somebody asks about limits."}, t.usage)
}

type nothing struct{}

func (t tools) whatChanged(ctx context.Context, _ nothing) (account.Overview, string, error) {
	o, err := t.c.Account.Overview(ctx)
	if err != nil {
		return o, "", err
	}
	steady := func(c account.MovedCampaign) bool {
		return c.AveragePositionDiff != nil && math.Abs(*c.AveragePositionDiff) < 0.05
	}
	o.Campaigns.Winners, o.Campaigns.Losers = slices.DeleteFunc(o.Campaigns.Winners, steady), slices.DeleteFunc(o.Campaigns.Losers, steady) // "0.0 better" is no news
	said := []string{fmt.Sprintf("Since %s: %d campaigns (%d collecting now), %d trackings, %d locations, of which %d need attention.",
		o.Since.Format("2 January 2006"), o.Campaigns.Total, o.Campaigns.Collecting, o.Trackings.Total, o.Locations.Total, o.Locations.AttentionTotal)}
	for _, c := range o.Campaigns.Winners {
		said = append(said, fmt.Sprintf("Map ranks up: %s, average position %s (%s).", c.Name, figure(c.AveragePosition), change(c.AveragePositionDiff)))
	}
	for _, c := range o.Campaigns.Losers {
		said = append(said, fmt.Sprintf("Map ranks down: %s, average position %s (%s).", c.Name, figure(c.AveragePosition), change(c.AveragePositionDiff)))
	}
	for _, k := range o.Trackings.Winners {
		said = append(said, fmt.Sprintf("Keyword up: %q of %s, now %s (%d better).", k.Keyword, k.Domain, rank(k.Rank), k.Change))
	}
	for _, k := range o.Trackings.Losers {
		said = append(said, fmt.Sprintf("Keyword down: %q of %s, now %s (%d worse).", k.Keyword, k.Domain, rank(k.Rank), -k.Change))
	}
	for _, l := range o.Locations.Attention {
		said = append(said, fmt.Sprintf("Location %s: %s", l.BusinessName, l.Reason))
	}
	return o, lines(append(said, monthly("Credits", o.Credits))...), nil
}

// monthly says what is left of a month's quota.
func monthly(what string, use account.MonthlyUse) string {
	text := fmt.Sprintf("%s: %s of %s used, new on %s", what, thousands(use.Used), thousands(use.Limit), use.ResetsAt.Format("2 January"))
	if use.RunsOutAt != nil {
		text += ", at this pace used up on " + use.RunsOutAt.Format("2 January")
	}
	return text + "."
}

func (t tools) usage(ctx context.Context, _ nothing) (account.Usage, string, error) {
	u, err := t.c.Account.Usage(ctx)
	return u, lines(
		fmt.Sprintf("Plan %s: %s of %s locations, %s of %s campaigns, %s of %s trackings, %s of %s tracked keywords.", u.Plan,
			thousands(u.Used.Locations), thousands(u.Limits.Locations), thousands(u.Used.Campaigns), thousands(u.Limits.Campaigns),
			thousands(u.Used.Trackings), thousands(u.Limits.Trackings), thousands(u.Used.Keywords), thousands(u.Limits.Keywords)),
		monthly("Credits", u.Credits), monthly("Look-ups", u.Lookups),
	), err
}

type locationsIn struct {
	Query  string `json:"query,omitempty" jsonschema:"words of the name, address or phone number; all locations when empty"`
	Failed bool   `json:"failed,omitempty" jsonschema:"only those that a directory refused"`
}

type locationsOut struct {
	Locations []locationItem             `json:"locations"`
	Total     int64                      `json:"total"`
	Attention []account.TroubledLocation `json:"need_attention"`
}

type locationItem struct {
	ID      string `json:"location_id"`
	Name    string `json:"business_name"`
	Address string `json:"address"`
	Phone   string `json:"phone_number"`
	Website string `json:"website_url"`
	Status  string `json:"status"`
}

func (t tools) locations(ctx context.Context, in locationsIn) (locationsOut, string, error) {
	out := locationsOut{Locations: []locationItem{}}
	filter := client.LocationFilter{Query: in.Query}
	if in.Failed {
		filter.Statuses = []string{"FAILED"}
	}
	overview, err := t.c.Account.Overview(ctx)
	if err != nil {
		return out, "", err
	}
	if out.Total, err = t.c.Locations.Count(ctx, filter); err != nil {
		return out, "", err
	}
	var said []string
	for l, err := range t.c.Locations.List(ctx, filter) {
		if err != nil {
			return out, "", err
		}
		item := itemOf(l)
		out.Locations = append(out.Locations, item)
		said = append(said, fmt.Sprintf("%s, %s (%s)", item.Name, item.Address, item.Status))
		if len(out.Locations) == shown {
			break
		}
	}
	out.Attention = first(overview.Locations.Attention)
	heads := []string{counted(len(out.Locations), out.Total, "locations") + ":"}
	for _, l := range out.Attention {
		said = append(said, fmt.Sprintf("Needs attention: %s: %s", l.BusinessName, l.Reason))
	}
	return out, lines(append(heads, said...)...), nil
}

func itemOf(l local.Location) locationItem {
	var address []string
	for _, part := range []string{l.AddressLine1, l.AddressLine2, l.City, strings.TrimSpace(l.Region + " " + l.Zip), l.Country} {
		if part != "" {
			address = append(address, part)
		}
	}
	return locationItem{ID: l.LocationID, Name: l.BusinessName, Address: strings.Join(address, ", "), Phone: l.PhoneNumber, Website: l.WebsiteURL, Status: l.LocationStatus}
}
