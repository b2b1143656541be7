// Package businessprofile publishes locations to Google Business Profile, for accounts that have connected it.
//
// A location is matched with a profile that the connected person manages: by its store code, which is our location id, or
// by its name together with its phone number or address, if there is exactly one such profile. Otherwise a profile
// is made. From then on what changes here is written there, and only that: what the owner changes at Google stays until the
// same field is changed here.
//
// Nothing that a person may have built up is destroyed. A disabled listing is left as it is and no longer written. When a
// location is deleted, its profile is deleted only if we made it and it was never verified; any other stays with its owner.
package businessprofile

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// ID of the directory.
const ID = "business-profile"

// Options are what a Connector needs.
type Options struct {
	DB      *db.DB
	Clock   clock.Clock
	Tokens  Tokens
	Project string // stands for the Google Cloud project whose quota is used
	URL     string // in place of Google's, for tests
	Caller  provider.CallerOptions
}

// Connector is the directory.
type Connector struct {
	db    *db.DB
	clock clock.Clock
	api   *api
}

// New checks the options; it asks nothing yet.
func New(o Options) (*Connector, error) {
	a, err := newAPI(o.URL, o.Project, o.Tokens, o.Clock, o.Caller)
	return &Connector{db: o.DB, clock: o.Clock, api: a}, err
}

// Describe implements directory.Connector.
func (c *Connector) Describe() directory.Descriptor {
	return directory.Descriptor{ID: ID, Name: "Google Business Profile", Controllable: true, Remembers: true}
}

// Place implements directory.Connector.
func (c *Connector) Place(directory.Item) directory.Outcome {
	return directory.Outcome{Status: directory.Processing}
}

// Remove implements directory.Connector: the profile stays as it is.
func (c *Connector) Remove() directory.Outcome {
	return directory.Outcome{Status: directory.Disconnected}
}

// message is what Google is to show.
type message struct {
	Profile directory.Profile `json:"profile"`
	Images  []image           `json:"images"`
}

type image struct {
	Type        string `json:"type"`
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
	Bytes       int64  `json:"bytes"`
}

// Compose implements directory.Pusher.
func (c *Connector) Compose(e directory.Event) ([]byte, error) {
	m := message{Profile: e.Item.Profile}
	for _, img := range e.Item.Images {
		m.Images = append(m.Images, image(img))
	}
	return json.Marshal(m)
}

const (
	lookSubmitted = 24 * time.Hour
	lookConnected = 7 * 24 * time.Hour

	leaseTime = time.Minute     // where the context has no end
	busyPause = 5 * time.Second // while another message about the location is worked on
)

// Push implements directory.Pusher. Working on a message twice does no harm: what Google has done is remembered after
// every step.
func (c *Connector) Push(ctx context.Context, m directory.Message) (directory.Outcome, error) {
	switch m.Type {
	case directory.Withdrawn:
		return c.Remove(), nil
	case directory.Deleted:
		return c.Remove(), c.letGo(ctx, m.AccountID, m.LocationID)
	}
	var told message
	if err := json.Unmarshal(m.Body, &told); err != nil {
		return directory.Outcome{}, err
	}
	until, ok := ctx.Deadline()
	if !ok {
		until = time.Now().Add(leaseTime)
	}
	r, err := c.claim(ctx, m.AccountID, m.LocationID, m.Version, c.clock.Now().Add(time.Until(until)))
	if db.IsNoRow(err) {
		if overtaken, err := c.overtaken(ctx, m.LocationID, m.Version); err != nil || overtaken {
			return directory.Outcome{}, err
		}
		return directory.Outcome{}, &directory.Unfinished{After: busyPause}
	}
	if err != nil {
		return directory.Outcome{}, err
	}
	p := &publisher{Connector: c, record: &r, message: told, version: m.Version}
	outcome, err := p.publish(ctx)
	if provider.KindOf(err) == provider.NotFound {
		return profileGone, c.forget(ctx, m.LocationID)
	}
	if released := c.release(ctx, m.LocationID); released != nil && err == nil {
		err = released
	}
	return judge(outcome, err)
}

var profileGone = directory.Outcome{
	Status: directory.Unavailable, Detail: "The profile no longer exists at Google. It is made again when the location changes, or when the listing is disabled and enabled.",
}

// judge makes of a failure what the listing shows, or an error that says whether trying again helps.
func judge(outcome directory.Outcome, err error) (directory.Outcome, error) {
	var failure *provider.Error
	var impossible *unpublishable
	switch {
	case errors.As(err, &impossible):
		return directory.Outcome{Status: directory.Unavailable, Detail: impossible.reason, LookAfter: lookSubmitted}, nil
	case !errors.As(err, &failure):
		return outcome, err
	}
	if failure.Kind == provider.Unauthorized || failure.Kind == provider.QuotaSpent {
		return directory.Outcome{Status: directory.Unavailable, Detail: failure.Message, LookAfter: lookSubmitted}, nil
	}
	return directory.Outcome{}, &directory.Undelivered{Reason: strings.TrimSuffix(failure.Message, "."), Cause: err}
}

// Look implements directory.Looker: it tells how far the verification is. A location is to be pushed again when the last
// push could not be finished, or when the day of its reopening has come.
func (c *Connector) Look(ctx context.Context, item directory.Item) (directory.Outcome, error) {
	if _, err := c.api.tokens.Token(ctx, item.AccountID); err != nil {
		return judge(directory.Outcome{}, err)
	}
	r, err := c.find(ctx, item.AccountID, item.LocationID)
	if err != nil && !db.IsNoRow(err) {
		return directory.Outcome{}, err
	}
	if !r.attached() || !r.synced || !r.shows(openStatus(item.Profile, c.clock.Now())) {
		return directory.Outcome{Status: directory.Processing}, nil
	}
	outcome, err := c.state(ctx, &r)
	if provider.KindOf(err) == provider.NotFound {
		return profileGone, c.forget(ctx, item.LocationID)
	}
	outcome.LookAfter = c.nextLook(outcome, item.Profile)
	return judge(outcome, err)
}

// shows tells whether Google was last told this opening status.
func (r *record) shows(status string) bool {
	var told openInfo
	return json.Unmarshal(r.sent["openInfo"], &told) == nil && told.Status == status
}

// nextLook is soon while something is awaited, and no later than the day of reopening.
func (c *Connector) nextLook(o directory.Outcome, p directory.Profile) time.Duration {
	after := lookSubmitted
	if o.Status == directory.Connected {
		after = lookConnected
	}
	if reopens, ok := reopening(p); ok {
		if wait := reopens.Sub(c.clock.Now()); wait > 0 {
			after = min(after, wait)
		}
	}
	return after
}

// letGo ends what we do for a deleted location.
func (c *Connector) letGo(ctx context.Context, accountID, locationID string) error {
	r, err := c.find(ctx, accountID, locationID)
	if db.IsNoRow(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if r.attached() && r.created {
		err := c.removeUnverified(ctx, &r)
		if k := provider.KindOf(err); err != nil && (k == provider.Unknown || k.Retryable()) {
			_, err = judge(directory.Outcome{}, err)
			return err
		} // any other refusal, or a connection that has ended, leaves the profile to its owner
	}
	return c.forget(ctx, locationID)
}

func (c *Connector) removeUnverified(ctx context.Context, r *record) error {
	l, err := c.api.get(ctx, r.accountID, r.name, "name,metadata")
	if err != nil {
		return err
	}
	if m := l.Metadata; m == nil || m.HasVoiceOfMerchant || !m.CanDelete {
		return nil
	}
	v, err := c.api.voice(ctx, r.accountID, r.name)
	if err != nil || v.HasVoiceOfMerchant {
		return err
	}
	return c.api.remove(ctx, r.accountID, r.name)
}
