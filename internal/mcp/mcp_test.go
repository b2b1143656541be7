package mcp_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

const london = 2643743

var (
	market    = providertest.Market(providertest.Decatur, 60)
	us, rival = market[0], market[1]
	weeks     = []time.Time{daysAgo(21), daysAgo(14), daysAgo(7)}
)

func daysAgo(n int) time.Time { return time.Now().UTC().Truncate(time.Second).AddDate(0, 0, -n) }

// farEast is between the last two columns of the campaign's grid, in degrees from the middle.
const farEast = 0.012

// seeded is an account with a campaign in which the rival has the far east from the first report on, the middle and the east from the
// second and the point in the middle from the third, and a tracking of which one
// keyword won, one lost, and one is not found any more.
type seeded struct{ campaign, tracking string }

func seed(t *testing.T, p *apptest.Program) seeded {
	t.Helper()
	campaign := p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: map[string]any{
		"placeId": us.PlaceID, "keywords": []string{"pizza", "pasta"}, "name": "Decatur",
	}}).Want(t, 200).Text("data.id")
	for week, date := range weeks {
		err := p.MapRank.ImportReport(t.Context(), campaign, date, func(_ string, at grid.Coordinates) []provider.Business {
			east := at.Lng - us.Lng
			middle := math.Abs(east) < 1e-6 && math.Abs(at.Lat-us.Lat) < 1e-6
			if east > farEast || week > 0 && east > -1e-6 && (week != 1 || !middle) {
				return []provider.Business{rival, us}
			}
			return []provider.Business{us, rival}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	ranks := map[string][2]uint16{"deli": {3, 8}, "bagel": {9, 2}, "pie": {5, 0}} // 20 days ago, yesterday
	keywords := []string{"deli", "bagel", "pie"}
	for i := range 60 {
		keywords = append(keywords, fmt.Sprintf("sandwich %d", i))
	}
	made := p.Do(t, apptest.Call{Method: "POST", Path: rankwatch.Prefix + "/rankwatch/trackings", Body: map[string]any{
		"domain": "deli.example", "location_id": london, "platform_id": 1, "keywords": keywords,
	}}).Want(t, 201)
	var past []rankwatch.PastChecks
	for i := range 3 {
		checks := rankwatch.PastChecks{KeywordID: made.Text(fmt.Sprintf("keywords.%d._id", i))}
		for j, days := range []int{20, 1} {
			seen := series.Observation{Rank: ranks[made.Text(fmt.Sprintf("keywords.%d.kw", i))][j]}
			checks.Checks = append(checks.Checks, rankwatch.PastCheck{Day: series.DayOf(daysAgo(days)), Observation: seen})
		}
		past = append(past, checks)
	}
	if err := p.RankWatch.ImportHistory(t.Context(), p.Owner.ID, past); err != nil {
		t.Fatal(err)
	}
	return seeded{campaign, made.Text("tracking._id")}
}

func start(t *testing.T) (*apptest.Program, seeded) {
	t.Helper()
	p := apptest.Start(t, dbtest.SQLite(t), func(s *apptest.Setup) {
		s.NoWorker = true
		s.Options.Web = &providertest.Scripted{Title: "Web"}
		s.Options.Map.Provider = &providertest.Scripted{Place: providertest.Known(market), Map: providertest.NearestFirst(market)}
	})
	return p, seed(t, p)
}

// bearer sends a key with every request.
type bearer string

func (key bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(key))
	return http.DefaultTransport.RoundTrip(r)
}

func overHTTP(p *apptest.Program, key string) sdk.Transport {
	return &sdk.StreamableClientTransport{Endpoint: p.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer(key)}, MaxRetries: -1}
}

func overStdio(t *testing.T, p *apptest.Program, key string) sdk.Transport {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), apptest.Binary(t), "mcp", "--server", p.URL)
	cmd.Env = append(os.Environ(), "TRIGPOINT_KEY="+key)
	return &sdk.CommandTransport{Command: cmd}
}

type assistant struct {
	*sdk.ClientSession
	t *testing.T
}

func connect(t *testing.T, over sdk.Transport) assistant {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), over, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return assistant{session, t}
}

// ask calls a tool and returns what it says; the rest goes into out.
func (a assistant) ask(tool string, args map[string]any, out any) string {
	a.t.Helper()
	result, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	said := result.Content[0].(*sdk.TextContent).Text
	if (out == nil) != result.IsError {
		a.t.Fatalf("%s said %s", tool, said)
	}
	if out != nil {
		structured, _ := json.Marshal(result.StructuredContent)
		if err := json.Unmarshal(structured, out); err != nil {
			a.t.Fatalf("%s answered %s: %v", tool, structured, err)
		}
	}
	return said
}

func (a assistant) tools() (names []string) {
	a.t.Helper()
	list, err := a.ListTools(a.t.Context(), nil)
	if err != nil {
		a.t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Title == "" || tool.Description == "" || tool.OutputSchema == nil {
			a.t.Errorf("%s is not described", tool.Name)
		}
		if tool.Annotations.ReadOnlyHint {
			names = append(names, tool.Name)
		} else {
			names = append(names, tool.Name+"!")
		}
	}
	slices.Sort(names)
	return names
}

var readers = []string{"keyword_history", "keyword_ranks", "list_campaigns", "list_trackings", "locations", "map_ranks", "usage", "what_changed", "where_do_we_lose"}

// TestQuestions asks what people ask, over both transports.
func TestQuestions(t *testing.T) {
	t.Parallel()
	p, ids := start(t)
	for _, credential := range []string{"", "Bearer tpk_wrong"} {
		refused := p.Do(t, apptest.Call{Method: "POST", Path: "/mcp", Body: map[string]any{}, Header: http.Header{"Authorization": {credential}}}).Want(t, 401)
		if got := refused.Header.Get("WWW-Authenticate"); !strings.HasPrefix(got, "Bearer ") {
			t.Errorf("%q is answered with the challenge %q", credential, got)
		}
	}
	p.Do(t, apptest.Call{Method: "POST", Path: "/mcp", Body: map[string]any{}, Header: http.Header{"Authorization": {"Bearer " + p.Owner.Key}, "Origin": {"https://evil.example"}}}).Want(t, 403)
	for name, over := range map[string]sdk.Transport{"http": overHTTP(p, p.Owner.Key), "stdio": overStdio(t, p, p.Owner.Key)} {
		t.Run(name, func(t *testing.T) {
			a := connect(t, over)
			want := append([]string{"annotate!", "collect_report!", "track_keywords!"}, readers...)
			slices.Sort(want)
			if got := a.tools(); !slices.Equal(got, want) {
				t.Errorf("the tools are %v", got)
			}
			askMaps(t, a, ids)
			askKeywords(t, a, ids)
			var answer map[string]any
			for _, tool := range []string{"what_changed", "usage", "locations"} {
				if said := a.ask(tool, nil, &answer); said == "" {
					t.Errorf("%s says nothing", tool)
				}
			}
		})
	}
}

func askMaps(t *testing.T, a assistant, ids seeded) {
	t.Helper()
	var campaigns struct {
		Campaigns []struct {
			ID string `json:"campaign_id"`
		} `json:"campaigns"`
	}
	if a.ask("list_campaigns", map[string]any{"query": "decatur"}, &campaigns); len(campaigns.Campaigns) != 1 || campaigns.Campaigns[0].ID != ids.campaign {
		t.Errorf("the campaigns are %+v", campaigns)
	}
	var ranks struct {
		Keywords []struct {
			Position, Won float64
		} `json:"keywords"`
		Competitors []struct {
			Name string `json:"name"`
			Us   bool   `json:"us"`
		} `json:"competitors"`
		History []any `json:"history"`
	}
	said := a.ask("map_ranks", map[string]any{"campaign_id": ids.campaign, "keyword": "PASTA"}, &ranks)
	if len(ranks.Keywords) != 2 || len(ranks.Competitors) != 2 || ranks.Competitors[0].Name != rival.Name || !ranks.Competitors[1].Us || len(ranks.History) != 3 {
		t.Errorf("the map ranks are %+v", ranks)
	}
	if strings.Contains(said, "(0.0") {
		t.Errorf("the map ranks are told as %q", said)
	}
	var lost struct {
		Points []struct {
			Direction string `json:"direction"`
		} `json:"points_where_they_are_ahead"`
		Ahead     int `json:"points_where_they_are_ahead_total"`
		Compared  int `json:"points_compared"`
		LostSince []struct {
			Points    int       `json:"points"`
			Since     time.Time `json:"since"`
			OrEarlier bool      `json:"or_earlier"`
		} `json:"points_lost_since"`
		Since   time.Time `json:"ahead_since"`
		Always  bool      `json:"ahead_in_every_report"`
		Reports []any     `json:"reports"`
	}
	said = a.ask("where_do_we_lose", map[string]any{"campaign_id": ids.campaign, "competitor": rival.Name[:5]}, &lost)
	if lost.Ahead != 15 || lost.Compared != 25 || !lost.Since.Equal(weeks[1]) || lost.Always || len(lost.Reports) != 3 {
		t.Errorf("we lose %+v", lost)
	}
	for _, point := range lost.Points {
		if strings.Contains(point.Direction, "west") {
			t.Errorf("we lose in the %s", point.Direction)
		}
	}
	for i, points := range []int{5, 9, 1} {
		if group := lost.LostSince[i]; group.Points != points || !group.Since.Equal(weeks[i]) || group.OrEarlier != (i == 0) {
			t.Errorf("lost since are %+v", lost.LostSince)
		}
	}
	var days [3]string
	for i, week := range weeks {
		days[i] = week.Format("2 January 2006")
	}
	if want := fmt.Sprintf("15 of 25 points: at 5 since %s or earlier, at 9 since %s, at 1 since %s.\nOn average they have been ahead since the report of %s.", days[0], days[1], days[2], days[1]); !strings.Contains(said, want) {
		t.Errorf("it says %q, want %q", said, want)
	}
	if said := a.ask("where_do_we_lose", map[string]any{"campaign_id": ids.campaign, "competitor": "Nobody"}, nil); !strings.Contains(said, rival.Name) {
		t.Errorf("an unknown competitor is told as %q", said)
	}
	if said := a.ask("map_ranks", map[string]any{"campaign_id": strings.Repeat("x", 300)}, nil); !strings.Contains(said, "campaign_id") {
		t.Errorf("an id that is too long is told as %q", said)
	}
}

func askKeywords(t *testing.T, a assistant, ids seeded) {
	t.Helper()
	var ranks struct {
		Keywords []struct {
			Keyword string `json:"keyword"`
		} `json:"keywords"`
	}
	for show, want := range map[string]string{"winners": "bagel", "losers": "pie deli", "lost": "pie"} {
		a.ask("keyword_ranks", map[string]any{"tracking_id": ids.tracking, "show": show}, &ranks)
		var got []string
		for _, k := range ranks.Keywords {
			got = append(got, k.Keyword)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s are %q", show, got)
		}
	}
	if said := a.ask("keyword_ranks", map[string]any{"tracking_id": ids.tracking}, &ranks); !strings.HasPrefix(said, "first 50 of 63 keywords") {
		t.Errorf("all keywords are told as %.80q", said)
	}
	if said := a.ask("keyword_ranks", map[string]any{"tracking_id": ids.tracking, "show": "few"}, nil); !strings.Contains(said, "winners") {
		t.Errorf("an unknown choice is told as %q", said)
	}
	var trackings struct {
		Trackings []struct {
			ID string `json:"tracking_id"`
		} `json:"trackings"`
	}
	if a.ask("list_trackings", nil, &trackings); len(trackings.Trackings) != 1 || trackings.Trackings[0].ID != ids.tracking {
		t.Errorf("the trackings are %+v", trackings)
	}
	var history struct {
		Days []struct {
			Rank *int `json:"rank"`
		} `json:"days"`
	}
	if said := a.ask("keyword_history", map[string]any{"tracking_id": ids.tracking, "keyword": "Pie"}, &history); len(history.Days) != 2 || history.Days[0].Rank != nil || *history.Days[1].Rank != 5 || !strings.Contains(said, "not found") {
		t.Errorf("the history is %+v, told as %q", history, said)
	}
}

// TestChanges orders a report only when its cost is agreed to, and writes for keys that may.
func TestChanges(t *testing.T) {
	t.Parallel()
	p, ids := start(t)
	a := connect(t, overHTTP(p, p.Owner.Key))
	var order struct {
		Cost    int  `json:"cost_in_credits"`
		Ordered bool `json:"ordered"`
	}
	if said := a.ask("collect_report", map[string]any{"campaign_id": ids.campaign}, &order); order.Ordered || order.Cost != 50 || !strings.Contains(said, "50 credits") {
		t.Errorf("the cost is told as %q", said)
	}
	if a.ask("collect_report", map[string]any{"campaign_id": ids.campaign, "confirm": true}, &order); !order.Ordered {
		t.Error("nothing was ordered")
	}
	if said := a.ask("collect_report", map[string]any{"campaign_id": ids.campaign, "confirm": true}, nil); said == "" {
		t.Error("a second order is not refused with a sentence")
	}
	var answer map[string]any
	if a.ask("track_keywords", map[string]any{"tracking_id": ids.tracking, "keywords": []string{"soup", "deli"}}, &answer); answer["keywords_tracked"] != 64.0 {
		t.Errorf("tracked are %v", answer)
	}
	a.ask("annotate", map[string]any{"tracking_id": ids.tracking, "text": "A new website."}, &answer)
	if said := a.ask("keyword_history", map[string]any{"tracking_id": ids.tracking, "keyword": "deli"}, &answer); !strings.Contains(said, "A new website.") {
		t.Errorf("the history is told as %q", said)
	}

	key, _, err := p.Accounts.Issue(t.Context(), p.Owner.ID, account.Issue{Kind: account.Key, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, over := range map[string]sdk.Transport{"http": overHTTP(p, key), "stdio": overStdio(t, p, key)} {
		if got := connect(t, over).tools(); !slices.Equal(got, readers) {
			t.Errorf("over %s a read-only key has the tools %v", name, got)
		}
	}
	for name, over := range map[string]sdk.Transport{"http": overHTTP(p, "tpk_wrong"), "stdio": overStdio(t, p, "tpk_wrong")} {
		if session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), over, nil); err == nil {
			_ = session.Close()
			t.Errorf("over %s a wrong key is let in", name)
		}
	}
}
