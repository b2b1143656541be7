package providertest

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Scripted is a provider in process whose answers are functions. A nil one answers with a BadQuery.
// The functions may be called concurrently; set them before the first call.
type Scripted struct {
	Title   string            // "Scripted" when empty
	Pace    provider.Pace     // 16 at once, no rate, when zero
	Devices []provider.Device // of web searches; all of them when nil
	Whole   bool              // web searches are of whole countries only
	Account string            // of a vendor; a provider in process has none
	Google  bool              // its cids are those of Google Maps

	Place func(ctx context.Context, placeID string) (provider.Business, error)
	Map   func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error)
	Web   func(ctx context.Context, q provider.WebQuery) (provider.WebPage, error)

	meter meter
}

var (
	_ provider.PlaceFinder = (*Scripted)(nil)
	_ provider.MapSearcher = (*Scripted)(nil)
	_ provider.WebSearcher = (*Scripted)(nil)
)

// Describe names the provider.
func (s *Scripted) Describe() provider.Descriptor {
	d := provider.Descriptor{Name: "scripted", Title: s.Title, Pace: s.Pace, Devices: s.Devices, Whole: s.Whole, Account: s.Account, Google: s.Google}
	if d.Title == "" {
		d.Title = "Scripted"
	}
	if d.Pace.Concurrent == 0 {
		d.Pace.Concurrent = 16
	}
	if d.Devices == nil {
		d.Devices = []provider.Device{provider.Desktop, provider.Mobile}
	}
	return d
}

// FindPlace asks the Place function.
func (s *Scripted) FindPlace(ctx context.Context, placeID string) (provider.Business, error) {
	return ask(ctx, s, s.Place, placeID)
}

// SearchMap asks the Map function.
func (s *Scripted) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	return ask(ctx, s, s.Map, q)
}

// SearchWeb asks the Web function.
func (s *Scripted) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	return ask(ctx, s, s.Web, q)
}

// Calls is how often it was asked.
func (s *Scripted) Calls() int { return s.meter.calls() }

// Peak is how many calls were under way at once, at most.
func (s *Scripted) Peak() int { return s.meter.peak() }

func ask[Q, A any](ctx context.Context, s *Scripted, script func(context.Context, Q) (A, error), q Q) (A, error) {
	var none A
	if err := ctx.Err(); err != nil {
		return none, err
	}
	s.meter.enter()
	defer s.meter.leave()
	if script == nil {
		return none, provider.Errorf(provider.BadQuery, s.Describe().Title, "The script has no answer to this.")
	}
	return script(ctx, q)
}
