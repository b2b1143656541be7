package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/client/local"
)

// Locations are the businesses of an account at their addresses.
type Locations struct{ c *Client }

// LocationFilter chooses locations; the zero value is all of them.
type LocationFilter struct {
	Query    string   // words of name or address
	Statuses []string // COMPLETED, PROCESSING, FAILED
	Frozen   *bool
}

// locationPage is how many locations are asked for at once, the most that the server gives.
const locationPage = 50

// List goes through all locations, newest first, and asks for the next page when it is needed. It ends with the first error.
func (l Locations) List(ctx context.Context, filter LocationFilter) iter.Seq2[local.Location, error] {
	frozen := ""
	if filter.Frozen != nil {
		frozen = map[bool]string{true: "true", false: "false"}[*filter.Frozen]
	}
	return pages(func(page int) ([]local.Location, bool, error) {
		var answer enveloped[[]local.Location]
		offset := page * locationPage
		err := l.c.do(ctx, call{area: localArea, method: http.MethodGet, path: "/locations", query: query(
			"query", filter.Query, "location_statuses", strings.Join(filter.Statuses, ","), "frozen", frozen,
			"limit", number(locationPage), "offset", number(offset),
		)}, &answer)
		return answer.Data, int64(offset+len(answer.Data)) >= answer.Meta.Total, err
	})
}

// Count is how many locations a filter chooses.
func (l Locations) Count(ctx context.Context, filter LocationFilter) (int64, error) {
	var answer enveloped[[]json.RawMessage]
	err := l.c.do(ctx, call{area: localArea, method: http.MethodGet, path: "/locations", query: query(
		"query", filter.Query, "location_statuses", strings.Join(filter.Statuses, ","), "limit", "1",
	)}, &answer)
	return answer.Meta.Total, err
}

// Get reads one location.
func (l Locations) Get(ctx context.Context, id string) (local.Location, error) {
	return get[local.Location](ctx, l.c, call{area: localArea, method: http.MethodGet, path: "/locations" + segment(id)})
}

// Create makes a location.
func (l Locations) Create(ctx context.Context, location local.NewLocation) (local.Location, error) {
	return get[local.Location](ctx, l.c, call{area: localArea, method: http.MethodPost, path: "/locations", body: location})
}

// Check tells what Create would say, and makes nothing.
func (l Locations) Check(ctx context.Context, location local.NewLocation) error {
	return l.c.do(ctx, call{area: localArea, method: http.MethodPost, path: "/locations", query: query("validate_only", "true"), body: location}, nil)
}

// Update changes the fields that are set, and no others; one that is set to "" or an empty list is removed. The update
// mask is made of them.
func (l Locations) Update(ctx context.Context, id string, change local.LocationChange) (local.Location, error) {
	encoded, err := json.Marshal(change)
	if err != nil {
		return local.Location{}, err
	}
	var set map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &set); err != nil {
		return local.Location{}, err
	}
	mask := make([]string, 0, len(set))
	for name := range set {
		mask = append(mask, name)
	}
	slices.Sort(mask)
	return get[local.Location](ctx, l.c, call{
		area: localArea, method: http.MethodPatch, path: "/locations" + segment(id),
		query: query("update_mask", strings.Join(mask, ",")), body: set,
	})
}

// Delete removes a location for good.
func (l Locations) Delete(ctx context.Context, id string) error {
	return l.c.do(ctx, call{area: localArea, method: http.MethodDelete, path: "/locations" + segment(id)}, nil)
}

// Listings tells where a location is published.
func (l Locations) Listings(ctx context.Context, id string) ([]local.Listing, error) {
	return get[[]local.Listing](ctx, l.c, call{area: localArea, method: http.MethodGet, path: "/locations" + segment(id) + "/listings"})
}

// pages goes through the items of one page after the other.
func pages[T any](read func(page int) (items []T, last bool, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page := 0; ; page++ {
			items, last, err := read(page)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if last || len(items) == 0 {
				return
			}
		}
	}
}
