package photon

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

const (
	maxRows  = "50"  // what a server gives at most, unless it was told otherwise; some are no places
	nearBias = "18"  // zoom: beyond 100 m of the point, the nearer place is the better one
	prestige = "0.1" // of 1, what being well known counts against being near
	nearbyKm = "1"   // how far a place may have moved and still be found
)

// SearchMap asks for places around the point, as far away as the built-in search looks too.
func (p *Provider) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	asked := understand(q.Keyword)
	query := around(q.At, asked.include)
	query.Set("zoom", nearBias)
	query.Set("location_bias_scale", prestige)
	query.Set("bbox", box(q.At, placeindex.MaxKm))
	if asked.words != "" {
		query.Set("q", asked.words)
	}
	found, err := p.places(ctx, "/api", query)
	if err != nil {
		return nil, err
	}
	return found[:min(len(found), q.Limit())], nil
}

// FindPlace looks for the place where its id says that it is: Photon cannot be asked for an object by its id.
func (p *Provider) FindPlace(ctx context.Context, placeID string) (provider.Business, error) {
	if err := provider.CheckPlaceID(placeID); err != nil {
		return provider.Business{}, err
	}
	at, cid, ok := parseID(placeID)
	if !ok {
		return provider.Business{}, provider.Errorf(provider.BadQuery, "Photon",
			"Photon finds only places that its own map search has found; %s is not an id of those.", placeID)
	}
	query := around(at, anyPlace())
	query.Set("radius", nearbyKm)
	found, err := p.places(ctx, "/reverse", query)
	if err != nil {
		return provider.Business{}, err
	}
	for _, b := range found {
		if b.CID == cid {
			b.PlaceID = placeID // also when it has moved a little
			return b, nil
		}
	}
	return provider.Business{}, provider.Errorf(provider.NotFound, "Photon", "Photon knows no place with the id %s any more.", placeID)
}

// around asks for all objects with one of the tags; those of a chain that look alike are no duplicates.
func around(at provider.Point, include []string) url.Values {
	return url.Values{
		"lat": {degrees(at.Lat)}, "lon": {degrees(at.Lng)}, "limit": {maxRows}, "dedupe": {"false"}, "include": {strings.Join(include, ",")},
	}
}

func degrees(f float64) string { return strconv.FormatFloat(f, 'f', 7, 64) }

// box is the smallest that holds all within a distance, cut off at the edges of the map.
func box(at provider.Point, km float64) string {
	centre := geo.Point{Lat: at.Lat, Lng: at.Lng}
	north, south := min(at.Lat+km/kmPerDegree, 90), max(at.Lat-km/kmPerDegree, -90)
	west, east := -180.0, 180.0
	if north < 89 && south > -89 {
		width := geo.Destination(centre, 90, km).Lng - at.Lng
		if width < 0 {
			width += 360
		}
		west, east = max(at.Lng-width, -180), min(at.Lng+width, 180)
	}
	return strings.Join([]string{degrees(west), degrees(south), degrees(east), degrees(north)}, ",")
}

const kmPerDegree = 111.195

func (p *Provider) places(ctx context.Context, path string, query url.Values) ([]provider.Business, error) {
	var answer featureCollection
	if err := p.client.Get(ctx, path, query, &answer); err != nil {
		return nil, err
	}
	provider.Charge(ctx, provider.USD(p.opts.Price))
	found := []provider.Business{}
	for _, f := range *answer.Features {
		if b, ok := f.business(); ok {
			found = append(found, b)
		}
	}
	return found, nil
}

type featureCollection struct {
	Type     wire.Text  `json:"type"`
	Features *[]feature `json:"features"`
}

// Verify wants a list of features, which may be empty.
func (a *featureCollection) Verify() error {
	if a.Type != "FeatureCollection" || a.Features == nil {
		return errors.New("not a FeatureCollection with features")
	}
	return nil
}

type feature struct {
	Properties struct {
		OSMType     wire.Text            `json:"osm_type"`
		OSMID       wire.Number          `json:"osm_id"`
		OSMKey      wire.Text            `json:"osm_key"`
		OSMValue    wire.Text            `json:"osm_value"`
		Name        wire.Text            `json:"name"`
		HouseNumber wire.Text            `json:"housenumber"`
		Street      wire.Text            `json:"street"`
		City        wire.Text            `json:"city"`
		State       wire.Text            `json:"state"`
		Postcode    wire.Text            `json:"postcode"`
		CountryCode wire.Text            `json:"countrycode"`
		Extra       map[string]wire.Text `json:"extra"` // only of an index that was built with them
	} `json:"properties"`
	Geometry struct {
		Coordinates []float64 `json:"coordinates"` // longitude first
	} `json:"geometry"`
}

// business makes a place of a feature; house numbers, streets and benches are none.
func (f feature) business() (b provider.Business, ok bool) {
	props := f.Properties
	kind, ok := category.ByTag(string(props.OSMKey), string(props.OSMValue))
	if !ok || props.Name == "" || len(f.Geometry.Coordinates) != 2 {
		return b, false
	}
	at := provider.Point{Lat: f.Geometry.Coordinates[1], Lng: f.Geometry.Coordinates[0]}
	if !at.Valid() {
		return b, false
	}
	b = provider.Business{
		Name: string(props.Name), Lat: at.Lat, Lng: at.Lng, CountryCode: strings.ToUpper(string(props.CountryCode)),
		Address:    string(joined(", ", joined(" ", props.HouseNumber, props.Street), props.City, joined(" ", props.State, props.Postcode))),
		Categories: []string{category.Name(kind)},
		Phone:      f.extra("phone", "contact:phone"),
		Website:    f.extra("website", "contact:website", "url"),
	}
	b.PlaceID, b.CID = identify(string(props.OSMType), float64(props.OSMID), at)
	return b, true
}

// extra is the first of several numbers or addresses that a tag may hold.
func (f feature) extra(keys ...string) string {
	for _, key := range keys {
		if value := f.Properties.Extra[key]; value != "" {
			first, _, _ := strings.Cut(string(value), ";")
			return first
		}
	}
	return ""
}

func joined(by string, parts ...wire.Text) wire.Text {
	var present []string
	for _, part := range parts {
		if part != "" {
			present = append(present, string(part))
		}
	}
	return wire.Text(strings.Join(present, by))
}
