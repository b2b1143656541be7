package googleplaces

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// What is asked about a place decides what it costs: one field of a tier makes the whole request cost as much.
const (
	proFields        = "id,displayName,formattedAddress,location,types,primaryTypeDisplayName,postalAddress.regionCode,businessStatus"
	enterpriseFields = proFields + ",rating,userRatingCount,internationalPhoneNumber,nationalPhoneNumber,websiteUri,regularOpeningHours.periods"
)

type tier struct {
	fields string // "" asks nothing
	price  provider.Money
}

func (p *Provider) enterprise() tier {
	return tier{fields: enterpriseFields, price: provider.USD(p.opts.Price)}
}

// FindPlace looks a place up by its place id; the API knows no cids. It always asks for all there is, and anew.
func (p *Provider) FindPlace(ctx context.Context, placeID string) (provider.Business, error) {
	if err := provider.CheckPlaceID(placeID); err != nil {
		return provider.Business{}, err
	}
	unknown := provider.Errorf(provider.NotFound, "Google Places", "Google Places knows no place with the id %s.", placeID)
	if _, isCID := provider.ParseCID(placeID); isCID || strings.ContainsFunc(placeID, notInID) {
		return provider.Business{}, unknown
	}
	b, err := p.lookUp(ctx, placeID, "", p.enterprise())
	if provider.KindOf(err) == provider.NotFound {
		return provider.Business{}, unknown.Because(err)
	}
	return b, err
}

func notInID(r rune) bool {
	return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '-' && r != '_'
}

// details are those of a place that a search has found.
func (p *Provider) details(ctx context.Context, id, language string) (provider.Business, error) {
	if p.tier.fields == "" {
		return bare(id), nil
	}
	return p.known.get(ctx, id+" "+language, func() (provider.Business, error) {
		if err := provider.Turn(ctx); err != nil {
			return provider.Business{}, err
		}
		b, err := p.lookUp(ctx, id, language, p.tier)
		if provider.KindOf(err) == provider.NotFound {
			return bare(id), nil // it has moved or is gone since the index was made
		}
		return b, err
	})
}

func bare(id string) provider.Business {
	cid, _ := provider.CIDOf(id)
	return provider.Business{PlaceID: id, CID: cid}
}

func (p *Provider) lookUp(ctx context.Context, id, language string, t tier) (provider.Business, error) {
	query := url.Values{}
	if language != "" {
		query.Set("languageCode", language)
	}
	var answer placeAnswer
	if err := p.do(ctx, provider.Request{Path: "/v1/places/" + url.PathEscape(id), Query: query}, t.fields, &answer); err != nil {
		return provider.Business{}, err
	}
	provider.Charge(ctx, t.price)
	return answer.business(id), nil
}

type placeAnswer struct {
	ID            wire.Text   `json:"id"`
	DisplayName   localText   `json:"displayName"`
	Address       wire.Text   `json:"formattedAddress"`
	Location      location    `json:"location"` // absent of who comes to the customer
	Types         []wire.Text `json:"types"`
	PrimaryType   localText   `json:"primaryTypeDisplayName"`
	Status        wire.Text   `json:"businessStatus"`
	Rating        wire.Number `json:"rating"`
	Ratings       wire.Number `json:"userRatingCount"`
	Phone         wire.Text   `json:"internationalPhoneNumber"`
	DomesticPhone wire.Text   `json:"nationalPhoneNumber"`
	Website       wire.Text   `json:"websiteUri"`
	PostalAddress struct {
		Region wire.Text `json:"regionCode"`
	} `json:"postalAddress"`
	OpeningHours struct {
		Periods []period `json:"periods"`
	} `json:"regularOpeningHours"`
}

type localText struct {
	Text wire.Text `json:"text"`
}

// Verify wants an id, which every place has. It may be another than the one asked: Google renews them.
func (a *placeAnswer) Verify() error {
	if a.ID == "" {
		return errors.New("id is missing")
	}
	return nil
}

func (a *placeAnswer) business(id string) provider.Business {
	b := bare(id)
	b.Name = string(a.DisplayName.Text)
	b.Address = string(a.Address)
	b.Lat, b.Lng = a.Location.Latitude, a.Location.Longitude
	b.Rating, b.Reviews = float64(a.Rating), a.Ratings.Count()
	b.Categories = a.categories()
	b.CountryCode = strings.ToUpper(string(a.PostalAddress.Region))
	b.Phone = string(cmp.Or(a.Phone, a.DomesticPhone))
	b.Website = string(a.Website)
	b.Hours = hours(a.OpeningHours.Periods)
	switch a.Status {
	case "CLOSED_PERMANENTLY":
		b.Closed = provider.ClosedForGood
	case "CLOSED_TEMPORARILY":
		b.Closed = provider.ClosedTemporarily
	}
	return b
}

// categories are the main one as people read it, and the others by Google's own words, without those that all have.
func (a *placeAnswer) categories() []string {
	seen := map[string]bool{"": true, "point of interest": true, "establishment": true}
	var all []string
	for _, name := range append([]wire.Text{a.PrimaryType.Text}, a.Types...) {
		words := strings.ReplaceAll(string(name), "_", " ")
		if key := strings.ToLower(words); !seen[key] {
			seen[key] = true
			all = append(all, words)
		}
	}
	return all
}

type period struct {
	Open  *moment `json:"open"`
	Close *moment `json:"close"`
}

type moment struct{ Day, Hour, Minute int }

func (m moment) valid() bool {
	return m.Day >= 0 && m.Day <= 6 && m.Hour >= 0 && m.Hour <= 23 && m.Minute >= 0 && m.Minute <= 59
}

// inWeek is the minute of the week, which begins on Sunday.
func (m moment) inWeek() int { return (m.Day*24+m.Hour)*60 + m.Minute }

// hours reads the periods of a week. One that never ends is a place that is always open.
func hours(periods []period) *provider.Hours {
	const week = 7 * 24 * 60
	if len(periods) == 0 {
		return nil
	}
	var h provider.Hours
	for _, p := range periods {
		switch {
		case p.Open == nil || !p.Open.valid() || (p.Close != nil && !p.Close.valid()):
			return nil // nothing is known of a week that cannot be read whole
		case p.Close == nil:
			var always provider.Hours
			for day := range time.Weekday(7) {
				always.Add(day, 0, 24*60)
			}
			return &always
		}
		lasts := (p.Close.inWeek() - p.Open.inWeek() + week) % week
		from := p.Open.Hour*60 + p.Open.Minute
		h.Add(time.Weekday(p.Open.Day), from, from+cmp.Or(lasts, week))
	}
	return &h
}
