package research

import (
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/research/snapshot"
	"github.com/trigpoint/trigpoint/internal/serp"
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
