package cli

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/provider/webindex"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// The demo's web and the history of its ranks.
const (
	demoSitesOfMarket = 250 // businesses of the market that the web knows of, beside the story's
	demoDays          = 365
	demoDepth         = 100
	demoLocation      = 4191124 // Decatur, Georgia
)

// demoTracking is tracked in the demo: the site of a shop of the story, or of the business that has a rank for the
// first keyword.
type demoTracking struct {
	domain   string
	rank     int
	days     int // of history
	keywords []demoKeyword
	remarks  map[int]string // by days ago
}

func demoTrackings() []demoTracking {
	return []demoTracking{
		{domain: demoDelis[0].site, days: 90, keywords: deliKeywords(), remarks: map[int]string{
			78: "New menu, with a page for every dish",
			54: "Began to ask guests for a review with the bill",
			41: "Osterwick Deli failed its health inspection; the paper wrote about it",
			33: "Local paper: the best pastrami in Decatur",
			12: "Catering page rewritten",
		}},
		{rank: 4, days: demoDays, keywords: []demoKeyword{
			{"pizza decatur", 2900, ""},
			{"pizza delivery decatur", 1300, ""},
			{"best pizza in decatur", 880, ""},
			{"wood fired pizza", 590, ""},
			{"gluten free pizza decatur", 170, ""},
			{"pizza by the slice", 320, ""},
			{"pizza catering decatur", 90, ""},
			{"pizza places near me", 5400, ""},
		}},
		{rank: 6, days: demoDays, keywords: []demoKeyword{
			{"dentist decatur", 1900, ""},
			{"emergency dentist decatur", 320, ""},
			{"teeth whitening decatur", 210, ""},
			{"dental implants decatur", 260, ""},
			{"childrens dentist", 480, ""},
			{"dentist near me", 8100, ""},
		}},
	}
}

// tagColours are of the tags in the order in which keywords first have them.
var tagColours = []string{"#0f766e", "#b45309", "#6d28d9", "#1d4ed8"}

// demoWeb makes the invented web of the demo's market, and trackings with up to a year of history, once.
// It returns the path of a result page to try.
func demoWeb(ctx context.Context, a *app.App, c created) (string, error) {
	trackings := demoTrackings()
	page := fmt.Sprintf("%s/serpcheck/serps?%s", research.Prefix, url.Values{"kw": {trackings[0].keywords[0].text}, "location_id": {fmt.Sprint(demoLocation)}}.Encode())
	known, err := a.RankWatch.Targets(ctx, c.AccountID)
	if err != nil || len(known) > 0 {
		return page, err
	}
	web := webindex.NewWeb(demoSeed, demoSites(placeindex.NewMarket(demoSeed, demoTownSize)))
	if err := publishWeb(ctx, a, web, trackings); err != nil {
		return page, err
	}
	api := demoAPI{a.Server(version()).Handler(), c.APIKey}
	today, err := web.Index(demoDays)
	if err != nil {
		return page, err
	}
	var watched []demoWatch
	for _, t := range slices.Backward(trackings) { // lists show the newest first
		w, err := api.track(ctx, a, today, t)
		if err != nil {
			return page, err
		}
		watched = append(watched, w)
	}
	return page, recordRanks(ctx, a, web, c.AccountID, watched)
}

// publishWeb imports the web as it is today: its pages, the standing of its domains, and how often
// people search.
func publishWeb(ctx context.Context, a *app.App, web *webindex.Web, trackings []demoTracking) error {
	pages := web.Pages(demoDays / 7)
	if _, err := a.Pages.Import(ctx, func(yield func(webindex.Page) error) error {
		for _, p := range pages {
			if err := yield(p); err != nil {
				return err
			}
		}
		return nil
	}, nil); err != nil {
		return err
	}
	standing := web.Prior(demoDays)
	var ranks, figures bytes.Buffer
	domains := map[string]bool{}
	for _, p := range pages {
		if domain := webtarget.Domain(p.URL); !domains[domain] {
			domains[domain] = true
			fmt.Fprintf(&ranks, "%d,%s\n", rankOfStanding(standing(domain)), domain)
		}
	}
	fmt.Fprintln(&figures, "Keyword,Avg. monthly searches")
	for _, t := range trackings {
		for _, k := range t.keywords {
			fmt.Fprintf(&figures, "%s,%d\n", k.text, k.volume)
		}
	}
	refuse := func(line int, reason string) { a.Log.Error("demo web", "line", line, "reason", reason) }
	if _, err := a.Research.ImportDomains(ctx, &ranks, "demo", nil, refuse); err != nil {
		return err
	}
	_, err := a.Research.ImportKeywords(ctx, &figures, research.KeywordFile{LocationID: demoLocation, Source: "demo"}, nil, refuse)
	return err
}

// rankOfStanding is the place in a list of domains that gives this standing, the reverse of
// research.AuthorityOfRank.
func rankOfStanding(standing float64) int64 {
	return max(1, int64(math.Round(math.Pow(10, 7*(1-standing)))))
}

// demoWatch is a tracking whose past is to be made.
type demoWatch struct {
	target   webtarget.Target
	days     int
	ids      []string
	keywords []string
}

// track starts to track a site, with tags and remarks.
func (api demoAPI) track(ctx context.Context, a *app.App, today *webindex.Index, t demoTracking) (demoWatch, error) {
	w := demoWatch{days: t.days}
	if t.domain == "" {
		sites := slices.DeleteFunc(searchDemo(today, t.keywords[0].text), func(r webindex.Result) bool { return !strings.HasSuffix(r.URL, ".example/") })
		if len(sites) == 0 {
			return w, fmt.Errorf("the demo's web has nothing on %s", t.keywords[0].text)
		}
		t.domain = sites[min(t.rank, len(sites))-1].Domain
	}
	var err error
	if w.target, err = webtarget.Parse(t.domain); err != nil {
		return w, err
	}
	names := make([]string, len(t.keywords))
	tagOf := map[string]string{}
	for i, k := range t.keywords {
		names[i], tagOf[k.text] = k.text, k.tag
	}
	var made struct {
		Tracking struct {
			ID string `json:"_id"`
		} `json:"tracking"`
		Keywords []struct {
			ID   string `json:"_id"`
			Text string `json:"kw"`
		} `json:"keywords"`
	}
	const trackings = rankwatch.Prefix + "/rankwatch/trackings"
	if err := api.post(ctx, trackings, map[string]any{
		"domain": w.target.String(), "location_id": demoLocation, "platform_id": serp.Desktop, "keywords": names,
	}, &made); err != nil {
		return w, err
	}
	tagged := map[string][]string{}
	for _, k := range made.Keywords {
		w.ids, w.keywords = append(w.ids, k.ID), append(w.keywords, k.Text)
		if tag := tagOf[k.Text]; tag != "" {
			tagged[tag] = append(tagged[tag], k.ID)
		}
	}
	own := trackings + "/" + made.Tracking.ID
	for i, name := range slices.Sorted(maps.Keys(tagged)) {
		var tag struct {
			ID string `json:"_id"`
		}
		if err := api.post(ctx, own+"/tags", map[string]any{"name": name, "color": tagColours[i%len(tagColours)]}, &tag); err != nil {
			return w, err
		}
		if err := api.post(ctx, own+"/tags/assign", map[string]any{"keyword_ids": tagged[name], "tag_ids": []string{tag.ID}}, nil); err != nil {
			return w, err
		}
	}
	for ago, text := range t.remarks {
		day := a.Clock.Now().UTC().AddDate(0, 0, -ago).Format(time.DateOnly)
		if err := api.post(ctx, own+"/annotations", map[string]any{"date": day, "text": text}, nil); err != nil {
			return w, err
		}
	}
	return w, nil
}

func searchDemo(x *webindex.Index, keyword string) []webindex.Result {
	return x.Search(webindex.Query{Words: keyword, Country: "us", Place: "Decatur,Georgia,United States", Limit: demoDepth})
}

// recordRanks asks the web of every day of the last year, weeks side by side, and keeps what it answered.
func recordRanks(ctx context.Context, a *app.App, web *webindex.Web, accountID string, watched []demoWatch) error {
	var past []rankwatch.PastChecks
	for _, w := range watched {
		for _, id := range w.ids {
			past = append(past, rankwatch.PastChecks{KeywordID: id, Checks: make([]rankwatch.PastCheck, demoDays)})
		}
	}
	today := series.DayOf(a.Clock.Now())
	weeks, _ := errgroup.WithContext(ctx)
	weeks.SetLimit(runtime.GOMAXPROCS(0))
	for first := 0; first < demoDays; first += 7 {
		weeks.Go(func() error {
			index, err := web.Index(first)
			if err != nil {
				return err
			}
			for day := first; day < min(first+7, demoDays) && ctx.Err() == nil; day++ {
				index = index.WithPrior(web.Prior(day))
				at := 0
				for _, w := range watched {
					for _, keyword := range w.keywords {
						if demoDays-day <= w.days {
							past[at].Checks[day] = checkDemo(searchDemo(index, keyword), w.target, today-series.Day(demoDays-day))
						}
						at++
					}
				}
			}
			return ctx.Err()
		})
	}
	if err := weeks.Wait(); err != nil {
		return err
	}
	at := 0
	for _, w := range watched {
		for range w.ids {
			past[at].Checks = past[at].Checks[demoDays-w.days:]
			at++
		}
	}
	return a.RankWatch.ImportHistory(ctx, accountID, past)
}

// checkDemo finds a target among the results of a day.
func checkDemo(results []webindex.Result, target webtarget.Target, day series.Day) rankwatch.PastCheck {
	check := rankwatch.PastCheck{Day: day}
	for i, r := range results {
		if !target.Match(r.URL) {
			continue
		}
		if check.Rank > 0 {
			check.MoreURL = true
			break
		}
		check.Rank, check.URL = uint16(i+1), r.URL
	}
	return check
}
