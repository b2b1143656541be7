package provider

import (
	"cmp"
	"fmt"
	"math"
)

// Access is what may be set for every vendor. The settings of one embed it and say what the variables mean:
//
//	provider.Access `embed:"" prefix:"acme-" set:"vendor=Acme" set:"url=https://api.acme.example"`
type Access struct {
	URL         string  `help:"Base URL of ${vendor}'s API." default:"${url}"`
	Concurrency int     `help:"Most requests to ${vendor} at once, of all processes together; 0 is what its smallest paid plan allows." default:"0"`
	Rate        float64 `help:"Most requests to ${vendor} a second, of all processes together; 0 is what its smallest paid plan allows." default:"0"`
}

// Pace is what was set, and otherwise what the vendor's smallest plan allows.
func (a Access) Pace(smallest Pace) Pace {
	return Pace{Concurrent: cmp.Or(a.Concurrency, smallest.Concurrent), PerSecond: cmp.Or(a.Rate, smallest.PerSecond)}
}

func (a Access) check(vendor string) error {
	if a.Concurrency < 0 || a.Rate < 0 {
		return fmt.Errorf("%[1]s-concurrency and %[1]s-rate must not be negative", vendor)
	}
	if math.IsNaN(a.Rate) || math.IsInf(a.Rate, 0) {
		return fmt.Errorf("%s-rate must be a number; 0 is what the smallest plan allows", vendor)
	}
	if _, ok := apiURL(a.URL); !ok {
		return fmt.Errorf("%s-url %q is not the http(s) URL of an API", vendor, a.URL)
	}
	return nil
}
