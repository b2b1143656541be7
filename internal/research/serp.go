package research

import (
	"context"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/research/snapshot"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/source"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Serp is a result page as the API shows it.
type Serp struct {
	ID             string     `json:"_id"`
	Keyword        string     `json:"kw"`
	Page           int        `json:"page" enum:"0" doc:"Always 0: the page holds all results that were fetched."`
	LocationID     int        `json:"location_id"`
	Location       Place      `json:"location"`
	PlatformID     int        `json:"platform_id" doc:"1 desktop, 2 mobile."`
	Difficulty     *int64     `json:"rank" doc:"Difficulty of the keyword, 0 to 100; null without authority data on at least half of the first ten results."`
	DifficultyAt   *int64     `json:"rank_updated_at" doc:"Unix seconds."`
	Provider       string     `json:"provider,omitempty" doc:"Who answered, such as webindex or serper; absent in pages from before it was kept."`
	CreatedAt      int64      `json:"created_at" doc:"When the page was fetched, Unix seconds."`
	CTR            []float64  `json:"ctr" doc:"Expected share of clicks by position, from the first."`
	Results        *int64     `json:"results" doc:"How many results the search engine says that it has; null when it does not."`
	Kept           int        `json:"serp_results" doc:"Organic results that are kept."`
	SnapshotID     string     `json:"serp_snapshot_id" doc:"To use as serp_id of a snapshot."`
	FeaturesImpact float64    `json:"serpFeaturesImpact" minimum:"0" maximum:"100" doc:"Share of the first ten parts of the page, in percent, that are not plain results."`
	Items          []SerpItem `json:"items" doc:"From the top of the page."`
}

// SerpItem is one part of a result page.
type SerpItem struct {
	Type        string            `json:"type" enum:"ORGANIC,ADV_TOP,ADV_BOTTOM,FEATURED_SNIPPET,LOCAL_PACK,KNO_GRAPH,SIMILAR_QUESTIONS,SIMILAR_QUERIES,IMG_PACK,VIDEO_PACK,TOP_STORIES,SHOP_RESULTS,AI_OVERVIEW,OTHER"`
	URL         string            `json:"url"`
	Title       string            `json:"title"`
	Description string            `json:"desc"`
	Domain      string            `json:"domain"`
	Rank        *int              `json:"rank" doc:"Organic position; null for other types."`
	CTR         *float64          `json:"ctr" doc:"Expected share of clicks, 0 to 1; null for other types."`
	Metrics     map[string]Metric `json:"m" doc:"What is known of the domain, by source."`
	Items       []SerpItem        `json:"items,omitempty" doc:"What a pack, a list of questions or a set of site links holds."`
}

// featuresImpact is the share of the first ten parts of the page that are not plain results, 0..100.
func featuresImpact(p serp.Page) float64 {
	first := p.Items[:min(len(p.Items), 10)]
	if len(first) == 0 {
		return 0
	}
	other := 0
	for _, item := range first {
		if item.Type != provider.Organic {
			other++
		}
	}
	return 100 * float64(other) / float64(len(first))
}

// snapshotOf makes a page ready to be drawn.
func snapshotOf(r serp.Record) snapshot.Page {
	device := "Desktop"
	if r.PlatformID == serp.Mobile {
		device = "Mobile"
	}
	where, _ := location.Get(r.LocationID)
	return snapshot.Page{Query: r.Keyword, Location: where.Label, Device: device, Taken: r.FetchedAt, Items: snapshotParts(r.Page.Items)}
}

func snapshotParts(items []serp.Item) []snapshot.Item {
	var parts []snapshot.Item
	for _, item := range items {
		parts = append(parts, snapshot.Item{
			Type: item.Type, Rank: item.Rank, URL: item.URL, Title: item.Title, Description: item.Text, Domain: item.Domain,
			Items: snapshotParts(item.Items),
		})
	}
	return parts
}

// serp answers with a page that is at most a day old, fetching one when there is none. Equal questions
// at the same time are asked once; a page that is being fetched is kept even if its client has gone.
func (s *Service) serp(ctx context.Context, accountID, kw string, m market, platformID int) (serp.Record, error) {
	key := serp.Key{AccountID: accountID, Keyword: serp.NormalKeyword(kw), LocationID: m.location.ID, PlatformID: platformID}
	if record, err := s.serps.Fresh(ctx, s.db, key, s.clock.Now()); !db.IsNoRow(err) {
		return record, err
	}
	return once(ctx, s, fmt.Sprint("serp", key), func(ctx context.Context) (serp.Record, error) {
		record, err := s.serps.Fresh(ctx, s.db, key, s.clock.Now()) // another may just have fetched it
		if db.IsNoRow(err) {
			record, err = s.fetch(ctx, key, m)
		}
		return record, err
	})
}

// fetch asks the provider for a page and keeps it.
func (s *Service) fetch(ctx context.Context, key serp.Key, m market) (serp.Record, error) {
	q := provider.WebQuery{
		Keyword: key.Keyword, Country: m.location.CountryCode, Location: m.location.Locality(), GoogleDomain: m.location.GoogleDomain, Device: provider.Desktop, Depth: serp.Depth,
	}
	if key.PlatformID == serp.Mobile {
		q.Device = provider.Mobile
	}
	price := func(p provider.Prices) provider.Money { return provider.Money(q.Pages()) * p.WebPage }
	var record serp.Record
	_, err := lookUp(ctx, s, key.AccountID, s.web.As(q.Device, q.Location), price,
		func(ctx context.Context, web source.Web) (provider.WebPage, error) { return web.SearchWeb(ctx, q) },
		func(ctx context.Context, tx *db.Tx, page told[provider.WebPage]) error {
			packed, err := s.serps.Pack(serp.Fetched{Key: key, At: page.at, Page: page.value, Whole: true, Provider: page.source})
			if err != nil {
				return err
			}
			record = serp.Record{ID: packed.ID, Key: packed.Key, FetchedAt: page.at, Page: serp.NewPage(page.value), Provider: page.source}
			return s.serps.Keep(ctx, tx, []serp.Packed{packed})
		})
	return record, err
}

// ctrPositions is how many positions a page's ctr lists.
const ctrPositions = 20

// show makes the public form of a stored page, with what is known of its domains now.
func (s *Service) show(ctx context.Context, record serp.Record, m market) (Serp, error) {
	page := record.Page
	names := domainNames{}
	var domains []string
	for _, item := range page.Items {
		domains = append(domains, names.of(webtarget.Host(item.URL)))
	}
	ranks, err := ranksOf(ctx, s.db, domains)
	if err != nil {
		return Serp{}, err
	}
	fetched := record.FetchedAt.Unix()
	shown := Serp{
		ID: record.ID, Keyword: record.Keyword, LocationID: record.LocationID, Location: placeOf(m.location), PlatformID: record.PlatformID,
		Provider: record.Provider, CreatedAt: fetched, CTR: make([]float64, ctrPositions), Results: page.Total, Kept: page.Results(), SnapshotID: record.ID,
		FeaturesImpact: featuresImpact(page), Items: []SerpItem{},
	}
	if shown.Difficulty = difficultyOf(page.Hosts(), ranks); shown.Difficulty != nil {
		shown.DifficultyAt = &fetched
	}
	for i := range shown.CTR {
		shown.CTR[i] = s.ctr(i + 1)
	}
	for _, item := range page.Items {
		shown.Items = append(shown.Items, s.showItem(item, func(url string) map[string]Metric { return metricsOf(ranks[names.of(webtarget.Host(url))]) }))
	}
	return shown, nil
}

func (s *Service) showItem(item serp.Item, metrics func(url string) map[string]Metric) SerpItem {
	shown := SerpItem{
		Type: string(item.Type), URL: item.URL, Title: item.Title, Description: item.Text, Domain: item.Domain, Metrics: metrics(item.URL),
	}
	if item.Type == provider.Organic {
		share := s.ctr(item.Rank)
		shown.Rank, shown.CTR = &item.Rank, &share
	}
	for _, part := range item.Items {
		shown.Items = append(shown.Items, s.showItem(part, metrics))
	}
	return shown
}

// snapshot finds a page to be drawn, and what to mark on it.
func (s *Service) snapshot(ctx context.Context, accountID, id string, more []webtarget.Target) (snapshot.Page, func(url string) bool, error) {
	record, err := s.serps.Get(ctx, s.db, accountID, id)
	if err != nil {
		return snapshot.Page{}, nil, err
	}
	var targets []webtarget.Target
	if s.marks != nil {
		if targets, err = s.marks(ctx, accountID); err != nil {
			return snapshot.Page{}, nil, err
		}
	}
	targets = append(targets, more...)
	return snapshotOf(record), func(url string) bool {
		for _, t := range targets {
			if t.Match(url) {
				return true
			}
		}
		return false
	}, nil
}
