// Package webhook tells an account's receivers what has happened: where they are, what each is told of and when, until it has
// taken it. What happens is the areas' to say, by events that they write with their changes.
package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/secret"
	"github.com/trigpoint/trigpoint/internal/signedpost"
)

// Options are what a Service needs.
type Options struct {
	DB       *db.DB
	Accounts *account.Accounts
	Clock    clock.Clock
	Log      *slog.Logger
	Jobs     *job.Runner
	Keys     secret.Keyring // that seal the secrets; may be empty
	Client   *signedpost.Client
	Lease    time.Duration // for a turn of a webhook; then its process counts as dead; a minute when 0
}

// Service is the webhooks of all accounts.
type Service struct {
	db     *db.DB
	clock  clock.Clock
	log    *slog.Logger
	keys   secret.Keyring
	client *signedpost.Client
	lease  time.Duration
	sender *job.Sweep
}

// New returns the webhooks and registers their background work.
func New(o Options) *Service {
	if o.Lease == 0 {
		o.Lease = time.Minute
	}
	s := &Service{db: o.DB, clock: o.Clock, log: o.Log, keys: o.Keys, client: o.Client, lease: o.Lease}
	s.sender = o.Jobs.Sweep(&job.Sweep{Name: "send webhooks", Every: lookEvery, Run: s.send, Reclaim: releaseAll, Due: earliestDue})
	o.Jobs.Sweep(&job.Sweep{Name: "forget old events", Every: 10 * time.Minute, Run: func(ctx context.Context) (bool, error) {
		return event.ForgetOld(ctx, o.DB, o.Clock.Now())
	}})
	o.Accounts.Stores("events", `
		SELECT account_id, octet_length(data) AS bytes FROM events
		UNION ALL SELECT e.account_id, octet_length(d.answer) FROM webhook_deliveries d JOIN events e ON e.id = d.event_id`)
	return s
}

// List returns the webhooks of an account, oldest first.
func (s *Service) List(ctx context.Context, accountID string) ([]Webhook, error) {
	records, err := list(ctx, s.db, accountID)
	all := make([]Webhook, len(records))
	for i, r := range records {
		all[i] = r.Webhook
	}
	return all, err
}

// Create makes a webhook of a request.
func (s *Service) Create(ctx context.Context, accountID string, in ReceiverInput) (made MadeWebhook, err error) {
	if err := in.check(s.client, true); err != nil {
		return made, err
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		made, err = s.create(ctx, tx, accountID, &in)
		return err
	})
	return made, err
}

func (s *Service) create(ctx context.Context, tx *db.Tx, accountID string, in *ReceiverInput) (MadeWebhook, error) {
	var random [32]byte
	if _, err := rand.Read(random[:]); err != nil {
		return MadeWebhook{}, err
	}
	now := s.clock.Now()
	made := MadeWebhook{Webhook{ID: id.New(), Kinds: []string{}, CreatedAt: now}, secretPrefix + base64.StdEncoding.EncodeToString(random[:])}
	in.apply(&made.Webhook, now)
	kept := made.Secret
	if !s.keys.Empty() {
		var err error
		if kept, err = s.keys.Seal([]byte(made.Secret), made.ID); err != nil {
			return made, err
		}
	}
	r := record{Webhook: made.Webhook, accountID: accountID, secret: kept}
	if err := tell(ctx, tx, event.WebhookCreated, &r, now); err != nil { // before it is there, so that it is not told of itself
		return made, err
	}
	return made, insert(ctx, tx, &r)
}

// secretPrefix heads a secret that is kept as it is.
const secretPrefix = "whsec_"

// open reads the secret of a webhook.
func (s *Service) open(r *record) ([]byte, error) {
	if strings.HasPrefix(r.secret, secretPrefix) {
		return []byte(r.secret), nil
	}
	return s.keys.Open(r.secret, r.ID)
}

// Unreadable counts the webhooks whose secret none of the keys opens, and tells why the last of them does not.
func (s *Service) Unreadable(ctx context.Context) (n int, why, err error) {
	all, err := db.All(ctx, s.db, scan, "SELECT "+columns+" FROM webhooks w")
	for _, r := range all {
		if _, fault := s.open(&r); fault != nil {
			n, why = n+1, fault
		}
	}
	return n, why, err
}

// signer signs with the secret of a webhook. One that the first key has not sealed is sealed anew.
func (s *Service) signer(ctx context.Context, r *record, plain []byte) (*signedpost.Signer, error) {
	if s.keys.Outdated(r.secret) {
		sealed, err := s.keys.Seal(plain, r.ID)
		if err == nil {
			err = s.db.Tx(ctx, func(tx *db.Tx) error { return reseal(ctx, tx, r, sealed) })
		}
		if err != nil {
			return nil, err
		}
	}
	return signedpost.NewSigner(string(plain))
}

// Remove deletes a webhook with its log.
func (s *Service) Remove(ctx context.Context, accountID, id string) error {
	return s.db.Tx(ctx, func(tx *db.Tx) error { return s.remove(ctx, tx, accountID, id) })
}

func (s *Service) remove(ctx context.Context, tx *db.Tx, accountID, id string) error {
	r, err := find(ctx, tx, accountID, id, tx.ForUpdate())
	if err != nil {
		return err
	}
	if err := remove(ctx, tx, id); err != nil {
		return err
	}
	return tell(ctx, tx, event.WebhookDeleted, &r, s.clock.Now())
}

// Change changes a webhook as a request says.
func (s *Service) Change(ctx context.Context, accountID, id string, in ReceiverInput) (changed Webhook, err error) {
	if err := in.check(s.client, false); err != nil {
		return changed, err
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		changed, err = s.change(ctx, tx, accountID, id, &in)
		return err
	})
	return changed, err
}

func (s *Service) change(ctx context.Context, tx *db.Tx, accountID, id string, in *ReceiverInput) (Webhook, error) {
	r, err := find(ctx, tx, accountID, id, tx.ForUpdate())
	if err != nil {
		return Webhook{}, err
	}
	before, now := r.Webhook, s.clock.Now()
	in.apply(&r.Webhook, now)
	if err := update(ctx, tx, &r); err != nil || reflect.DeepEqual(r.Webhook, before) {
		return r.Webhook, err
	}
	return r.Webhook, tell(ctx, tx, event.WebhookChanged, &r, now)
}

// tell writes the event of a change to a webhook. Other receivers may read it, so that its URL, which may hold a secret, is not told in full.
func tell(ctx context.Context, tx *db.Tx, kind event.Kind, r *record, at time.Time) error {
	return event.Emit(ctx, tx, at, event.Event{AccountID: r.accountID, Kind: kind, Subject: r.ID, Data: event.Webhook{
		WebhookID: r.ID, URL: signedpost.Hint(r.URL), Paused: r.PausedAt != nil, Reason: r.Detail,
	}})
}

// Log lists what a webhook was told of, newest first.
func (s *Service) Log(ctx context.Context, accountID, id string, status Status, limit, offset int) ([]Delivery, error) {
	if _, err := find(ctx, s.db, accountID, id, ""); err != nil {
		return nil, err
	}
	all, err := deliveries(ctx, s.db, id, status, limit, offset)
	if all == nil {
		all = []Delivery{}
	}
	return all, err
}

// Replayed is what a webhook is told again.
type Replayed struct {
	Events int        `json:"events"`
	Until  *time.Time `json:"until"`
}

// Replay has a webhook told again of one event, or of all since an instant.
func (s *Service) Replay(ctx context.Context, accountID, id, eventID string, since *time.Time) (done Replayed, err error) {
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		done, err = s.replay(ctx, tx, accountID, id, eventID, since)
		return err
	})
	return done, err
}

func (s *Service) replay(ctx context.Context, tx *db.Tx, accountID, id, eventID string, since *time.Time) (Replayed, error) {
	r, err := find(ctx, tx, accountID, id, tx.ForUpdate())
	if err != nil {
		return Replayed{}, err
	}
	if r.PausedAt != nil {
		return Replayed{}, errs.New(errs.Conflict, "The webhook is paused; resume it first, by setting paused to false.")
	}
	tx.AfterCommit(s.sender.Wake)
	if since != nil {
		return replaySince(ctx, tx, &r, *since, s.clock.Now())
	}
	return replayOne(ctx, tx, &r, eventID, s.clock.Now())
}

// Test tells a webhook of an event that means nothing, now and once, and keeps what came of it in its log.
func (s *Service) Test(ctx context.Context, accountID, id string) (Delivery, error) {
	d, keep, err := s.test(ctx, accountID, id)
	if err == nil {
		err = s.db.Tx(ctx, func(tx *db.Tx) error { return keep(ctx, tx) })
	}
	return d, err
}

func (s *Service) test(ctx context.Context, accountID, webhookID string) (d Delivery, keep func(context.Context, *db.Tx) error, err error) {
	r, err := find(ctx, s.db, accountID, webhookID, "")
	if err != nil {
		return d, nil, err
	}
	data, err := json.Marshal(event.Tested{WebhookID: r.ID})
	if err != nil {
		return d, nil, err
	}
	m := message{Delivery: Delivery{EventID: id.New(), Kind: event.WebhookTested, At: s.clock.Now()}, data: string(data)}
	if d, err = s.tryOnce(ctx, &r, m); err != nil {
		return d, nil, err
	}
	if d.Status == Pending { // nobody waits for a test any more
		d.Status, d.NextAt = Failed, nil
	}
	return d, func(ctx context.Context, tx *db.Tx) error { return insertTest(ctx, tx, &r, string(data), &d) }, nil
}

// tryOnce sends a message that nobody keeps, and judges what comes of it.
func (s *Service) tryOnce(ctx context.Context, r *record, m message) (Delivery, error) {
	plain, err := s.open(r)
	if secret.NeedsKey(err) {
		d := m.Delivery
		d.judge(s.clock.Now(), 0, signedpost.Answer{}, nil)
		d.Answer = keyAway
		return d, nil
	}
	if err != nil {
		return m.Delivery, err
	}
	signer, err := s.signer(ctx, r, plain)
	if err != nil {
		return m.Delivery, err
	}
	return s.attempt(ctx, r, signer, m), nil
}
