// Package foursquare asks Foursquare's Places API. Its ranking by relevance is Foursquare's own and says nothing about
// other maps; ratings and hours belong to its premium fields, which are not asked for. The package owns the translation of
// requests, answers and refusals; pacing, retrying and scoring are others' work.
package foursquare

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

const (
	// apiVersion is the form of the answers read here; Foursquare wants it told.
	apiVersion = "2025-06-17"

	// fields are all that cost no more than the cheapest request.
	fields = "fsq_place_id,name,latitude,longitude,categories,location,tel,website,date_closed"
)

// gentle is a pace that every plan of Foursquare bears.
var gentle = provider.Pace{Concurrent: 5, PerSecond: 5}

// Options are the settings, as provider.Vendor says.
type Options struct {
	APIKey          string                                                                                                                                                                                          `name:"foursquare-api-key" help:"Service key of a project at foursquare.com. Its ranks are Foursquare's own, not those of Google Maps." secret:"" needed:""`
	provider.Access `embed:"" prefix:"foursquare-" set:"vendor=Foursquare" set:"url=https://places-api.foursquare.com" set:"pace=every plan bears" set:"unit=request beyond those that are free" set:"price=0.015"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; the client's own when 0
}

// Provider is Foursquare. It finds places and searches the map.
type Provider struct {
	opts    Options
	account string
	client  *provider.Client
}

var (
	_ provider.PlaceFinder = (*Provider)(nil)
	_ provider.MapSearcher = (*Provider)(nil)
	_ provider.Checker     = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options, c clock.Clock) (*Provider, error) {
	p := &Provider{opts: opts, account: provider.Fingerprint("foursquare", opts.APIKey)}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor:  p.Describe(),
		BaseURL:     opts.URL,
		Credentials: http.Header{"Authorization": {"Bearer " + opts.APIKey}},
		Timeout:     opts.Timeout,
		Clock:       c,
		Explain:     explain,
	})
	if err != nil {
		return nil, err
	}
	p.client = client
	return p, nil
}

// Close drops idle connections.
func (p *Provider) Close() { p.client.Close() }

// Describe names the provider and its pace.
func (p *Provider) Describe() provider.Descriptor {
	price := provider.USD(p.opts.Price)
	return provider.Descriptor{
		Name:    "foursquare",
		Title:   "Foursquare",
		Secret:  "api_key",
		Pace:    p.opts.Pace(gentle),
		Account: p.account,
		Prices:  provider.Prices{Place: price, Map: price},
		Budget:  provider.USD(p.opts.Budget),
	}
}

// SearchMap asks for the results that Foursquare holds most relevant at the point. It knows neither market nor language.
func (p *Provider) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	degrees := func(f float64) string { return strconv.FormatFloat(f, 'f', 6, 64) }
	var answer searchAnswer
	err := p.get(ctx, "/places/search", url.Values{
		"query": {q.Keyword}, "ll": {degrees(q.At.Lat) + "," + degrees(q.At.Lng)}, "sort": {"RELEVANCE"}, "limit": {strconv.Itoa(q.Limit())},
	}, &answer)
	if err != nil {
		return nil, err
	}
	rows := *answer.Results
	found := make([]provider.Business, min(len(rows), q.Limit()))
	for i := range found {
		found[i] = rows[i].business()
	}
	return found, nil
}

// FindPlace looks a place up by Foursquare's own id.
func (p *Provider) FindPlace(ctx context.Context, placeID string) (provider.Business, error) {
	if err := provider.CheckPlaceID(placeID); err != nil {
		return provider.Business{}, err
	}
	unknown := provider.Errorf(provider.NotFound, "Foursquare", "Foursquare knows no place with the id %s.", placeID)
	if strings.ContainsFunc(placeID, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') }) {
		return provider.Business{}, unknown
	}
	answer := placeAnswer{asked: placeID}
	switch err := p.get(ctx, "/places/"+placeID, url.Values{}, &answer); {
	case provider.KindOf(err) == provider.NotFound:
		return provider.Business{}, unknown.Because(err)
	case err != nil:
		return provider.Business{}, err
	}
	return answer.business(), nil
}

// CheckAccess looks for one place: Foursquare has no cheaper request.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	if _, err := p.SearchMap(ctx, provider.MapQuery{Keyword: "coffee", At: provider.Point{Lat: 40.7128, Lng: -74.006}, Depth: 1}); err != nil {
		return "", err
	}
	return "the key is accepted", nil
}

// get asks, and charges for the answer.
func (p *Provider) get(ctx context.Context, path string, query url.Values, out provider.Answer) error {
	if err := p.Describe().NeedKey(p.opts.APIKey); err != nil {
		return err
	}
	query.Set("fields", fields)
	r := provider.Request{Path: path, Query: query, Header: http.Header{"X-Places-Api-Version": {apiVersion}}}
	if err := p.client.Do(ctx, r, out); err != nil {
		return err
	}
	provider.Charge(ctx, provider.USD(p.opts.Price))
	return nil
}

// explain reads {"message":"text"}. Only where Foursquare says so itself is a place unknown.
func explain(status int, body []byte) provider.Refusal {
	var e struct {
		Message wire.Text `json:"message"`
	}
	unread := json.Unmarshal(body, &e) != nil || e.Message == ""
	r := provider.Refusal{Words: string(e.Message)}
	if status == http.StatusNotFound && unread {
		r.Kind = provider.BadQuery // an unknown path: the base URL is not Foursquare's
	}
	return r
}

type searchAnswer struct {
	Results *wire.List[place] `json:"results"`
}

// Verify wants the list of results, which is there when it is empty too, and ids in all that it holds.
func (a *searchAnswer) Verify() error {
	if a.Results == nil {
		return errors.New("results is missing")
	}
	for _, r := range *a.Results {
		if r.ID == "" {
			return errors.New("a place without an id")
		}
	}
	return nil
}

type placeAnswer struct {
	place
	asked string
}

// Verify wants the place asked for.
func (a *placeAnswer) Verify() error {
	if string(a.ID) != a.asked {
		return errors.New("not the place asked for")
	}
	return nil
}

type place struct {
	ID         wire.Text   `json:"fsq_place_id"`
	Name       wire.Text   `json:"name"`
	Latitude   wire.Number `json:"latitude"`
	Longitude  wire.Number `json:"longitude"`
	Categories []struct {
		Name wire.Text `json:"name"`
	} `json:"categories"`
	Location struct {
		Country   wire.Text `json:"country"`
		Formatted wire.Text `json:"formatted_address"`
	} `json:"location"`
	Tel        wire.Text `json:"tel"`
	Website    wire.Text `json:"website"`
	DateClosed wire.Text `json:"date_closed"`
}

func (r place) business() provider.Business {
	b := provider.Business{
		PlaceID:     string(r.ID),
		Name:        string(r.Name),
		Address:     string(r.Location.Formatted),
		Lat:         float64(r.Latitude),
		Lng:         float64(r.Longitude),
		CountryCode: strings.ToUpper(string(r.Location.Country)),
		Phone:       string(r.Tel),
		Website:     string(r.Website),
	}
	for _, c := range r.Categories {
		if c.Name != "" {
			b.Categories = append(b.Categories, string(c.Name))
		}
	}
	if r.DateClosed != "" {
		b.Closed = provider.ClosedForGood
	}
	return b
}
