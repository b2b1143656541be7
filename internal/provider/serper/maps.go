package serper

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// mapsRequest is either a search (q, ll) or a look-up (placeId or cid).
type mapsRequest struct {
	Q       string `json:"q,omitempty"`
	LL      string `json:"ll,omitempty"`
	PlaceID string `json:"placeId,omitempty"`
	CID     string `json:"cid,omitempty"`
	GL      string `json:"gl,omitempty"`
	HL      string `json:"hl,omitempty"`
	Page    int    `json:"page,omitempty"` // beyond the first, Serper insists on ll
}

func (r mapsRequest) expect() envelope {
	return envelope{asked: echo{Type: "maps", Q: wire.Text(r.Q), LL: wire.Text(r.LL), PlaceID: wire.Text(r.PlaceID), CID: wire.Text(r.CID)}}
}

// FindPlace looks a place up by its place id, or by its cid when the id is a number. It asks in English, in which hours can
// be read. Serper does not tell of closed places.
func (p *Provider) FindPlace(ctx context.Context, placeID string) (provider.Business, error) {
	if err := provider.CheckPlaceID(placeID); err != nil {
		return provider.Business{}, err
	}
	req := mapsRequest{HL: "en"}
	var wantCID string
	if cid, isCID := provider.ParseCID(placeID); isCID {
		req.CID, wantCID = cid, cid
	} else {
		req.PlaceID = placeID
		wantCID, _ = provider.CIDOf(placeID)
	}
	answer := mapsAnswer{envelope: req.expect()}
	if err := p.post(ctx, "/maps", req, &answer); err != nil {
		return provider.Business{}, err
	}
	for _, row := range answer.Places {
		b := row.business()
		known := b.PlaceID == placeID || (wantCID != "" && b.CID == wantCID)
		// Ids of addresses and areas carry no cid; an only row without a place id can but be the one asked for.
		known = known || (len(answer.Places) == 1 && b.PlaceID == "" && wantCID == "")
		if !known {
			continue
		}
		if b.PlaceID == "" && req.PlaceID != "" {
			b.PlaceID = req.PlaceID
		}
		if b.CID == "" {
			b.CID = wantCID
		}
		b.Hours = row.hours()
		return b, nil
	}
	return provider.Business{}, provider.Errorf(provider.NotFound, "Serper", "Serper knows no place with the id %s.", placeID)
}

// SearchMap asks for one page, which has up to twenty rows, all that count.
func (p *Provider) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	req := mapsRequest{Q: q.Keyword, LL: q.At.Viewport(), GL: strings.ToLower(q.Country), HL: q.Language, Page: 1}
	answer := mapsAnswer{envelope: req.expect()}
	if err := p.post(ctx, "/maps", req, &answer); err != nil {
		return nil, err
	}
	found := make([]provider.Business, 0, min(len(answer.Places), q.Limit()))
	for _, row := range answer.Places {
		if row.Sponsored {
			continue
		}
		if len(found) == q.Limit() {
			break
		}
		found = append(found, row.business())
	}
	return found, nil
}

func (r place) business() provider.Business {
	b := provider.Business{
		PlaceID: string(r.PlaceID),
		Name:    string(r.Title),
		Address: string(r.Address),
		Lat:     float64(r.Latitude),
		Lng:     float64(r.Longitude),
		Rating:  float64(r.Rating),
		Reviews: r.RatingCount.Count(),
		Phone:   string(r.PhoneNumber),
		Website: string(r.Website),
	}
	b.CID = r.cid()
	for _, name := range append([]wire.Text{r.Type}, r.Types...) {
		if name != "" && (len(b.Categories) == 0 || name != r.Type) {
			b.Categories = append(b.Categories, string(name))
		}
	}
	return b
}

// cid is the row's own, or what its other ids say.
func (r place) cid() string {
	for _, id := range []wire.Text{r.CID, r.FID} {
		if cid, ok := provider.ParseCID(string(id)); ok {
			return cid
		}
	}
	cid, _ := provider.CIDOf(string(r.PlaceID))
	return cid
}

func (r place) hours() *provider.Hours {
	var week map[string]string
	if json.Unmarshal(r.Hours, &week) != nil {
		return nil
	}
	return provider.EnglishHours(week)
}
