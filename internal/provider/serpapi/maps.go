package serpapi

import (
	"context"
	"encoding/json"
	"maps"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

type mapsAnswer struct {
	envelope
	Information struct {
		State wire.Text `json:"local_results_state"`
	} `json:"search_information"`
	Local wire.List[place] `json:"local_results"`
	Place *place           `json:"place_results"` // in place of the list, where the question names one place
}

// places are the results in their order. Ads have a list of their own, which is not read.
func (a *mapsAnswer) places() []place {
	if len(a.Local) == 0 && a.Place != nil {
		return []place{*a.Place}
	}
	return a.Local
}

// Verify also wants rows that say who they are: none with an id is another format.
func (a *mapsAnswer) Verify() error {
	if err := a.envelope.Verify(); err != nil {
		return err
	}
	known := 0
	for _, row := range a.places() {
		if row.PlaceID != "" || row.cid() != "" {
			known++
		}
	}
	return a.found(known, a.Information.State)
}

type place struct {
	Title       wire.Text `json:"title"`
	PlaceID     wire.Text `json:"place_id"`
	DataID      wire.Text `json:"data_id"`
	DataCID     wire.Text `json:"data_cid"`
	Coordinates struct {
		Latitude  wire.Number `json:"latitude"`
		Longitude wire.Number `json:"longitude"`
	} `json:"gps_coordinates"`
	Rating    wire.Number     `json:"rating"`
	Reviews   wire.Number     `json:"reviews"`
	Type      texts           `json:"type"`
	Types     texts           `json:"types"`
	Address   wire.Text       `json:"address"`
	Phone     wire.Text       `json:"phone"`
	Website   wire.Text       `json:"website"`
	OpenState wire.Text       `json:"open_state"`
	Operating optional[week]  `json:"operating_hours"`
	Hours     optional[weeks] `json:"hours"` // of a list's rows a text, of a look-up the week
}

// texts is one text or a list of them: a look-up has a list where a search has one.
type texts []wire.Text

func (t *texts) UnmarshalJSON(raw []byte) error {
	if raw[0] == '[' {
		return json.Unmarshal(raw, (*[]wire.Text)(t))
	}
	var one wire.Text
	if err := json.Unmarshal(raw, &one); err != nil {
		return err
	}
	*t = texts{one}
	return nil
}

// week holds the hours of each day, by its English name; weeks are a week in parts, one for each day.
type (
	week  map[string]string
	weeks []week
)

// FindPlace looks a place up by its place id, or by its cid when the id is a number. It asks in English, in which hours and
// closing can be read.
func (p *Provider) FindPlace(ctx context.Context, placeID string) (provider.Business, error) {
	if err := provider.CheckPlaceID(placeID); err != nil {
		return provider.Business{}, err
	}
	asked := search{Engine: "google_maps", HL: "en"}
	wantCID, isCID := provider.ParseCID(placeID)
	if isCID {
		asked.DataCID = wire.Text(wantCID)
	} else {
		asked.PlaceID = wire.Text(placeID)
		wantCID, _ = provider.CIDOf(placeID)
	}
	answer := mapsAnswer{envelope: envelope{asked: asked}}
	if err := p.search(ctx, asked, &answer); err != nil {
		return provider.Business{}, err
	}
	for _, row := range answer.places() {
		b := row.business()
		if b.PlaceID == placeID || (wantCID != "" && b.CID == wantCID) {
			b.Hours = row.week()
			return b, nil
		}
	}
	return provider.Business{}, provider.Errorf(provider.NotFound, "SerpApi", "SerpApi knows no place with the id %s.", placeID)
}

// SearchMap asks for one page, which has the twenty rows that count.
func (p *Provider) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	asked := search{
		Engine: "google_maps", Type: "search", Q: wire.Text(q.Keyword), LL: wire.Text(q.At.Viewport()),
		GL: lower(q.Country), HL: lower(q.Language),
	}
	answer := mapsAnswer{envelope: envelope{asked: asked}}
	if err := p.search(ctx, asked, &answer); err != nil {
		return nil, err
	}
	rows := answer.places()
	found := make([]provider.Business, min(len(rows), q.Limit()))
	for i := range found {
		found[i] = rows[i].business()
	}
	return found, nil
}

// lower writes countries and languages as SerpApi does: "us", "pt-br".
func lower(code string) wire.Text { return wire.Text(strings.ToLower(code)) }

func (r place) business() provider.Business {
	b := provider.Business{
		PlaceID: string(r.PlaceID),
		CID:     r.cid(),
		Name:    string(r.Title),
		Address: string(r.Address),
		Lat:     float64(r.Coordinates.Latitude),
		Lng:     float64(r.Coordinates.Longitude),
		Rating:  float64(r.Rating),
		Reviews: r.Reviews.Count(),
		Phone:   string(r.Phone),
		Website: string(r.Website),
		Closed:  r.closed(),
	}
	seen := map[wire.Text]bool{"": true}
	for _, name := range append(r.Type, r.Types...) {
		if !seen[name] {
			seen[name] = true
			b.Categories = append(b.Categories, string(name))
		}
	}
	return b
}

// cid is the row's own, or what its other ids say.
func (r place) cid() string {
	for _, id := range []wire.Text{r.DataCID, r.DataID} {
		if cid, ok := provider.ParseCID(string(id)); ok {
			return cid
		}
	}
	cid, _ := provider.CIDOf(string(r.PlaceID))
	return cid
}

// closed is told by the English words alone.
func (r place) closed() provider.Closed {
	switch state := strings.ToLower(string(r.OpenState)); {
	case strings.Contains(state, "permanently closed"):
		return provider.ClosedForGood
	case strings.Contains(state, "temporarily closed"):
		return provider.ClosedTemporarily
	default:
		return ""
	}
}

func (r place) week() *provider.Hours {
	days := week{}
	maps.Copy(days, r.Operating.value)
	for _, day := range r.Hours.value {
		maps.Copy(days, day)
	}
	return provider.EnglishHours(days)
}
