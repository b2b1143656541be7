// Package account owns accounts, their plans, keys, access tokens and monthly credits. It knows nothing
// of what an account does with them.
package account

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Plan is what an account may hold and do.
type Plan struct {
	Locations int     `json:"locations"`
	Campaigns int     `json:"campaigns"`
	Credits   int64   `json:"credits"` // a month
	Trackings int     `json:"trackings"`
	Keywords  int     `json:"keywords"`
	Rate      float64 `json:"rate"` // requests a second; 0 is unlimited
}

// Plans is the table of plans by name.
type Plans map[string]Plan

// DefaultPlan is what a new account gets.
const DefaultPlan = "pro"

// DefaultPlans returns the built-in table.
func DefaultPlans() Plans {
	return Plans{
		"free":   {Locations: 5, Campaigns: 3, Credits: 1_000, Trackings: 1, Keywords: 50, Rate: 10},
		"pro":    {Locations: 100, Campaigns: 100, Credits: 25_000, Trackings: 50, Keywords: 1_000, Rate: 100},
		"agency": {Locations: 10_000, Campaigns: 10_000, Credits: 1_000_000, Trackings: 1_000, Keywords: 100_000, Rate: 1_000},
	}
}

// Override returns the built-in table with the changes of a JSON object such as
// {"free":{"locations":10},"team":{...}}; what it does not name stays as it was.
func Override(changes string) (Plans, error) {
	plans := DefaultPlans()
	if changes == "" {
		return plans, nil
	}
	var named map[string]json.RawMessage
	if err := json.Unmarshal([]byte(changes), &named); err != nil {
		return nil, fmt.Errorf("plans are not a JSON object: %w", err)
	}
	for name, raw := range named {
		plan := plans[name]
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&plan); err != nil {
			return nil, fmt.Errorf("plan %s: %w", name, err)
		}
		if plan.Locations < 0 || plan.Campaigns < 0 || plan.Credits < 0 || plan.Trackings < 0 || plan.Keywords < 0 || plan.Rate < 0 {
			return nil, fmt.Errorf("plan %s: a limit is negative", name)
		}
		plans[name] = plan
	}
	return plans, nil
}

// Names lists the plans in order.
func (p Plans) Names() []string { return slices.Sorted(maps.Keys(p)) }
