package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/client/keyword"
)

func (t tools) addKeywords(s *sdk.Server) {
	add(s, described{name: "list_trackings", title: "List trackings", description: "Lists the trackings, which watch where a website ranks for keywords from one place and on one device, with their visibility. Use it to find the tracking_id that keyword_ranks and keyword_history need."}, t.listTrackings)
	add(s, described{name: "keyword_ranks", title: "Keyword ranks of a tracking", description: "The keywords of one tracking with their rank now, the change over the days, search volume and page. Choose those that won, lost, dropped out of the results, or contain some words. Use it for \"which keywords did we lose\" and \"what do we rank for\"."}, t.keywordRanks)
	add(s, described{name: "keyword_history", title: "History of a keyword", description: "One keyword's rank on every day that it was checked, with the page that ranked, and the remarks made in that time. Use it for \"since when\" and \"what happened to this keyword\"."}, t.keywordHistory)
}

type trackingsOut struct {
	Trackings []trackingItem `json:"trackings"`
	Total     int64          `json:"total"`
}

type trackingItem struct {
	ID         string   `json:"tracking_id"`
	Domain     string   `json:"domain"`
	Location   string   `json:"location"`
	Device     string   `json:"device"`
	Keywords   int64    `json:"keywords"`
	Visibility *float64 `json:"visibility_percent"`
	Won        *float64 `json:"visibility_won_in_30_days"`
}

func (t tools) listTrackings(ctx context.Context, _ nothing) (trackingsOut, string, error) {
	out := trackingsOut{Trackings: []trackingItem{}}
	all, err := t.c.Trackings.List(ctx, client.Period{})
	if err != nil {
		return out, "", err
	}
	out.Total = int64(len(all))
	said := []string{counted(min(len(all), shown), out.Total, "trackings") + ":"}
	for _, tracking := range first(all) {
		item := trackingItem{ID: tracking.ID, Domain: tracking.Domain, Location: tracking.Location.Label, Device: device(tracking.PlatformID), Keywords: tracking.Count}
		if tracking.Stats != nil {
			item.Visibility, item.Won = visibility(tracking.Stats.Timeframes)
		}
		out.Trackings = append(out.Trackings, item)
		said = append(said, fmt.Sprintf("%s from %s, %s (%s): %d keywords, visibility %s%%", item.Domain, item.Location, item.Device, item.ID, item.Keywords, figure(item.Visibility)))
	}
	return out, lines(said...), nil
}

func device(platform int64) string {
	if platform == 2 {
		return "mobile"
	}
	return "desktop"
}

// visibility is that of the last day that has one, and how much it is above that of the first.
func visibility(days map[string]keyword.StatsItem) (last, won *float64) {
	if len(days) == 0 {
		return nil, nil
	}
	names := make([]string, 0, len(days))
	for day := range days {
		names = append(names, day)
	}
	now, then := days[slices.Max(names)].VisibilityIndex, days[slices.Min(names)].VisibilityIndex
	return client.Ptr(one(now)), client.Ptr(one(now - then))
}

type keywordRanksIn struct {
	TrackingID string `json:"tracking_id" jsonschema:"id of the tracking, from list_trackings"`
	Show       string `json:"show,omitempty" jsonschema:"which keywords: all, winners, losers, or lost (not found now, but found before); all when empty"`
	Contains   string `json:"contains,omitempty" jsonschema:"only keywords that contain these words"`
	Days       int    `json:"days,omitempty" jsonschema:"over how many days changes are counted, 1 to 400; 30 when empty"`
}

type keywordRanksOut struct {
	From     string        `json:"from"`
	To       string        `json:"to"`
	Keywords []keywordItem `json:"keywords"`
	Total    int64         `json:"total"`
}

type keywordItem struct {
	ID      string `json:"keyword_id"`
	Keyword string `json:"keyword"`
	Rank    *int64 `json:"rank"`
	Won     *int64 `json:"positions_won"`
	Best    *int64 `json:"best_rank"`
	Volume  *int64 `json:"search_volume"`
	Page    string `json:"page"`
}

// choices are what keyword_ranks may show: which keywords, and how they are sorted.
var choices = map[string]struct {
	holds func(keywordItem) bool
	order func(a, b keywordItem) int
}{
	"all":     {func(keywordItem) bool { return true }, byRank},
	"winners": {func(k keywordItem) bool { return k.Won != nil && *k.Won > 0 }, func(a, b keywordItem) int { return cmp.Compare(*b.Won, *a.Won) }},
	"losers":  {func(k keywordItem) bool { return k.Won != nil && *k.Won < 0 }, func(a, b keywordItem) int { return cmp.Compare(*a.Won, *b.Won) }},
	"lost":    {func(k keywordItem) bool { return k.Rank == nil && k.Best != nil }, func(a, b keywordItem) int { return cmp.Compare(*a.Best, *b.Best) }},
}

func byRank(a, b keywordItem) int {
	switch {
	case a.Rank != nil && b.Rank != nil:
		return cmp.Compare(*a.Rank, *b.Rank)
	case a.Rank != nil:
		return -1
	case b.Rank != nil:
		return 1
	}
	return strings.Compare(a.Keyword, b.Keyword)
}

func (t tools) keywordRanks(ctx context.Context, in keywordRanksIn) (keywordRanksOut, string, error) {
	days := lastDays(in.Days)
	out := keywordRanksOut{From: days.From, To: days.To, Keywords: []keywordItem{}}
	choice, known := choices[cmp.Or(in.Show, "all")]
	if !known {
		return out, "", fmt.Errorf("show must be all, winners, losers or lost, not %q", in.Show)
	}
	tracked, err := t.c.Trackings.Keywords(ctx, in.TrackingID)
	if err != nil {
		return out, "", err
	}
	stats, err := t.c.Trackings.Rankings(ctx, in.TrackingID, days)
	if err != nil {
		return out, "", err
	}
	figures := map[string]keyword.KeywordStats{}
	for _, k := range stats.Keywords {
		figures[k.ID] = k
	}
	for _, k := range tracked {
		f := figures[k.ID]
		item := keywordItem{ID: k.ID, Keyword: k.Keyword, Rank: k.Rank, Won: f.RankChange, Best: f.Rank.Best, Volume: k.SearchVolume}
		if k.URL != nil {
			item.Page = *k.URL
		}
		if choice.holds(item) && strings.Contains(strings.ToLower(k.Keyword), strings.ToLower(strings.TrimSpace(in.Contains))) {
			out.Keywords = append(out.Keywords, item)
		}
	}
	slices.SortStableFunc(out.Keywords, choice.order)
	out.Total = int64(len(out.Keywords))
	out.Keywords = first(out.Keywords)
	said := []string{fmt.Sprintf("%s, %s to %s:", counted(len(out.Keywords), out.Total, "keywords"), out.From, out.To)}
	for _, k := range out.Keywords {
		text := fmt.Sprintf("%q: %s", k.Keyword, rank(k.Rank))
		if k.Won != nil {
			text += fmt.Sprintf(" (%+d)", *k.Won)
		}
		if k.Rank == nil && k.Best != nil {
			text += fmt.Sprintf(", best %d", *k.Best)
		}
		said = append(said, text)
	}
	return out, lines(said...), nil
}

// lastDays is the period of so many days until today.
func lastDays(n int) client.Period {
	today := time.Now().UTC()
	return client.Period{From: today.AddDate(0, 0, 1-cmp.Or(n, 30)).Format(time.DateOnly), To: today.Format(time.DateOnly)}
}

type keywordHistoryIn struct {
	TrackingID string `json:"tracking_id" jsonschema:"id of the tracking, from list_trackings"`
	Keyword    string `json:"keyword" jsonschema:"the keyword, by its words or id"`
	Days       int    `json:"days,omitempty" jsonschema:"how many days back, 1 to 400; 90 when empty"`
}

type keywordHistoryOut struct {
	Keyword string      `json:"keyword"`
	Days    []rankOnDay `json:"days"`
	Total   int64       `json:"total"`
	Remarks []remark    `json:"remarks"`
}

type rankOnDay struct {
	Day  string `json:"day"`
	Rank *int64 `json:"rank"`
	Page string `json:"page,omitempty"`
}

type remark struct {
	Day  string `json:"day"`
	Text string `json:"text"`
}

func (t tools) keywordHistory(ctx context.Context, in keywordHistoryIn) (keywordHistoryOut, string, error) {
	out := keywordHistoryOut{Days: []rankOnDay{}, Remarks: []remark{}}
	tracked, err := t.c.Trackings.Keywords(ctx, in.TrackingID)
	if err != nil {
		return out, "", err
	}
	i := slices.IndexFunc(tracked, func(k keyword.TrackedKeyword) bool {
		return k.ID == in.Keyword || strings.EqualFold(k.Keyword, strings.TrimSpace(in.Keyword))
	})
	if i < 0 {
		return out, "", fmt.Errorf("the tracking has no keyword %q; keyword_ranks lists them", in.Keyword)
	}
	days := lastDays(cmp.Or(in.Days, 90))
	detail, err := t.c.Trackings.Keyword(ctx, in.TrackingID, tracked[i].ID, days)
	if err != nil {
		return out, "", err
	}
	stats, err := t.c.Trackings.Rankings(ctx, in.TrackingID, days, tracked[i].ID)
	if err != nil {
		return out, "", err
	}
	out.Keyword, out.Total = detail.Keyword, int64(len(detail.Checks))
	for _, c := range detail.Checks {
		day := rankOnDay{Day: c.Date, Rank: c.Rank}
		if c.URL != nil {
			day.Page = *c.URL
		}
		out.Days = append(out.Days, day)
	}
	slices.SortFunc(out.Days, func(a, b rankOnDay) int { return strings.Compare(b.Day, a.Day) })
	out.Days = out.Days[:min(len(out.Days), maxList)]
	for _, a := range stats.Annotations {
		out.Remarks = append(out.Remarks, remark{a.Date, a.Content.Text})
	}
	out.Remarks = first(out.Remarks)
	said := []string{fmt.Sprintf("%q, newest first, %s:", out.Keyword, counted(len(out.Days), out.Total, "days"))}
	for i, d := range out.Days {
		if i == 0 || rank(d.Rank) != rank(out.Days[i-1].Rank) { // a rank that stays is said once
			said = append(said, d.Day+": "+rank(d.Rank))
		}
	}
	for _, r := range out.Remarks {
		said = append(said, fmt.Sprintf("Remark of %s: %s", r.Day, r.Text))
	}
	return out, lines(said...), nil
}
