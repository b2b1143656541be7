package maprank

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// FoundPlace is a place that a campaign may be made for.
type FoundPlace struct {
	PlaceID      string           `json:"placeId"`
	Name         string           `json:"name" doc:"Name of the business."`
	Address      string           `json:"address"`
	Rating       float64          `json:"rating,omitempty"`
	ReviewNumber int              `json:"reviewNumber,omitempty"`
	Coordinates  grid.Coordinates `json:"coordinates"`
	Category     string           `json:"category,omitempty" doc:"What kind of business it is; absent when the provider does not tell it."`
}

// foundPlace is what can be shown of a business; not ok when no campaign can be made for it.
func foundPlace(b provider.Business) (FoundPlace, bool) {
	known := newBusiness(b)
	if len(known.PlaceIDs) == 0 || known.Coordinates == (grid.Coordinates{}) {
		return FoundPlace{}, false
	}
	p := FoundPlace{
		PlaceID: known.PlaceIDs[0], Name: known.Name, Address: known.Address,
		Rating: known.Rating, ReviewNumber: known.ReviewNumber, Coordinates: known.Coordinates,
	}
	if len(b.Categories) > 0 {
		p.Category = cut(b.Categories[0], maxBusinessName)
		if ours, ok := category.Get(p.Category); ok {
			p.Category = ours.Name
		}
	}
	return p, true
}

// findPlaces finds a place by its id, or places by name, best first. A name is searched near a point; nil is where the
// account's newest campaign is.
func (s *Service) findPlaces(ctx context.Context, accountID, query string, near *grid.Coordinates, limit int) ([]FoundPlace, error) {
	places := []FoundPlace{}
	if isPlaceID(query) {
		b, err := s.find(ctx, accountID, query)
		if p, ok := foundPlace(b); ok {
			places = append(places, p)
		}
		return places, err
	}
	if near == nil {
		var err error
		if near, err = newestCentre(ctx, s.db, accountID); err != nil {
			return nil, err
		}
	}
	found, err := askMaps(ctx, s, accountID, func(p provider.Prices) provider.Money { return p.Map },
		func(ctx context.Context, maps MapProvider) ([]provider.Business, error) {
			return maps.SearchMap(ctx, provider.MapQuery{Keyword: query, At: provider.Point(*near), Depth: limit})
		})
	if known := (*provider.Error)(nil); errors.As(err, &known) && known.Kind == provider.BadQuery {
		err = errs.New(errs.Invalid, "The map cannot be searched for %.255q. %s", query, known.Message).Because(err)
	}
	for _, b := range found {
		if p, ok := foundPlace(b); ok && len(places) < limit {
			places = append(places, p)
		}
	}
	return places, err
}

// isPlaceID tells a place id from a name: one of the common form, or a long word with a digit.
func isPlaceID(query string) bool {
	_, _, common := placeid.Parse(query)
	return common || len(query) >= 16 && provider.CheckPlaceID(query) == nil && strings.ContainsAny(query, "0123456789")
}

// newestCentre is where the business of the account's newest campaign is, of its own ones: what others share with it
// does not move its searches.
func newestCentre(ctx context.Context, q db.Queryer, accountID string) (*grid.Coordinates, error) {
	newest, err := db.One(ctx, q, scanCampaign, selectCampaign+" WHERE x.access = 'OWNER' ORDER BY x.created_at DESC, x.campaign_id DESC LIMIT 1", accountID)
	if db.IsNoRow(err) {
		var ps errs.Problems
		ps.Add("lat", errs.NotSpecified, "Say where to search: send lat and lng, since there is no campaign yet near which a name could be searched.")
		return nil, ps.Err()
	}
	return &newest.business.Coordinates, err
}

// find looks the business of a place id up.
func (s *Service) find(ctx context.Context, accountID, placeID string) (provider.Business, error) {
	b, err := askMaps(ctx, s, accountID, func(p provider.Prices) provider.Money { return p.Place },
		func(ctx context.Context, maps MapProvider) (provider.Business, error) {
			return maps.FindPlace(ctx, placeID)
		})
	switch provider.KindOf(err) {
	case provider.NotFound, provider.BadQuery:
		return b, errs.With(errs.NotFound, errs.PlaceNotFound, "There is no place with the id %.255q.", placeID).Because(err)
	}
	if at := (provider.Point{Lat: b.Lat, Lng: b.Lng}); err == nil && (!at.Valid() || at == (provider.Point{})) {
		err = errs.With(errs.NotFound, errs.PlaceNotFound, "It is not known where the place with the id %.255q is.", placeID)
	}
	return b, err
}

// mapTimeout bounds how long a request waits for the map.
const mapTimeout = 20 * time.Second

// askMaps puts a question of an account to the map providers. A vendor's answer takes one of the account's look-ups.
// That there is no such place, or no answer to such a question, is the provider's error; other failures are told to the user.
func askMaps[T any](ctx context.Context, s *Service, accountID string, price func(provider.Prices) provider.Money, question func(context.Context, MapProvider) (T, error)) (answer T, err error) {
	ctx, cancel := context.WithTimeout(source.WithPurpose(ctx, source.Purpose{AccountID: accountID}), mapTimeout)
	defer cancel()
	var receipt *source.Receipt
	answered := func() bool {
		return err == nil || slices.Contains([]provider.Kind{provider.NotFound, provider.BadQuery}, provider.KindOf(err))
	}
	ask := func() bool {
		answer, _, receipt, err = source.Ask(ctx, s.ledger, s.sources, price, question)
		return answered()
	}
	if s.sources.First().Describe().Account == "" { // it costs nobody anything
		ask()
	} else if refused := s.accounts.LookUp(ctx, accountID, ask); refused != nil {
		return answer, refused
	}
	if fault := s.ledger.SettleNow(ctx, receipt); fault != nil { // it is paid for, whatever becomes of the answer
		return answer, fault
	}
	if answered() {
		return answer, err
	}
	if provider.KindOf(err) == provider.Unknown && ctx.Err() == nil {
		return answer, fmt.Errorf("ask the map: %w", err)
	}
	why := "Try again."
	if known := (*provider.Error)(nil); errors.As(err, &known) {
		why = known.Message
	}
	s.log.Warn("the map could not be asked", "account", accountID, "error", err)
	return answer, errs.New(errs.Dependency, "The business could not be looked up. %s", why).Because(err)
}
