package serpapi

import (
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// search is a question, as it is asked and as it is repeated in search_parameters.
type search struct {
	Engine       wire.Text   `json:"engine"`
	Type         wire.Text   `json:"type"`
	Q            wire.Text   `json:"q"`
	LL           wire.Text   `json:"ll"`
	PlaceID      wire.Text   `json:"place_id"`
	DataCID      wire.Text   `json:"data_cid"`
	Location     wire.Text   `json:"location"`
	GoogleDomain wire.Text   `json:"google_domain"`
	GL           wire.Text   `json:"gl"`
	HL           wire.Text   `json:"hl"`
	Device       wire.Text   `json:"device"`
	Start        wire.Number `json:"start"`
}

func (s search) values() url.Values {
	values := url.Values{}
	for name, value := range map[string]wire.Text{
		"engine": s.Engine, "type": s.Type, "q": s.Q, "ll": s.LL, "place_id": s.PlaceID, "data_cid": s.DataCID,
		"location": s.Location, "google_domain": s.GoogleDomain, "gl": s.GL, "hl": s.HL, "device": s.Device,
	} {
		if value != "" {
			values.Set(name, string(value))
		}
	}
	if s.Start > 0 {
		values.Set("start", strconv.Itoa(s.Start.Count()))
	}
	return values
}

// repeats tells whether s is the question asked. What decides which results there are must be the same, where it is repeated
// at all; the market is left to SerpApi, which has its own spellings.
func (s search) repeats(asked search) bool {
	same := func(told, asked wire.Text) bool { return told == "" || told.Same(asked) }
	return s.Engine == asked.Engine && s.Q.Same(asked.Q) && (s.Start == 0 || s.Start == asked.Start) &&
		same(s.PlaceID, asked.PlaceID) && same(s.DataCID, asked.DataCID) && same(s.Device, asked.Device) &&
		(s.LL == "" || provider.SameViewport(string(s.LL), string(asked.LL)))
}

// searchAnswer is an answer that may be billed.
type searchAnswer interface {
	provider.Answer
	cached() bool
}

// envelope is what every answer has: how the search ended, the question repeated, and perhaps an error.
type envelope struct {
	Metadata struct {
		Status wire.Text `json:"status"`
	} `json:"search_metadata"`
	Parameters *search   `json:"search_parameters"`
	Error      wire.Text `json:"error"`

	asked search
}

func (e *envelope) cached() bool { return e.Metadata.Status == "Cached" }

// Verify wants a search that succeeded and the question repeated. SerpApi says that Google found nothing by an error
// inside a success, which is no failure.
func (e *envelope) Verify() error {
	switch {
	case e.Metadata.Status != "Success" && !e.cached():
		return errors.New("search_metadata does not say Success")
	case e.Error != "" && !e.saysNothingFound():
		return errors.New("an error inside a success")
	case e.Parameters == nil:
		return errors.New("search_parameters are missing")
	case !e.Parameters.repeats(e.asked):
		return errors.New("search_parameters are those of another question")
	}
	return nil
}

func (e *envelope) saysNothingFound() bool {
	return strings.Contains(string(e.Error), "returned any results")
}

// found wants either results, or the word that there are none: a list that is merely missing proves nothing.
func (e *envelope) found(results int, state wire.Text) error {
	switch nothing := e.saysNothingFound() || state == "Fully empty"; {
	case results == 0 && !nothing:
		return errors.New("neither results nor the word that there are none")
	case results > 0 && e.saysNothingFound():
		return errors.New("results, and the word that there are none")
	}
	return nil
}

// optional is a part of an answer on which no rank hangs. What cannot be read of it is left out.
type optional[T any] struct{ value T }

func (o *optional[T]) UnmarshalJSON(raw []byte) error {
	var value T
	if json.Unmarshal(raw, &value) == nil {
		o.value = value
	}
	return nil
}
