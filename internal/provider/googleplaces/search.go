package googleplaces

import (
	"context"
	"errors"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// nearby is how far around the point a search looks first, in metres; it may find better results further off.
const nearby = 500

type searchRequest struct {
	TextQuery    string `json:"textQuery"`
	LanguageCode string `json:"languageCode,omitempty"`
	RegionCode   string `json:"regionCode,omitempty"`
	PageSize     int    `json:"pageSize"`
	LocationBias bias   `json:"locationBias"`

	// Plumbers and others who come to their customers have ranks as well.
	IncludePureServiceAreaBusinesses bool `json:"includePureServiceAreaBusinesses"`
}

type bias struct {
	Circle circle `json:"circle"`
}

type circle struct {
	Center location `json:"center"`
	Radius float64  `json:"radius"`
}

type location struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// SearchMap ranks by the free search for ids, and asks the details of those places that are not known yet. A place of
// which Google knows no details keeps its rank with its id alone.
func (p *Provider) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	ids, err := p.searchIDs(ctx, q)
	if err != nil {
		return nil, err
	}
	found := make([]provider.Business, min(len(ids), q.Limit()))
	for i := range found {
		if found[i], err = p.details(ctx, ids[i], q.Language); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// searchIDs asks for nothing but ids: any other field is billed.
func (p *Provider) searchIDs(ctx context.Context, q provider.MapQuery) ([]string, error) {
	req := searchRequest{
		TextQuery: q.Keyword, LanguageCode: q.Language, RegionCode: strings.ToUpper(q.Country), PageSize: provider.MaxMapResults,
		LocationBias:                     bias{circle{Center: location{q.At.Lat, q.At.Lng}, Radius: nearby}},
		IncludePureServiceAreaBusinesses: true,
	}
	var answer idsAnswer
	if err := p.do(ctx, provider.Request{Path: "/v1/places:searchText", Body: req}, "places.id", &answer); err != nil {
		return nil, err
	}
	ids := make([]string, len(answer["places"]))
	for i, place := range answer["places"] {
		ids[i] = string(place.ID)
	}
	return ids, nil
}

// idsAnswer is {"places":[{"id"}]}. Where Google has found nothing it is {}, and nothing else proves that: so an object is
// believed only if it holds not one word that was not asked for.
type idsAnswer map[string][]struct {
	ID wire.Text `json:"id"`
}

// Verify wants places with ids or, where nothing was found, no word at all: Google writes no empty list.
func (a idsAnswer) Verify() error {
	places, found := a["places"]
	switch {
	case a == nil:
		return errors.New("null")
	case len(a) == 0:
		return nil
	case !found || len(a) > 1:
		return errors.New("more than the places asked for")
	case len(places) == 0:
		return errors.New("an empty list of places")
	}
	for _, place := range places {
		if place.ID == "" {
			return errors.New("a place without an id")
		}
	}
	return nil
}
