package mcp

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/client/maprank"
)

func (t tools) addMaps(s *sdk.Server) {
	add(s, described{name: "list_campaigns", title: "List campaigns", description: "Lists the campaigns, which track where a business ranks in map search around it, with their average position, share of voice and last report. Use it to find the campaign_id that map_ranks and where_do_we_lose need."}, t.listCampaigns)
	add(s, described{name: "map_ranks", title: "Map ranks of a campaign", description: "One campaign's map ranks now and how they changed since the report before, for each keyword, beside the strongest competitors for one keyword, with the average position over the reports. Use it for \"how do we rank on the map\" and \"who are our competitors\"."}, t.mapRanks)
	add(s, described{name: "where_do_we_lose", title: "Where a competitor is ahead", description: "Compares the campaign's business with one competitor for one keyword: the points of the map where the competitor ranks better, with their direction and distance from the centre and since when each has been lost, both businesses' figures in every report, and since when the competitor is ahead on average. Use it for \"where do we lose to X, and since when\"."}, t.whereDoWeLose)
}

type campaignsIn struct {
	Query string `json:"query,omitempty" jsonschema:"part of the campaign's name or of the business's address; all campaigns when empty"`
}

type campaignsOut struct {
	Campaigns []campaignItem `json:"campaigns"`
	Total     int64          `json:"total"`
}

type campaignItem struct {
	ID           string     `json:"campaign_id"`
	Name         string     `json:"name"`
	Business     string     `json:"business"`
	Address      string     `json:"address"`
	Status       string     `json:"status"`
	Keywords     int64      `json:"keywords"`
	Points       int64      `json:"points"`
	Position     *float64   `json:"average_position"`
	ShareOfVoice *float64   `json:"share_of_voice_percent"`
	LastReport   *time.Time `json:"last_report"`
	NextReport   *time.Time `json:"next_report"`
}

func (t tools) listCampaigns(ctx context.Context, in campaignsIn) (campaignsOut, string, error) {
	out := campaignsOut{Campaigns: []campaignItem{}}
	filter := client.CampaignFilter{Query: in.Query}
	var err error
	if out.Total, err = t.c.Campaigns.Count(ctx, filter); err != nil {
		return out, "", err
	}
	said := []string{""}
	for c, err := range t.c.Campaigns.List(ctx, filter) {
		if err != nil {
			return out, "", err
		}
		out.Campaigns = append(out.Campaigns, campaignItem{
			ID: c.ID, Name: c.Name, Business: c.Business.Name, Address: c.Business.Address, Status: c.Status, Keywords: c.KeywordsNumber, Points: c.PointsNumber,
			Position: oneOf(c.ProjectMetrics.AveragePosition), ShareOfVoice: oneOf(c.ProjectMetrics.AverageShareOfVoice), LastReport: c.LastReportDate, NextReport: c.NextReportDate,
		})
		said = append(said, fmt.Sprintf("%s (%s): average position %s, share of voice %s%%", c.Name, c.ID, figure(c.ProjectMetrics.AveragePosition), figure(c.ProjectMetrics.AverageShareOfVoice)))
		if len(out.Campaigns) == shown {
			break
		}
	}
	said[0] = counted(len(out.Campaigns), out.Total, "campaigns") + ":"
	return out, lines(said...), nil
}

type mapRanksIn struct {
	CampaignID string `json:"campaign_id" jsonschema:"id of the campaign, from list_campaigns"`
	Keyword    string `json:"keyword,omitempty" jsonschema:"the keyword whose competitors are listed, by its words or id; the first when empty"`
}

type mapRanksOut struct {
	Campaign    string           `json:"campaign"`
	Business    string           `json:"business"`
	Report      *time.Time       `json:"report"`
	Keywords    []keywordFigures `json:"keywords"`
	Keyword     string           `json:"keyword"`
	Competitors []rivalFigures   `json:"competitors"`
	Rivals      int64            `json:"competitors_total"`
	History     []reportFigures  `json:"history"`
}

type keywordFigures struct {
	Keyword      string   `json:"keyword"`
	Position     *float64 `json:"average_position"`
	Won          *float64 `json:"positions_won_since_last_report"`
	ShareOfVoice *float64 `json:"share_of_voice_percent"`
	Top3         *float64 `json:"top_3_percent_of_points"`
	Found        *float64 `json:"found_percent_of_points"`
}

type rivalFigures struct {
	Name         string   `json:"name"`
	Us           bool     `json:"us"`
	Position     float64  `json:"average_position"`
	Won          *float64 `json:"positions_won_since_last_report"`
	ShareOfVoice float64  `json:"share_of_voice_percent"`
	Rating       *float64 `json:"rating"`
	Reviews      *int64   `json:"reviews"`
}

type reportFigures struct {
	Date         time.Time `json:"date"`
	Position     float64   `json:"average_position"`
	ShareOfVoice float64   `json:"share_of_voice_percent"`
}

func (t tools) mapRanks(ctx context.Context, in mapRanksIn) (mapRanksOut, string, error) {
	v, err := t.view(ctx, in.CampaignID, in.Keyword)
	if err != nil {
		return mapRanksOut{}, "", err
	}
	out := mapRanksOut{
		Campaign: v.Campaign.Name, Business: v.Business.Name, Report: v.ReportDate, Keywords: []keywordFigures{}, Keyword: v.Keyword.Name,
		Competitors: []rivalFigures{}, Rivals: max(0, v.CompetitorsTotal-1), History: history(v),
	}
	if v.ReportDate == nil {
		return out, fmt.Sprintf("%s has no report yet.", v.Campaign.Name), nil
	}
	said := []string{fmt.Sprintf("%s, report of %s:", v.Campaign.Name, day(*v.ReportDate))}
	for _, k := range first(v.Keywords) {
		out.Keywords = append(out.Keywords, keywordFigures{k.Keyword.Name, oneOf(k.AveragePosition), oneOf(k.AveragePositionDiff), oneOf(k.ShareOfVoice), oneOf(k.Top3Share), oneOf(k.FoundShare)})
		said = append(said, fmt.Sprintf("%q: average position %s (%s), share of voice %s%%", k.Keyword.Name, figure(k.AveragePosition), change(k.AveragePositionDiff), figure(k.ShareOfVoice)))
	}
	if len(v.Keywords) > shown {
		said = append(said, counted(shown, int64(len(v.Keywords)), "keywords"))
	}
	said = append(said, fmt.Sprintf("Businesses for %q, by average position:", v.Keyword.Name))
	for _, b := range v.Competitors {
		if len(out.Competitors) >= 10 && !b.Own {
			continue
		}
		out.Competitors = append(out.Competitors, rivalFigures{b.Business.Name, b.Own, one(b.AveragePosition), oneOf(b.AveragePositionDiff), one(b.ShareOfVoice), b.Business.Rating, b.Business.ReviewNumber})
		said = append(said, fmt.Sprintf("%s%s: %.1f (%s)", b.Business.Name, map[bool]string{true: " (us)"}[b.Own], b.AveragePosition, change(b.AveragePositionDiff)))
	}
	return out, lines(said...), nil
}

func history(v maprank.CampaignView) []reportFigures {
	all := []reportFigures{}
	for _, r := range v.Reports[max(0, len(v.Reports)-shown):] {
		all = append(all, reportFigures{r.Date, one(r.AveragePosition), one(r.ShareOfVoice)})
	}
	return all
}

// view reads a campaign for a keyword, which may be named.
func (t tools) view(ctx context.Context, campaignID, keyword string) (maprank.CampaignView, error) {
	v, err := t.c.Campaigns.View(ctx, campaignID, client.Look{})
	if err != nil || keyword == "" {
		return v, err
	}
	var names []string
	for _, k := range v.Keywords {
		if k.Keyword.ID == keyword || strings.EqualFold(k.Keyword.Name, strings.TrimSpace(keyword)) {
			if k.Keyword.ID == v.Keyword.ID {
				return v, nil
			}
			return t.c.Campaigns.View(ctx, campaignID, client.Look{KeywordID: k.Keyword.ID})
		}
		names = append(names, fmt.Sprintf("%q", k.Keyword.Name))
	}
	return v, fmt.Errorf("the campaign has no keyword %q; it has %s", keyword, strings.Join(first(names), ", "))
}

type loseIn struct {
	CampaignID string `json:"campaign_id" jsonschema:"id of the campaign, from list_campaigns"`
	Competitor string `json:"competitor,omitempty" jsonschema:"the competitor's name, or part of it; the strongest one that is ahead when empty"`
	Keyword    string `json:"keyword,omitempty" jsonschema:"the keyword, by its words or id; the first when empty"`
}

type loseOut struct {
	Campaign   string       `json:"campaign"`
	Us         string       `json:"us"`
	Competitor string       `json:"competitor"`
	Keyword    string       `json:"keyword"`
	Report     *time.Time   `json:"report"`
	Points     []lostPoint  `json:"points_where_they_are_ahead"`
	Ahead      int64        `json:"points_where_they_are_ahead_total"`
	Compared   int64        `json:"points_compared"`
	LostSince  []lostSince  `json:"points_lost_since" jsonschema:"how many of these points have been lost without a break since which report, the longest first"`
	Reports    []faceToFace `json:"reports"`
	Since      *time.Time   `json:"ahead_since"`
	Always     bool         `json:"ahead_in_every_report"`
}

type lostPoint struct {
	Direction string  `json:"direction"`
	Km        float64 `json:"km_from_centre"`
	Lat       float64 `json:"lat"`
	Lng       float64 `json:"lng"`
	Us        int     `json:"us"`
	Them      int     `json:"them"`
	lead
}

// lead is since when they have been ahead at a point without a break.
type lead struct {
	Since     time.Time `json:"since" jsonschema:"the report since which they have been ahead there without a break"`
	OrEarlier bool      `json:"or_earlier" jsonschema:"whether that is the first report at hand that looked there, so that it may have begun before"`
}

func (l lead) String() string {
	if l.OrEarlier {
		return "since " + day(l.Since) + " or earlier"
	}
	return "since " + day(l.Since)
}

type lostSince struct {
	Points int `json:"points"`
	lead
}

type faceToFace struct {
	Date time.Time `json:"date"`
	Us   float64   `json:"us_average_position"`
	Them float64   `json:"them_average_position"`
}

func (t tools) whereDoWeLose(ctx context.Context, in loseIn) (loseOut, string, error) {
	us, err := t.view(ctx, in.CampaignID, in.Keyword)
	if err != nil {
		return loseOut{}, "", err
	}
	if us.ReportDate == nil {
		return loseOut{}, "", fmt.Errorf("%s has no report yet; collect one first", us.Campaign.Name)
	}
	rival, err := findRival(us, in.Competitor)
	if err != nil {
		return loseOut{}, "", err
	}
	at := client.Look{KeywordID: us.Keyword.ID, ReportDate: *us.ReportDate, CID: rival.CID}
	if rival.CID == "" {
		at.PlaceIDs = rival.PlaceIDs
	}
	them, err := t.c.Campaigns.View(ctx, in.CampaignID, at)
	if err != nil {
		return loseOut{}, "", err
	}
	out := compare(us, them)
	return out, out.words(), nil
}

// findRival finds a competitor by its name, or the strongest one that is ahead.
func findRival(v maprank.CampaignView, name string) (maprank.Business, error) {
	var names []string
	for _, b := range v.Competitors { // the best first
		switch {
		case b.Own && name == "":
			return maprank.Business{}, fmt.Errorf("no competitor is ahead for %q on average; name one to compare with", v.Keyword.Name)
		case b.Own:
		case name == "", strings.Contains(strings.ToLower(b.Business.Name), strings.ToLower(strings.TrimSpace(name))), b.Business.CID == name:
			return b.Business, nil
		default:
			names = append(names, b.Business.Name)
		}
	}
	return maprank.Business{}, fmt.Errorf("no competitor %q is among the first for %q; there are %s", name, v.Keyword.Name, strings.Join(first(names), ", "))
}

// compare puts two businesses side by side, at the points of the last report and over all reports.
func compare(us, them maprank.CampaignView) loseOut {
	out := loseOut{
		Campaign: us.Campaign.Name, Us: us.Business.Name, Competitor: them.Business.Name, Keyword: us.Keyword.Name, Report: us.ReportDate,
		Points: []lostPoint{}, LostSince: []lostSince{}, Reports: []faceToFace{},
	}
	history := leads{}
	theirs := map[time.Time]maprank.ReportFigures{}
	for _, r := range them.Reports {
		theirs[r.Date] = r
	}
	for _, r := range us.Reports {
		other, both := theirs[r.Date]
		if !both {
			continue
		}
		out.Reports = append(out.Reports, faceToFace{r.Date, one(r.AveragePosition), one(other.AveragePosition)})
		points := us.PointSets[r.PointSet]
		history.add(points, r, other)
		if r.Date.Equal(*us.ReportDate) {
			out.losses(us, points, r, other, history)
		}
		switch {
		case other.AveragePosition >= r.AveragePosition:
			out.Since = nil
		case out.Since == nil:
			out.Since = &r.Date
		}
	}
	out.Always = out.Since != nil && len(out.Reports) > 0 && out.Since.Equal(out.Reports[0].Date)
	out.Reports = out.Reports[max(0, len(out.Reports)-shown):]
	return out
}

// leads is where they are ahead after some reports: by point, nil where they were looked at and are not. A report that knows nothing
// of a point breaks nothing.
type leads map[spot]*lead

// spot is where a point is, to a metre: grids change, and their points have new ids then.
type spot struct{ lat, lng float64 }

func spotOf(p maprank.ViewPoint) spot {
	return spot{math.Round(p.Coordinates.Lat * 1e5), math.Round(p.Coordinates.Lng * 1e5)}
}

func (l leads) add(points []maprank.ViewPoint, us, them maprank.ReportFigures) {
	for i, p := range points {
		at := spotOf(p)
		held, lookedAt := l[at]
		switch {
		case !bothKnown(i, us, them):
		case *them.Positions[i] >= *us.Positions[i]:
			l[at] = nil
		case held == nil:
			l[at] = &lead{us.Date, !lookedAt}
		}
	}
}

// bothKnown tells whether a point of a report was searched for both.
func bothKnown(i int, us, them maprank.ReportFigures) bool {
	return i < len(us.Positions) && i < len(them.Positions) && us.Positions[i] != nil && them.Positions[i] != nil
}

// losses finds the points of a report where they are ahead, those first where most is lost, and since when.
func (out *loseOut) losses(v maprank.CampaignView, points []maprank.ViewPoint, us, them maprank.ReportFigures, history leads) {
	centre := v.Campaign.Business.Coordinates
	if v.Campaign.GridSettings != nil {
		centre = v.Campaign.GridSettings.BasePoint
	}
	since := map[lead]int{}
	for i, p := range points {
		if !bothKnown(i, us, them) {
			continue
		}
		out.Compared++
		if *them.Positions[i] < *us.Positions[i] {
			km, direction := from(centre, p.Coordinates)
			held := *history[spotOf(p)]
			out.Points = append(out.Points, lostPoint{direction, km, p.Coordinates.Lat, p.Coordinates.Lng, *us.Positions[i], *them.Positions[i], held})
			since[held]++
		}
	}
	out.Ahead = int64(len(out.Points))
	for held, count := range since {
		out.LostSince = append(out.LostSince, lostSince{count, held})
	}
	slices.SortFunc(out.LostSince, func(a, b lostSince) int {
		return cmp.Or(a.Since.Compare(b.Since), b.Points-a.Points)
	})
	out.LostSince = first(out.LostSince)
	slices.SortStableFunc(out.Points, func(a, b lostPoint) int { return (b.Us - b.Them) - (a.Us - a.Them) })
	out.Points = first(out.Points)
}

func (out *loseOut) words() string {
	ahead := fmt.Sprintf("%q, report of %s: %s is ahead of %s at %d of %d points", out.Keyword, day(*out.Report), out.Competitor, out.Us, out.Ahead, out.Compared)
	for i, group := range out.LostSince {
		ahead += fmt.Sprintf("%s at %d %s", map[bool]string{true: ":", false: ","}[i == 0], group.Points, group.lead)
	}
	said := []string{ahead + "."}
	switch {
	case out.Always:
		said = append(said, "On average they have been ahead in every report.")
	case out.Since != nil:
		said = append(said, fmt.Sprintf("On average they have been ahead since the report of %s.", day(*out.Since)))
	default:
		said = append(said, "On average they are not ahead.")
	}
	for _, p := range out.Points[:min(10, len(out.Points))] {
		said = append(said, fmt.Sprintf("%.1f km %s: they %s, we %s, %s", p.Km, p.Direction, place(p.Them), place(p.Us), p.lead))
	}
	if len(out.Points) > 10 {
		said = append(said, counted(10, out.Ahead, "points"))
	}
	return lines(said...)
}

// day writes the day of a report.
func day(at time.Time) string { return at.Format("2 January 2006") }

// place writes a rank on the map.
func place(rank int) string {
	if rank > 20 {
		return "beyond 20"
	}
	return fmt.Sprint(rank)
}
