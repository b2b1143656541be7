// Package alert tells people what they asked to be told of: the rules of an account, what was raised for them, put together at
// the rule's pace, and sent until it is taken. When a rule holds is alertrule's to judge, with what happens in the areas.
package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/mail"
	"github.com/trigpoint/trigpoint/internal/secret"
	"github.com/trigpoint/trigpoint/internal/signedpost"
)

// Options are what a Service needs.
type Options struct {
	DB        *db.DB
	Clock     clock.Clock
	Log       *slog.Logger
	Jobs      *job.Runner
	Mail      *mail.Mailer   // nil where mail is not configured
	Keys      secret.Keyring // that seal Slack's URLs; may be empty
	Client    *signedpost.Client
	PublicURL string
	Lease     time.Duration // for sending a message; then its process counts as dead; a minute when 0
}

// Service is the alerts of all accounts.
type Service struct {
	Options
	sender *job.Sweep
}

// New returns the alerts and registers their background work.
func New(o Options) *Service {
	if o.Lease == 0 {
		o.Lease = time.Minute
	}
	s := &Service{Options: o}
	o.Jobs.Sweep(&job.Sweep{Name: "put alerts together", Every: time.Second, Run: s.gather})
	s.sender = o.Jobs.Sweep(&job.Sweep{
		Name: "send alerts", Every: time.Second, Run: s.send,
		Due: "SELECT min(due_at) FROM alert_messages WHERE due_at IS NOT NULL",
	})
	o.Jobs.Sweep(&job.Sweep{Name: "forget old alerts", Every: time.Hour, Run: func(ctx context.Context) (bool, error) {
		return forgetOld(ctx, o.DB, o.Clock.Now())
	}})
	return s
}

// Rules returns the rules of an account, oldest first.
func (s *Service) Rules(ctx context.Context, accountID string) ([]Rule, error) {
	records, err := listRules(ctx, s.DB, accountID)
	if err != nil {
		return nil, err
	}
	known, err := account.ReadReceivers(ctx, s.DB, accountID)
	all := make([]Rule, len(records))
	for i, r := range records {
		all[i] = r.Rule
		all[i].Waiting = known.Waiting(r.Emails)
	}
	return all, err
}

// Add makes a rule of a request.
func (s *Service) Add(ctx context.Context, accountID string, in RuleInput) (made Rule, err error) {
	err = s.DB.Tx(ctx, func(tx *db.Tx) error {
		made, err = s.add(ctx, tx, accountID, &in)
		return err
	})
	return made, err
}

func (s *Service) add(ctx context.Context, tx *db.Tx, accountID string, in *RuleInput) (Rule, error) {
	r := record{Rule: newRule(id.New(), s.Clock.Now()), accountID: accountID}
	if err := lockAccount(ctx, tx, accountID); err != nil {
		return Rule{}, err
	}
	held, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM alert_rules WHERE account_id = $1", accountID)
	if err != nil {
		return Rule{}, err
	}
	if held >= maxRules {
		return Rule{}, errs.With(errs.Conflict, errs.TooMany, "The account has %d alert rules already; delete one that is not needed.", held)
	}
	return s.save(ctx, tx, &r, in, event.RuleCreated)
}

func (s *Service) change(ctx context.Context, tx *db.Tx, accountID, ruleID string, in *RuleInput) (Rule, error) {
	if err := lockAccount(ctx, tx, accountID); err != nil {
		return Rule{}, err
	}
	r, err := findRule(ctx, tx, accountID, ruleID)
	if err != nil {
		return Rule{}, err
	}
	return s.save(ctx, tx, &r, in, event.RuleChanged)
}

// save stores a rule as a request makes or changes it, and tells of it where that is anything new.
func (s *Service) save(ctx context.Context, tx *db.Tx, r *record, in *RuleInput, kind event.Kind) (Rule, error) {
	before := *r
	var problems errs.Problems
	slackURL := in.apply(&problems, &r.Rule, s.Clock.Now())
	if slackURL != nil && *slackURL != "" {
		if err := s.Client.CheckURL(*slackURL); err != nil {
			problems.Add("slack_url", errs.InvalidValue, "slack_url: %v.", err)
		}
	}
	known, err := account.ReadReceivers(ctx, tx, r.accountID)
	if err != nil {
		return Rule{}, err
	}
	if in.Emails.Set {
		known.Check(&problems, "emails", r.Emails)
	}
	if len(r.Emails) > 0 && s.Mail == nil {
		problems.Add("emails", errs.InvalidValue, "emails: this service sends no mail; whoever runs it sets smtp-url.")
	}
	if err := nameSubject(ctx, tx, &problems, r); err != nil {
		return Rule{}, err
	}
	if err := problems.Err(); err != nil {
		return Rule{}, err
	}
	if slackURL != nil {
		if r.slack = *slackURL; r.slack != "" && !s.Keys.Empty() {
			var err error
			if r.slack, err = s.Keys.Seal([]byte(*slackURL), r.ID); err != nil {
				return Rule{}, err
			}
		}
	}
	r.describe()
	same := kind == event.RuleChanged && reflect.DeepEqual(r.Rule, before.Rule) && (slackURL == nil || s.keepsSlack(&before, *slackURL))
	r.Waiting = known.Waiting(r.Emails)
	if err := saveRule(ctx, tx, r); err != nil || same {
		return r.Rule, err
	}
	return r.Rule, s.tell(ctx, tx, kind, r)
}

// keepsSlack tells whether a URL is the one that a rule has.
func (s *Service) keepsSlack(r *record, url string) bool {
	kept, err := s.slackURL(r.ID, r.slack)
	return err == nil && kept == url || r.slack == "" && url == ""
}

// tell writes the event of a change to a rule.
func (s *Service) tell(ctx context.Context, tx *db.Tx, kind event.Kind, r *record) error {
	return event.Emit(ctx, tx, s.Clock.Now(), event.Event{AccountID: r.accountID, Kind: kind, Subject: r.ID, Data: event.Rule{
		RuleID: r.ID, Name: r.Name, Condition: string(r.Condition), Paused: r.PausedAt != nil,
	}})
}

// Remove deletes a rule. What it has raised stays in the list.
func (s *Service) Remove(ctx context.Context, accountID, ruleID string) error {
	return s.DB.Tx(ctx, func(tx *db.Tx) error { return s.remove(ctx, tx, accountID, ruleID) })
}

func (s *Service) remove(ctx context.Context, tx *db.Tx, accountID, ruleID string) error {
	r, err := findRule(ctx, tx, accountID, ruleID)
	if err != nil {
		return err
	}
	if err := alertrule.Remove(ctx, tx, ruleID); err != nil {
		return err
	}
	return s.tell(ctx, tx, event.RuleDeleted, &r)
}

// List returns what rules of an account have found in the last 90 days, newest first; with a rule, what that one has.
func (s *Service) List(ctx context.Context, accountID, ruleID string, limit, offset int) ([]Alert, error) {
	all, err := listAlerts(ctx, s.DB, accountID, ruleID, limit, offset)
	if all == nil {
		all = []Alert{}
	}
	return all, err
}

// slackURL opens what is kept of a rule's URL.
func (s *Service) slackURL(ruleID, kept string) (string, error) {
	if strings.Contains(kept, "://") {
		return kept, nil
	}
	plain, err := s.Keys.Open(kept, ruleID)
	return string(plain), err
}

// CountMailed counts the rules of all accounts that are not paused and mail somebody.
func (s *Service) CountMailed(ctx context.Context) (int, error) {
	return db.One(ctx, s.DB, db.Value[int], "SELECT count(*) FROM alert_rules WHERE emails <> '' AND paused_at IS NULL")
}

// Unreadable counts the Slack URLs that none of the keys opens, and tells why the last of them is not opened.
func (s *Service) Unreadable(ctx context.Context) (n int, why, err error) {
	all, err := db.All(ctx, s.DB, scanRule, "SELECT "+ruleColumns+ruleTables+" WHERE r.slack <> ''")
	for _, r := range all {
		if _, fault := s.slackURL(r.ID, r.slack); fault != nil {
			n, why = n+1, fault
		}
	}
	return n, why, err
}

var errKeyAway = errors.New("it waits, since the Slack URL cannot be opened: set TRIGPOINT_SECRET_KEY to the key that was in use when the URL was stored")

// Tested is what came of a message to one receiver.
type Tested struct {
	Channel Channel `json:"channel" enum:"email,slack"`
	Address string  `json:"address"`
	Status  Status  `json:"status" enum:"sent,failed"`
	Detail  string  `json:"detail,omitempty"`
}

// Test sends a message that means nothing to every receiver of a rule, now and once.
func (s *Service) Test(ctx context.Context, accountID, ruleID string) ([]Tested, error) {
	r, err := findRule(ctx, s.DB, accountID, ruleID)
	if err != nil {
		return nil, err
	}
	told := newDigest(r.Name, []string{"This is a test: alerts of this rule will come this way."}, 1, s.PublicURL)
	all := []Tested{}
	for _, m := range r.messages("", r.slack) {
		told := told
		err := s.deliver(ctx, &m, &told)
		t := Tested{Channel: m.channel, Address: m.address, Status: Sent}
		if m.channel == Slack {
			t.Address = r.Slack
		}
		if err != nil {
			t.Status, t.Detail = Failed, signedpost.Excerpt(fmt.Append(nil, err))
		}
		all = append(all, t)
	}
	return all, nil
}

// messages are a digest for each receiver of the rule that is sent one.
func (r *record) messages(digestID, slack string) []message {
	var all []message
	one := message{accountID: r.accountID, ruleID: r.ID, digestID: digestID, ruleName: r.Name, slack: slack}
	for _, email := range r.Emails {
		m := one
		m.id, m.channel, m.address = id.New(), Email, email
		all = append(all, m)
	}
	if slack != "" {
		m := one
		m.id, m.channel = id.New(), Slack
		all = append(all, m)
	}
	return all
}

// deliver sends a message.
func (s *Service) deliver(ctx context.Context, m *message, d *digest) error {
	if m.channel == Email {
		if s.Mail == nil {
			return errors.New("this service sends no mail any more; whoever runs it sets smtp-url")
		}
		known, err := account.ReadReceivers(ctx, s.DB, m.accountID)
		if err != nil {
			return err
		}
		to := known[m.address]
		if !to.Confirmed {
			return errUnwanted
		}
		if to.StopToken != "" {
			d.Stop, d.Sender = account.MailLink(s.PublicURL, account.StopPath, to.StopToken), known.Own()
		}
		letter, err := d.letter(m)
		if err != nil {
			return err
		}
		return s.Mail.Send(ctx, letter)
	}
	url, err := s.slackURL(m.ruleID, m.slack)
	if secret.NeedsKey(err) {
		return errKeyAway
	}
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]string{"text": d.slackText()})
	if err != nil {
		return err
	}
	answer, err := s.Client.Post(ctx, url, nil, signedpost.Message{ID: m.id, At: s.Clock.Now(), Body: body})
	if err != nil {
		return fmt.Errorf("it could not be reached: %w", err)
	}
	if answer.Status < 200 || answer.Status > 299 {
		return &refusal{answer.Status, signedpost.Excerpt(answer.Body)}
	}
	return nil
}

// errUnwanted is why somebody who has not asked for mail, or no longer wants it, gets none.
var errUnwanted = errors.New("it gets no mail, since it has not confirmed that, or has said no")

// refusal is what a receiver answered that did not take a message.
type refusal struct {
	status int
	words  string
}

func (r *refusal) Error() string { return fmt.Sprintf("it answered %d %s", r.status, r.words) }

// refusedForGood tells whether a receiver will never take a message.
func refusedForGood(err error) bool {
	var answered *refusal
	if errors.As(err, &answered) {
		return answered.status == 403 || answered.status == 404 || answered.status == 410
	}
	return errors.Is(err, errUnwanted) || mail.RefusedForGood(err)
}
