// Package maplisting watches what the map that people search shows of a location: it looks the place up every week
// and tells in words what differs from what the owner has told. It changes nothing on the map.
package maplisting

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// ID of the directory.
const ID = "map"

// Options are what a Listing needs.
type Options struct {
	Title   string // of the map
	Metered bool   // whether a look counts as one of the account's look-ups, when it is asked for
	Clock   clock.Clock

	// Find looks a place up for an account. An unknown one is an error of kind NotFound, an id of another map one of
	// kind BadQuery.
	Find func(ctx context.Context, accountID, placeID string) (provider.Business, error)

	// Page is where people see a place on the map; "" when they cannot.
	Page func(provider.Business) string
}

// Listing is the listing of a location on the map. A location without a place id has none.
type Listing struct{ options Options }

// New returns the connector.
func New(o Options) *Listing { return &Listing{o} }

// Describe implements directory.Connector.
func (l *Listing) Describe() directory.Descriptor {
	return directory.Descriptor{ID: ID, Name: l.options.Title}
}

// Metered tells whether a look that is asked for counts as one of the account's look-ups.
func (l *Listing) Metered() bool { return l.options.Metered }

// Place implements directory.Connector.
func (l *Listing) Place(item directory.Item) directory.Outcome {
	if item.PlaceID == "" {
		return directory.Outcome{Status: directory.Disconnected, Detail: "The location has no place_id, so that it is not looked up on the map."}
	}
	return directory.Outcome{Status: directory.Processing}
}

// Remove implements directory.Connector.
func (l *Listing) Remove() directory.Outcome {
	return directory.Outcome{Status: directory.Disconnected}
}

// Subject implements directory.Watcher: a digest of what is compared.
func (l *Listing) Subject(item directory.Item) string {
	p := item.Profile
	compared, err := json.Marshal([]any{
		item.PlaceID, p.BusinessName, p.PhoneNumber, p.Country, p.Region, p.City, p.Zip, p.AddressLine1, p.SuppressAddress, p.WebsiteURL, p.BusinessHours, p.ReopenDate,
	})
	if err != nil {
		return "" // texts and numbers always encode
	}
	sum := sha256.Sum256(compared)
	return hex.EncodeToString(sum[:16])
}

// Look implements directory.Looker.
func (l *Listing) Look(ctx context.Context, item directory.Item) (directory.Outcome, error) {
	if item.PlaceID == "" {
		return l.Place(item), nil
	}
	outcome := directory.Outcome{Status: directory.Unavailable, LookAfter: l.untilNext(item.LocationID)}
	found, err := l.options.Find(ctx, item.AccountID, item.PlaceID)
	var failure *provider.Error
	switch {
	case err == nil:
	case !errors.As(err, &failure):
		return directory.Outcome{}, err
	case failure.Kind == provider.NotFound:
		outcome.Detail = "The map does not know the place " + item.PlaceID + ", or no longer does."
		return outcome, nil
	case failure.Kind == provider.BadQuery: // an id that this map can never know
		outcome.Detail = failure.Message
		return outcome, nil
	default:
		return directory.Outcome{}, &directory.Undelivered{Reason: failure.Message, Cause: err}
	}
	outcome.URL = l.options.Page(found)
	now := l.options.Clock.Now()
	if differences := compare(item.Profile, found, now); len(differences) > 0 {
		outcome.Detail, outcome.Closed = strings.Join(differences, " "), closed(item.Profile, found, now) != ""
		return outcome, nil
	}
	outcome.Status = directory.Connected
	return outcome, nil
}

const week = 7 * 24 * time.Hour

// untilNext is the time to the next look: every location has its own moment of the week, so that the looks of many
// are spread over it. A look just before that moment makes it the next week's.
func (l *Listing) untilNext(locationID string) time.Duration {
	now := l.options.Clock.Now()
	sum := sha256.Sum256([]byte(locationID))
	moment := time.Duration(binary.BigEndian.Uint64(sum[:8]) % uint64(week))
	next := now.Truncate(week).Add(moment)
	for next.Sub(now) < 24*time.Hour {
		next = next.Add(week)
	}
	return next.Sub(now)
}
