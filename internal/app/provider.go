package app

import (
	"fmt"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/brave"
	"github.com/trigpoint/trigpoint/internal/provider/dataforseo"
	"github.com/trigpoint/trigpoint/internal/provider/foursquare"
	"github.com/trigpoint/trigpoint/internal/provider/googleads"
	"github.com/trigpoint/trigpoint/internal/provider/googleautocomplete"
	"github.com/trigpoint/trigpoint/internal/provider/googleplaces"
	"github.com/trigpoint/trigpoint/internal/provider/photon"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/provider/searxng"
	"github.com/trigpoint/trigpoint/internal/provider/serpapi"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
	"github.com/trigpoint/trigpoint/internal/provider/webindex"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/source"
)

// Vendors are the providers that ask a company's API, their settings still empty. A new one is a line here. Unless the settings say otherwise
// they are asked in this order: what people see on Google first, then other maps and engines.
func Vendors() []provider.Vendor {
	return []provider.Vendor{
		provider.NewVendor("dataforseo", &dataforseo.Options{}, dataforseo.New),
		provider.NewVendor("serper", &serper.Options{}, serper.New),
		provider.NewVendor("serpapi", &serpapi.Options{}, serpapi.New),
		provider.NewVendor("googleplaces", &googleplaces.Options{}, googleplaces.New),
		provider.NewVendor("foursquare", &foursquare.Options{}, foursquare.New),
		provider.NewVendor("photon", &photon.Options{}, photon.New),
		provider.NewVendor("searxng", &searxng.Options{}, searxng.New),
		provider.NewVendor("brave", &brave.Options{}, brave.New),
		provider.NewVendor("googleads", &googleads.Options{}, googleads.New),
		provider.NewVendor("googleautocomplete", &googleautocomplete.Options{}, googleautocomplete.New),
	}
}

// BuiltIn are the providers that answer from what was imported here and have nothing to set. Opened in this way they can
// only be described.
func BuiltIn() []provider.Vendor {
	type none struct{}
	return []provider.Vendor{
		provider.NewVendor("placeindex", &none{}, func(none, clock.Clock) (*placeindex.Provider, error) { return placeindex.NewProvider(nil), nil }),
		provider.NewVendor("webindex", &none{}, func(none, clock.Clock) (*webindex.Provider, error) { return webindex.New(nil), nil }),
	}
}

// WebProvider is a provider that searches the web.
type WebProvider = rankwatch.WebProvider

// openChain opens the providers of these names, in their order; a name that is no vendor's means the built-in provider.
func openChain[P provider.Provider](a *App, names []string, builtIn P, o provider.CallerOptions) (source.Chain[P], error) {
	if len(names) == 0 {
		return chainOf(a, o, builtIn), nil
	}
	var providers []P
	for _, name := range names {
		p, err := openProvider(a, name, builtIn)
		if err != nil {
			return nil, err
		}
		providers = append(providers, p)
	}
	return chainOf(a, o, providers...), nil
}

func openProvider[P provider.Provider](a *App, name string, builtIn P) (P, error) {
	for _, v := range a.Config.Vendors {
		if v.Name != name {
			continue
		}
		opened, err := v.Open(a.Clock)
		if err != nil {
			return builtIn, err
		}
		able, ok := opened.(P)
		if !ok {
			return builtIn, fmt.Errorf("%s cannot do what it is configured for", name)
		}
		return able, nil
	}
	return builtIn, nil
}

func chainOf[P provider.Provider](a *App, o provider.CallerOptions, providers ...P) source.Chain[P] {
	var chain source.Chain[P]
	for _, p := range providers {
		chain = append(chain, source.Source[P]{Provider: p, Caller: a.caller(p, o)})
	}
	return chain
}

// caller is how all areas ask a provider. Those that ask with the same account keep its pace together.
func (a *App) caller(p provider.Provider, o provider.CallerOptions) *provider.Caller {
	d := p.Describe()
	if c := a.callers[d.Account]; c != nil {
		return c
	}
	o.Store = a.DB
	c := provider.NewCaller(d, o)
	if d.Account != "" {
		a.callers[d.Account] = c
	}
	return c
}
