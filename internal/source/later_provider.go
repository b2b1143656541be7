package source

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Maps is a provider that finds places and searches the map.
type Maps interface {
	provider.Provider
	provider.PlaceFinder
	provider.MapSearcher
}

// Web is a provider that searches the web.
type Web interface {
	provider.Provider
	provider.WebSearcher
}

// unpaced is how a provider may be asked whose questions only line up here: what the vendor is asked keeps its own pace.
func unpaced(d provider.Descriptor) provider.Descriptor {
	d.Pace, d.Later = provider.Pace{Concurrent: provider.MaxPost}, true
	d.Prices.Map, d.Prices.WebPage = 0, 0 // they are paid when they are posted
	return d
}

// LaterMaps makes a source of a map provider whose vendor answers searches later.
func LaterMaps(p Maps, q provider.Queue[provider.MapQuery, []provider.Business], o LaterOptions) (Maps, *provider.Caller) {
	d := p.Describe()
	m := &laterMaps{Maps: p, later: newLater(q, d, func(provider.MapQuery) provider.Money { return d.Prices.Map }, o)}
	return m, liningUp(m)
}

// liningUp is a Caller for what is asked through another Caller in the end, which tries again and keeps the pace. The questions of a
// batch fail together: only several batches make a vendor that keeps failing.
func liningUp(p provider.Provider) *provider.Caller {
	return provider.NewCaller(p.Describe(), provider.CallerOptions{Attempts: 1, BreakerCalls: 3 * provider.MaxPost})
}

type laterMaps struct {
	Maps
	later *later[provider.MapQuery, []provider.Business]
}

func (m *laterMaps) Describe() provider.Descriptor { return unpaced(m.Maps.Describe()) }

// FindPlace is answered now.
func (m *laterMaps) FindPlace(ctx context.Context, placeID string) (provider.Business, error) {
	return provider.Call(ctx, m.later.Caller, func(ctx context.Context) (provider.Business, error) { return m.Maps.FindPlace(ctx, placeID) })
}

// SearchMap is answered later, unless the question has no key.
func (m *laterMaps) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if q.Key == "" {
		return provider.Call(ctx, m.later.Caller, func(ctx context.Context) ([]provider.Business, error) { return m.Maps.SearchMap(ctx, q) })
	}
	return m.later.ask(ctx, q.Key, q)
}

// LaterWeb makes a source of a web provider whose vendor answers searches later.
func LaterWeb(p Web, q provider.Queue[provider.WebQuery, provider.WebPage], o LaterOptions) (Web, *provider.Caller) {
	d := p.Describe()
	w := &laterWeb{Web: p, later: newLater(q, d, func(q provider.WebQuery) provider.Money { return provider.Money(q.Pages()) * d.Prices.WebPage }, o)}
	return w, liningUp(w)
}

type laterWeb struct {
	Web
	later *later[provider.WebQuery, provider.WebPage]
}

func (w *laterWeb) Describe() provider.Descriptor { return unpaced(w.Web.Describe()) }

// SearchWeb is answered later, unless the question has no key.
func (w *laterWeb) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	if err := q.Check(); err != nil {
		return provider.WebPage{}, err
	}
	if q.Key == "" {
		return provider.Call(ctx, w.later.Caller, func(ctx context.Context) (provider.WebPage, error) { return w.Web.SearchWeb(ctx, q) })
	}
	return w.later.ask(ctx, q.Key, q)
}
