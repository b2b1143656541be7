package dataforseo

import (
	"cmp"
	"context"
	"strconv"

	"github.com/trigpoint/trigpoint/internal/provider"
)

var mapSearch = engine[provider.MapQuery, place, []provider.Business]{name: "maps", write: mapTask, read: ranked}

// SearchMap asks now, whatever the mode. See mapTask for how.
func (p *Provider) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	return search(ctx, p, mapSearch, q)
}

// mapTask asks at street zoom, where the ranking is that of a person standing at the point, and where other providers are asked, so
// that ranks compare. search_places would let Google move the search to a place that the keyword names.
func mapTask(q provider.MapQuery) (searchTask, error) {
	if err := q.Check(); err != nil {
		return searchTask{}, err
	}
	thisArea, places := true, false
	return searchTask{
		Keyword:            escaped(q.Keyword),
		LocationCoordinate: degrees(q.At.Lat) + "," + degrees(q.At.Lng) + ",15z",
		LanguageCode:       cmp.Or(q.Language, defaultLanguage),
		Device:             "desktop",
		OS:                 "windows",
		Depth:              provider.MaxMapResults,
		SearchThisArea:     &thisArea,
		SearchPlaces:       &places,
	}, nil
}

// degrees have seven decimals, the most that are taken: a centimetre.
func degrees(f float64) string { return strconv.FormatFloat(f, 'f', 7, 64) }

// ranked leaves out paid rows and counts the others.
func ranked(q provider.MapQuery, list listing[place]) []provider.Business {
	found := make([]provider.Business, 0, min(len(list.Items), q.Limit()))
	for _, row := range list.Items {
		if row.Type == "maps_search" && len(found) < q.Limit() {
			found = append(found, row.business())
		}
	}
	return found
}
