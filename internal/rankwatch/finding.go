package rankwatch

import (
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// finding is what a result page says about a target.
type finding struct {
	series.Observation        // its URL is still to be numbered
	url                string // of the best rank
	latest             latest
}

// find looks for the target on a page. An entry of the map pack is the target's by its website or, when
// business is not empty, by its name.
func find(page provider.WebPage, target webtarget.Target, business string) finding {
	var f finding
	others := 0
	for i, item := range page.Items {
		f.Features |= series.FeatureOf(item.Type)
		switch item.Type {
		case provider.Organic:
			if !target.Match(item.URL) {
				continue
			}
			switch rank := uint16(min(max(item.Rank, 0), series.MaxRank)); {
			case rank == 0:
			case f.Rank == 0:
				f.Rank, f.url = rank, item.URL
			case item.URL != f.url:
				others++
				if rank < f.Rank {
					f.Rank, f.url = rank, item.URL
				}
			}
		case provider.LocalPack:
			if f.MapPack == 0 {
				f.MapPack, f.latest.MapURL = inPack(item.Items, target, business)
			}
		case provider.FeaturedSnippet:
			if f.latest.SnippetURL == "" && item.URL != "" {
				f.latest.SnippetURL, f.latest.SnippetRank = cutURL(item.URL), i+1
				f.OwnSnippet = target.Match(item.URL)
			}
		}
	}
	f.MoreURL = others > 0
	return f
}

func inPack(entries []provider.WebItem, target webtarget.Target, business string) (rank uint8, url string) {
	for i, entry := range entries[:min(len(entries), series.MaxMapPack)] {
		if target.Match(entry.URL) || (business != "" && strings.EqualFold(strings.TrimSpace(entry.Title), business)) {
			return uint8(i + 1), cutURL(entry.URL)
		}
	}
	return 0, ""
}

// latest is what the newest check saw besides its observation.
type latest struct {
	MapURL      string `json:"map,omitempty"`
	SnippetURL  string `json:"snippet,omitempty"`
	SnippetRank int    `json:"snippet_rank,omitempty"`
}
