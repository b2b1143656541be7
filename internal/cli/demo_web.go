package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

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
	demoSites    = 250 // businesses of the market that the web knows of
	demoDays     = 365
	demoDepth    = 100
	demoLocation = 4191124 // Decatur, Georgia
)

// demoTrackings are tracked in the demo: a business that ranks somewhere for the first keyword. The
// figures are searches a month, invented as everything is.
var demoTrackings = []struct {
	rank     int
	keywords []demoKeyword
}{
	{4, []demoKeyword{
		{"pizza decatur", 2900},
		{"pizza delivery decatur", 1300},
		{"best pizza in decatur", 880},
		{"wood fired pizza", 590},
		{"gluten free pizza decatur", 170},
		{"pizza by the slice", 320},
		{"pizza catering decatur", 90},
		{"pizza places near me", 5400},
	}},
	{6, []demoKeyword{
		{"dentist decatur", 1900},
		{"emergency dentist decatur", 320},
		{"teeth whitening decatur", 210},
		{"dental implants decatur", 260},
		{"childrens dentist", 480},
		{"dentist near me", 8100},
	}},
}

type demoKeyword struct {
	text   string
	volume int
}

// demoWeb makes the invented web of the demo's market, and two trackings with a year of history, once.
// It returns the path of a result page to try.
func demoWeb(ctx context.Context, a *app.App, c created) (string, error) {
	first := demoTrackings[0].keywords[0].text
	page := fmt.Sprintf("%s/serpcheck/serps?%s", research.Prefix, url.Values{"kw": {first}, "location_id": {fmt.Sprint(demoLocation)}}.Encode())
	known, err := a.RankWatch.Targets(ctx, c.AccountID)
	if err != nil || len(known) > 0 {
		return page, err
	}
	web := webindex.NewWeb(demoSeed, demoBusinesses())
	if err := publishWeb(ctx, a, web); err != nil {
		return page, err
	}
	api := demoAPI{a.Server(version()).Handler(), c.APIKey}
	today, err := web.Index(demoDays)
	if err != nil {
		return page, err
	}
	var watched []demoWatch
	for _, t := range demoTrackings {
		w, err := api.track(ctx, today, t.rank, t.keywords)
		if err != nil {
			return page, err
		}
		watched = append(watched, w)
	}
	return page, recordRanks(ctx, a, web, c.AccountID, watched)
}

// demoBusinesses are the first of the demo's market.
func demoBusinesses() []webindex.Business {
	var list []webindex.Business
	for _, p := range placeindex.NewMarket(demoSeed, demoPlaces).Drift(demoWeeks - 1)[:demoSites] {
		street, rest, _ := strings.Cut(p.Address, ", ")
		town, _, _ := strings.Cut(rest, ",")
		list = append(list, webindex.Business{Name: p.Name, Kind: p.Categories[0], Town: town, Address: street + ", " + town + ", GA", Website: p.Website})
	}
	return list
}

// publishWeb imports the web as it is today: its pages, the standing of its domains, and how often
// people search.
func publishWeb(ctx context.Context, a *app.App, web *webindex.Web) error {
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
	for _, t := range demoTrackings {
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

// demoAPI is the public API, asked without a network.
type demoAPI struct {
	handler http.Handler
	key     string
}

// answer keeps what a handler writes.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answer) Header() http.Header            { return w.header }
func (w *answer) WriteHeader(status int)         { w.status = status }
func (w *answer) Write(part []byte) (int, error) { return w.body.Write(part) }

func (api demoAPI) post(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Access-Token", api.key)
	req.RemoteAddr = "127.0.0.1:0" // limits and the log want a client's address
	w := &answer{header: http.Header{}, status: http.StatusOK}
	api.handler.ServeHTTP(w, req)
	if w.status >= 300 {
		text, _ := io.ReadAll(&w.body)
		return fmt.Errorf("%s answered %d: %s", path, w.status, text)
	}
	return json.Unmarshal(w.body.Bytes(), out)
}

// demoWatch is a tracking whose past is to be made.
type demoWatch struct {
	target   webtarget.Target
	ids      []string
	keywords []string
}

// track starts to track the business site at a rank of the first keyword.
func (api demoAPI) track(ctx context.Context, today *webindex.Index, rank int, keywords []demoKeyword) (demoWatch, error) {
	var w demoWatch
	sites := slices.DeleteFunc(searchDemo(today, keywords[0].text), func(r webindex.Result) bool { return !strings.HasSuffix(r.URL, ".example/") })
	if len(sites) == 0 {
		return w, fmt.Errorf("the demo's web has nothing on %s", keywords[0].text)
	}
	var err error
	if w.target, err = webtarget.Parse(sites[min(rank, len(sites))-1].Domain); err != nil {
		return w, err
	}
	for _, k := range keywords {
		w.keywords = append(w.keywords, k.text)
	}
	var made struct {
		Keywords []struct {
			ID   string `json:"_id"`
			Text string `json:"kw"`
		} `json:"keywords"`
	}
	err = api.post(ctx, rankwatch.Prefix+"/rankwatch/trackings", map[string]any{
		"domain": w.target.String(), "location_id": demoLocation, "platform_id": serp.Desktop, "keywords": w.keywords,
	}, &made)
	w.keywords = nil
	for _, k := range made.Keywords {
		w.ids, w.keywords = append(w.ids, k.ID), append(w.keywords, k.Text)
	}
	return w, err
}

func searchDemo(x *webindex.Index, keyword string) []webindex.Result {
	return x.Search(webindex.Query{Words: keyword, Country: "us", Place: "Decatur,Georgia,United States", Limit: demoDepth})
}

// recordRanks asks the web of every day of the last year, and keeps what it answered.
func recordRanks(ctx context.Context, a *app.App, web *webindex.Web, accountID string, watched []demoWatch) error {
	var past []rankwatch.PastChecks
	for _, w := range watched {
		for _, id := range w.ids {
			past = append(past, rankwatch.PastChecks{KeywordID: id})
		}
	}
	today := series.DayOf(a.Clock.Now())
	var index *webindex.Index
	for day := range demoDays {
		if err := ctx.Err(); err != nil {
			return err
		}
		if day%7 == 0 {
			var err error
			if index, err = web.Index(day); err != nil {
				return err
			}
		} else {
			index = index.WithPrior(web.Prior(day))
		}
		at := 0
		for _, w := range watched {
			for _, keyword := range w.keywords {
				past[at].Checks = append(past[at].Checks, checkDemo(searchDemo(index, keyword), w.target, today-series.Day(demoDays-day)))
				at++
			}
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
