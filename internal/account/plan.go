// Package account owns accounts, their plans, keys, access tokens, passwords, sessions and quotas. It knows nothing
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
	Lookups   int64   `json:"lookups"` // live searches a month that requests and first checks cause
	Rate      float64 `json:"rate"`    // requests a second; 0 is unlimited

	ImageBytes     int64 `json:"image_bytes"`
	StoredKeywords int64 `json:"stored_keywords"` // with figures, in the research store
}

// Plans is the table of plans by name.
type Plans map[string]Plan

// DefaultPlan is what a new account gets.
const DefaultPlan = "pro"

// DefaultPlans returns the built-in table.
func DefaultPlans() Plans {
	return Plans{
		"free": {
			Locations: 5, Campaigns: 3, Credits: 1_000, Trackings: 1, Keywords: 50, Lookups: 1_000, Rate: 10,
			ImageBytes: 200e6, StoredKeywords: 10_000,
		},
		"pro": {
			Locations: 100, Campaigns: 100, Credits: 25_000, Trackings: 50, Keywords: 1_000, Lookups: 50_000, Rate: 100,
			ImageBytes: 5e9, StoredKeywords: 500_000,
		},
		"agency": {
			Locations: 10_000, Campaigns: 10_000, Credits: 1_000_000, Trackings: 1_000, Keywords: 100_000, Lookups: 2_000_000, Rate: 1_000,
			ImageBytes: 200e9, StoredKeywords: 20_000_000,
		},
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
		if plan.Rate < 0 {
			return nil, fmt.Errorf("plan %s: the rate is negative", name)
		}
		for q, rule := range quotaRules {
			if rule.limit(plan) < 0 {
				return nil, fmt.Errorf("plan %s: the limit of %s is negative", name, q)
			}
		}
		plans[name] = plan
	}
	return plans, nil
}

// Names lists the plans in order.
func (p Plans) Names() []string { return slices.Sorted(maps.Keys(p)) }
