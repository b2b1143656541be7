// Package directory says what a directory connector is and holds the built-in ones: hosted page, sitemap,
// feed and webhook; those of a company's API or of some size have a folder each. A connector translates a
// location for its directory; when it publishes, and what a listing shows, is decided and kept by its caller.
package directory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// Status is the state of a listing.
type Status string

// The states of a listing.
const (
	Connected    Status = "CONNECTED"
	Submitted    Status = "SUBMITTED"
	Unavailable  Status = "UNAVAILABLE"
	Disconnected Status = "DISCONNECTED"
	Processing   Status = "PROCESSING"
)

// Descriptor is what is fixed about a directory.
type Descriptor struct {
	ID           string // stable; stored with every listing
	Name         string
	Parent       string   // ID of the directory that this one follows
	Controllable bool     // whether a listing can be enabled and disabled
	Countries    []string // where it is offered; empty is everywhere
	Fingerprint  string   // of the settings whose change makes it be told everything again
	Remembers    bool     // it is told of a deleted location even after a withdrawal, so that it can forget it
}

// Serves tells whether the directory takes locations of the country.
func (d Descriptor) Serves(country string) bool {
	return len(d.Countries) == 0 || slices.Contains(d.Countries, country)
}

// Item is a location to publish.
type Item struct {
	AccountID  string
	LocationID string
	FeedToken  string // of the account
	PlaceID    string // on the map: the owner's, or else one that a directory has told
	Profile    Profile
	Images     []Image
}

// Image is a published picture.
type Image struct {
	Type        string `json:"type"`
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
	Bytes       int64  `json:"-"` // 0 is unknown
}

// Outcome is what a listing shows after a step.
type Outcome struct {
	Status Status
	URL    string
	Detail string // why, when it is not as wanted
	Closed bool   // it is shown as closed, and not meant to be

	PlaceID   string        // of the location on the map, where the directory tells it
	LookAfter time.Duration // when a Looker is to look again; 0 is never
}

// Connector serves one directory. Place and Remove say what the listing shows; neither does I/O. A
// directory that must be told is a Pusher too, and is told afterwards.
type Connector interface {
	Describe() Descriptor
	Place(Item) Outcome
	Remove() Outcome
}

// Event is what a Pusher tells its directory.
type Event struct {
	Type string // location.published, location.withdrawn, location.deleted
	At   time.Time
	Item Item
}

// Event types.
const (
	Published = "location.published"
	Withdrawn = "location.withdrawn"
	Deleted   = "location.deleted"
)

// Message is an event on its way. Its ID stands for its Body: every attempt to deliver it carries the same.
type Message struct {
	ID         string
	Type       string // of the event
	AccountID  string
	LocationID string
	Version    int64 // grows with every message about a location
	Body       []byte
}

// Pusher tells a directory of events. A *Rejected error is final; any other may pass, and only the reason of
// an *Undelivered one is for the owner of the location to read. After an *Unfinished one the same message is
// pushed again to do the rest.
type Pusher interface {
	Compose(e Event) (body []byte, err error)
	Push(ctx context.Context, m Message) (Outcome, error)
}

// Looker can tell what a directory shows of a location now. An outcome that is PROCESSING asks for the location to
// be pushed again. Of an error, only the reason of an *Undelivered one is for the owner of the location to read.
type Looker interface {
	Look(ctx context.Context, item Item) (Outcome, error)
}

// Watcher is a Looker of a directory that nobody tells anything.
type Watcher interface {
	Connector
	Looker

	// Subject stands for all of a location that a look depends on: while it is the same, what was found holds.
	Subject(item Item) string
}

// HourTyper knows the types of more_hours that its directory offers for a location; none when it does not know
// the location.
type HourTyper interface {
	HourTypes(ctx context.Context, q db.Queryer, accountID, locationID string) ([]string, error)
}

// Rejected says that the directory refused the data itself.
type Rejected struct{ Reason string }

func (r *Rejected) Error() string {
	return fmt.Sprintf("the directory rejected the location: %s", r.Reason)
}

// Undelivered says that the directory could not be told. Its cause may name hosts and is for the log.
type Undelivered struct {
	Reason string
	Cause  error
}

func (u *Undelivered) Error() string {
	if u.Cause == nil {
		return u.Reason
	}
	return u.Reason + ": " + u.Cause.Error()
}

func (u *Undelivered) Unwrap() error { return u.Cause }

// Unfinished says that a directory takes the rest of a message only later.
type Unfinished struct{ After time.Duration }

func (u *Unfinished) Error() string {
	return fmt.Sprintf("the directory takes the rest in %s", u.After)
}
