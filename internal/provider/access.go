package provider

import (
	"cmp"
	"fmt"
	"math"
)

// Access is what may be set for every vendor. The settings of one embed it and say what the variables mean:
//
//	provider.Access `embed:"" prefix:"acme-" set:"vendor=Acme" set:"url=https://api.acme.example" set:"pace=its smallest paid plan allows" set:"unit=search" set:"price=0.001"`
type Access struct {
	URL         string  `help:"Base URL of ${vendor}'s API." default:"${url}"`
	Concurrency int     `help:"Most requests to ${vendor} at once, of all processes together; 0 is what ${pace}." default:"0"`
	Rate        float64 `help:"Most requests to ${vendor} a second, of all processes together; 0 is what ${pace}." default:"0"`
	Price       float64 `help:"What ${vendor} charges for a ${unit}, in US dollars." default:"${price}"`
	Budget      float64 `help:"Most that ${vendor} may cost in a calendar month, in US dollars; 0 is no limit." default:"0"`
}

// Pace is what was set, and otherwise what the vendor's smallest plan allows.
func (a Access) Pace(smallest Pace) Pace {
	return Pace{Concurrent: cmp.Or(a.Concurrency, smallest.Concurrent), PerSecond: cmp.Or(a.Rate, smallest.PerSecond)}
}

func (a Access) check(vendor string) error {
	if a.Concurrency < 0 || a.Rate < 0 || a.Price < 0 || a.Budget < 0 {
		return fmt.Errorf("%[1]s-concurrency, %[1]s-rate, %[1]s-price and %[1]s-budget must not be negative", vendor)
	}
	for name, v := range map[string]float64{"rate": a.Rate, "price": a.Price, "budget": a.Budget} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s-%s must be a number", vendor, name)
		}
	}
	if _, ok := apiURL(a.URL); !ok && a.URL != "" {
		return fmt.Errorf("%s-url %q is not the http(s) URL of an API", vendor, a.URL)
	}
	return nil
}

// missing is the URL of a vendor that people run themselves, which has no default.
func (a Access) missing(vendor string) []string {
	if a.URL == "" {
		return []string{vendor + "-url"}
	}
	return nil
}
