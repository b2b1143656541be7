package research

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Platforms of a search.
const (
	Desktop = 1
	Mobile  = 2
)

// Serp is a result page as the API shows it.
type Serp struct {
	ID             string     `json:"_id"`
	Keyword        string     `json:"kw"`
	Page           int        `json:"page" doc:"Always 1: the page holds all results that were fetched."`
	LocationID     int        `json:"location_id"`
	Location       Place      `json:"location"`
	PlatformID     int        `json:"platform_id" doc:"1 desktop, 2 mobile."`
	Difficulty     *int64     `json:"rank" doc:"Difficulty of the keyword, 0 to 100; null without authority data on at least half of the first ten results."`
	DifficultyAt   *int64     `json:"rank_updated_at" doc:"Unix seconds."`
	CreatedAt      int64      `json:"created_at" doc:"When the page was fetched, Unix seconds."`
	CTR            []float64  `json:"ctr" doc:"Expected share of clicks by position, from the first."`
	Results        int        `json:"results" doc:"Organic results that were fetched."`
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

// Bounds of a page that is kept; what is beyond them is cut.
const (
	maxItems     = 400
	maxSubItems  = 50
	maxItemURL   = 2_000 // bytes
	maxItemTitle = 500
	maxItemText  = 2_000
)

// serpItem is how an item is kept. The names are part of the format.
type serpItem struct {
	Type   provider.ItemType `json:"t"`
	Rank   int               `json:"r,omitempty"`
	URL    string            `json:"u,omitempty"`
	Title  string            `json:"h,omitempty"`
	Text   string            `json:"d,omitempty"`
	Domain string            `json:"n,omitempty"`
	Items  []serpItem        `json:"i,omitempty"`
}

// serpPage is what is kept of a result page.
type serpPage struct {
	Items   []serpItem `json:"items"`
	Related []string   `json:"related,omitempty"`
}

func newSerpPage(p provider.WebPage) serpPage {
	return serpPage{Items: keptItems(p.Items, maxItems, true), Related: p.Related[:min(len(p.Related), maxSubItems)]}
}

func keptItems(items []provider.WebItem, limit int, nested bool) []serpItem {
	var kept []serpItem
	for _, item := range items[:min(len(items), limit)] {
		k := serpItem{
			Type: item.Type, Rank: item.Rank, URL: item.URL, Title: bounded(item.Title, maxItemTitle),
			Text: bounded(item.Description, maxItemText), Domain: bounded(item.Domain, 253),
		}
		if len(k.URL) > maxItemURL || !utf8.ValidString(k.URL) {
			k.URL = "" // half an address would be another one
		}
		if nested {
			k.Items = keptItems(item.Items, maxSubItems, false)
		}
		kept = append(kept, k)
	}
	return kept
}

func bounded(s string, limit int) string {
	s = strings.ToValidUTF8(s, "")
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") // without half a character at its end
	}
	return s
}

// hosts lists the hosts of the organic results, each between line feeds; the line is the rank.
func (p serpPage) hosts() hostList {
	var b strings.Builder
	b.WriteByte('\n')
	for _, item := range p.Items {
		if item.Type == provider.Organic {
			b.WriteString(webtarget.Host(item.URL))
			b.WriteByte('\n')
		}
	}
	return hostList(b.String())
}

// proposals are the searches that the engine names on the page.
func (p serpPage) proposals() []string {
	all := p.Related
	for _, item := range p.Items {
		if item.Type == provider.SimilarQueries {
			for _, part := range item.Items {
				all = append(all[:len(all):len(all)], part.Title)
			}
		}
	}
	var good []string
	seen := map[string]bool{}
	for _, s := range all {
		if s = NormalKeyword(s); !seen[s] && keywordFault(s) == "" {
			seen[s] = true
			good = append(good, s)
		}
	}
	return good
}

// position is the best organic rank of a target, or 0.
func (p serpPage) position(t webtarget.Target) int {
	for _, item := range p.Items {
		if item.Type == provider.Organic && t.Match(item.URL) {
			return item.Rank
		}
	}
	return 0
}

// results counts the organic items.
func (p serpPage) results() int {
	n := 0
	for _, item := range p.Items {
		if item.Type == provider.Organic {
			n++
		}
	}
	return n
}

// featuresImpact is the share of the first ten parts of the page that are not plain results, 0..100.
func (p serpPage) featuresImpact() float64 {
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

// snapshot makes the page ready to be drawn.
func (p serpPage) snapshot(kw, where string, platformID int, taken time.Time) SnapshotPage {
	device := "Desktop"
	if platformID == Mobile {
		device = "Mobile"
	}
	return SnapshotPage{Query: kw, Location: where, Device: device, Taken: taken, Items: snapshotParts(p.Items)}
}

func snapshotParts(items []serpItem) []SnapshotItem {
	var parts []SnapshotItem
	for _, item := range items {
		parts = append(parts, SnapshotItem{
			Type: item.Type, Rank: item.Rank, URL: item.URL, Title: item.Title, Description: item.Text, Domain: item.Domain,
			Items: snapshotParts(item.Items),
		})
	}
	return parts
}

// packing is the first byte of a packed page.
const packing = 1

// maxUnpacked bounds what a packed page may unpack to.
const maxUnpacked = 8 << 20

var errPacking = errors.New("a stored result page is of an unknown form")

// packer turns pages into bytes and back. It is safe for concurrent use.
type packer struct {
	encoder func() (*zstd.Encoder, error)
	decoder func() (*zstd.Decoder, error)
}

// newPacker makes coders when they are first used: they take some memory.
func newPacker() packer {
	return packer{
		encoder: sync.OnceValues(func() (*zstd.Encoder, error) {
			return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2), zstd.WithLowerEncoderMem(true))
		}),
		decoder: sync.OnceValues(func() (*zstd.Decoder, error) {
			return zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderLowmem(true))
		}),
	}
}

func (k packer) pack(p serpPage) ([]byte, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	encoder, err := k.encoder()
	if err != nil {
		return nil, err
	}
	return encoder.EncodeAll(text, []byte{packing}), nil
}

func (k packer) unpack(packed []byte) (serpPage, error) {
	var p serpPage
	if len(packed) == 0 || packed[0] != packing {
		return p, errPacking
	}
	decoder, err := k.decoder()
	if err != nil {
		return p, err
	}
	text, err := decoder.DecodeAll(packed[1:], nil)
	if err != nil {
		return p, fmt.Errorf("unpack a result page: %w", err)
	}
	return p, json.Unmarshal(text, &p)
}
