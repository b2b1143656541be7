package placeindex

import (
	"context"
	"runtime"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
)

const title = "Built-in places"

// Provider answers from an index of its own process.
type Provider struct{ index *Index }

var (
	_ provider.PlaceFinder = (*Provider)(nil)
	_ provider.MapSearcher = (*Provider)(nil)
)

// NewProvider makes the provider over an index.
func NewProvider(x *Index) *Provider { return &Provider{index: x} }

// Describe says what the provider is. It has nothing to configure.
func (*Provider) Describe() provider.Descriptor {
	return provider.Descriptor{Name: "placeindex", Title: title, Pace: provider.Pace{Concurrent: runtime.GOMAXPROCS(0)}}
}

// FindPlace looks a place up by its place id, or by its cid.
func (p *Provider) FindPlace(ctx context.Context, id string) (provider.Business, error) {
	if err := ctx.Err(); err != nil {
		return provider.Business{}, err
	}
	if err := provider.CheckPlaceID(id); err != nil {
		return provider.Business{}, err
	}
	s := p.index.Snapshot()
	found, ok := s.Get(id)
	if !ok {
		// Other place ids of one business carry the same cid.
		cid, carried := placeid.CID(id)
		if !carried {
			cid = id
		}
		found, ok = s.GetByCID(cid)
	}
	if !ok {
		return provider.Business{}, provider.Errorf(provider.NotFound, title, "No place has the id %s.", id)
	}
	return p.business(found), nil
}

// SearchMap ranks the places around the point of the query.
func (p *Provider) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := q.Check(); err != nil {
		return nil, err
	}
	hits := p.index.Search(q.Keyword, geo.Point{Lat: q.At.Lat, Lng: q.At.Lng}, q.Limit())
	found := make([]provider.Business, len(hits))
	for i, h := range hits {
		found[i] = p.business(h.Place)
	}
	return found, nil
}

func (p *Provider) business(from Place) provider.Business {
	b := provider.Business{
		PlaceID: from.ID, CID: from.CID, Name: from.Name, Address: from.Address, Lat: from.Lat, Lng: from.Lng,
		Rating: from.Rating, Reviews: from.Reviews, CountryCode: from.CountryCode, Phone: from.Phone, Website: from.Website,
	}
	for _, c := range from.Categories {
		b.Categories = append(b.Categories, p.index.shared.vocab.title(c))
	}
	return b
}
