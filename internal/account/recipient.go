package account

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
)

// Recipient is an address beside its own that an account wants to mail to. It is mailed to only while whoever reads its mail has
// said yes.
type Recipient struct {
	ID          string          `json:"id"`
	Email       string          `json:"email" doc:"The address." example:"client@example.com"`
	Status      RecipientStatus `json:"status" enum:"waiting,confirmed,ended" doc:"waiting: it was asked and has not said yes; confirmed: it gets mail; ended: it said no, and gets none."`
	CreatedAt   time.Time       `json:"created_at" doc:"When it was named." example:"2026-11-15T12:00:00Z"`
	AskedAt     time.Time       `json:"asked_at" doc:"When it was last asked." example:"2026-11-15T12:00:00Z"`
	ConfirmedAt *time.Time      `json:"confirmed_at,omitempty" doc:"When it said yes." example:"2026-11-15T12:30:00Z"`
	EndedAt     *time.Time      `json:"ended_at,omitempty" doc:"When it said no."`
	Problem     string          `json:"problem" doc:"Why the letter that asks has not reached it; empty when it has, or is on its way." example:""`

	StopToken string `json:"-"` // ends its mail
	accountID string
	removed   bool
}

// RecipientStatus is what a recipient has said.
type RecipientStatus string

// The statuses.
const (
	RecipientWaiting   RecipientStatus = "waiting"
	RecipientConfirmed RecipientStatus = "confirmed"
	RecipientEnded     RecipientStatus = "ended"
)

// How often strangers may be asked whether they want mail.
const (
	maxRecipients = 100                 // of an account, and whom it asks within askPause
	maxAsked      = 3                   // letters to one address within askPause, for all accounts together
	askPause      = 24 * time.Hour      // until an account asks the same address again
	refusalKept   = 30 * 24 * time.Hour // until it asks one again that said no
	askLife       = 7 * 24 * time.Hour

	stopPrefix = "tps_"
)

// The pages of recipients. Each shows a button: programs that look at mail open links, and must not decide anything.
const (
	ConfirmPath = "/mail/confirm"
	StopPath    = "/mail/stop"
)

// MailLink is where a recipient decides with a token.
func MailLink(publicURL, path, token string) string {
	return publicURL + path + "?" + url.Values{"token": {token}}.Encode()
}

const selectRecipients = "SELECT id, account_id, email, stop_token, created_at, asked_at, confirmed_at, ended_at, problem, removed_at IS NOT NULL FROM recipients"

func scanRecipient(row db.Scanner) (r Recipient, err error) {
	var created, asked int64
	var confirmed, ended *int64
	err = row.Scan(&r.ID, &r.accountID, &r.Email, &r.StopToken, &created, &asked, &confirmed, &ended, &r.Problem, &r.removed)
	r.CreatedAt, r.AskedAt, r.ConfirmedAt, r.EndedAt = db.Time(created), db.Time(asked), db.TimeOrNil(confirmed), db.TimeOrNil(ended)
	switch {
	case confirmed != nil:
		r.Status = RecipientConfirmed
	case ended != nil:
		r.Status = RecipientEnded
	default:
		r.Status = RecipientWaiting
	}
	return r, err
}

// Recipients lists those of an account by their address.
func (a *Accounts) Recipients(ctx context.Context, accountID string) ([]Recipient, error) {
	return db.All(ctx, a.db, scanRecipient, selectRecipients+" WHERE account_id = $1 AND removed_at IS NULL ORDER BY email", accountID)
}

// NameRecipient notes that an account wants to mail to an address, and tells whether to ask it now.
func (a *Accounts) NameRecipient(ctx context.Context, tx *db.Tx, accountID, email string) (r Recipient, ask bool, err error) {
	own, err := db.One(ctx, tx, db.Value[string], "SELECT email FROM accounts WHERE id = $1"+tx.ForUpdate(), accountID)
	if err != nil {
		return r, false, err
	}
	if own == email {
		return r, false, errs.New(errs.Conflict, "%s is the address of the account, which gets mail without being asked.", email)
	}
	now := a.clock.Now()
	r, err = db.One(ctx, tx, scanRecipient, selectRecipients+" WHERE account_id = $1 AND email = $2", accountID, email)
	known := err == nil
	anew := !known || r.removed || r.EndedAt != nil
	switch {
	case err != nil && !db.IsNoRow(err):
		return r, false, err
	case known && r.EndedAt != nil && now.Sub(*r.EndedAt) < refusalKept:
		return r, false, errs.New(errs.Conflict, "%s said no on %s, and may be asked again after 30 days.", email, r.EndedAt.Format("2 January 2006"))
	case known && !r.removed && r.Status == RecipientConfirmed:
		return r, false, nil
	}
	if ask = !known || now.Sub(r.AskedAt) >= askPause; ask {
		if err := a.checkAsking(ctx, tx, accountID, email, now); err != nil {
			return r, false, err
		}
		r.AskedAt, r.Problem = now, ""
	}
	if !known {
		r = Recipient{ID: id.New(), Email: email, CreatedAt: now, AskedAt: now, accountID: accountID}
		if r.StopToken, err = newSecret(stopPrefix); err != nil {
			return r, false, err
		}
	}
	r.Status, r.EndedAt = RecipientWaiting, nil
	err = db.Insert(ctx, tx, "recipients", "id, account_id, email, stop_token, created_at, asked_at, problem", [][]any{{r.ID, accountID, email, r.StopToken, db.Micros(r.CreatedAt), db.Micros(r.AskedAt), r.Problem}},
		"ON CONFLICT (account_id, email) DO UPDATE SET asked_at = excluded.asked_at, problem = excluded.problem, ended_at = NULL, removed_at = NULL")
	if err != nil {
		return r, false, err
	}
	held, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM recipients WHERE account_id = $1 AND removed_at IS NULL", accountID)
	if err == nil && held > maxRecipients {
		err = errs.With(errs.Conflict, errs.TooMany, "An account has at most %d recipients; delete one that is not needed.", maxRecipients)
	}
	if err == nil && anew {
		err = r.tell(ctx, tx, event.RecipientCreated, now)
	}
	return r, ask, err
}

// NoteAsked keeps why the letter that asks a recipient was not taken; "" when it was.
func (a *Accounts) NoteAsked(ctx context.Context, recipientID, problem string) error {
	return a.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE recipients SET problem = $2 WHERE id = $1 AND problem <> $2", recipientID, problem)
		return err
	})
}

// checkAsking refuses to ask too many, or one too often.
func (a *Accounts) checkAsking(ctx context.Context, tx *db.Tx, accountID, email string, now time.Time) error {
	since := db.Micros(now.Add(-askPause))
	asked, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM recipients WHERE account_id = $1 AND asked_at > $2", accountID, since)
	if err != nil {
		return err
	}
	got, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM one_time_links WHERE email = $1 AND kind = 'recipient' AND created_at > $2", email, since)
	switch {
	case err != nil:
		return err
	case asked >= maxRecipients:
		return errs.With(errs.Conflict, errs.TooMany, "The account has asked %d addresses within a day; ask more of them tomorrow.", asked)
	case got >= maxAsked:
		return errs.With(errs.Conflict, errs.TooMany, "%s has been asked often enough today; try again tomorrow.", email)
	}
	return nil
}

// NewRecipientLink makes the link with which a recipient that waits says yes; "" where one was made within a day, or where the
// address has got enough of them.
func (a *Accounts) NewRecipientLink(ctx context.Context, recipientID string) (secret string, r Recipient, err error) {
	err = a.db.Tx(ctx, func(tx *db.Tx) error {
		secret = ""
		r, err = db.One(ctx, tx, scanRecipient, selectRecipients+" WHERE id = $1"+tx.ForUpdate(), recipientID)
		if err != nil || r.removed || r.Status != RecipientWaiting {
			if db.IsNoRow(err) {
				err = nil
			}
			return err
		}
		type count struct{ own, all int }
		got, err := db.One(ctx, tx, func(row db.Scanner) (c count, err error) {
			err = row.Scan(&c.own, &c.all)
			return c, err
		}, "SELECT count(CASE WHEN account_id = $1 THEN 1 END), count(*) FROM one_time_links WHERE email = $2 AND kind = 'recipient' AND created_at > $3",
			r.accountID, r.Email, db.Micros(a.clock.Now().Add(-askPause)))
		if err != nil || got.own > 0 || got.all >= maxAsked {
			return err
		}
		secret, _, err = a.newLink(ctx, tx, link{kind: recipientLink, accountID: &r.accountID, email: r.Email}, askLife)
		return err
	})
	return secret, r, err
}

// Asker is who wants to mail to a recipient.
type Asker struct {
	Email string
	Brand string // "" where it has none
}

// Name is how the asker is called.
func (a Asker) Name() string {
	if a.Brand == "" {
		return a.Email
	}
	return a.Brand + " (" + a.Email + ")"
}

// AskerOf tells who wants to mail to a recipient.
func (a *Accounts) AskerOf(ctx context.Context, r Recipient) (Asker, error) {
	return db.One(ctx, a.db, func(row db.Scanner) (asker Asker, err error) {
		err = row.Scan(&asker.Email, &asker.Brand)
		return asker, err
	}, "SELECT a.email, coalesce(b.name, '') FROM accounts a LEFT JOIN brands b ON b.account_id = a.id WHERE a.id = $1", r.accountID)
}

// FindAsked finds the recipient that a link asks, which has not been used.
func (a *Accounts) FindAsked(ctx context.Context, secret string) (Recipient, error) {
	return a.asked(ctx, a.db, secret, a.findLink)
}

func (a *Accounts) asked(ctx context.Context, q db.Queryer, secret string, find func(context.Context, db.Queryer, linkKind, string) (link, error)) (Recipient, error) {
	l, err := find(ctx, q, recipientLink, secret)
	if err != nil {
		return Recipient{}, err
	}
	r, err := db.One(ctx, q, scanRecipient, selectRecipients+" WHERE account_id = $1 AND email = $2 AND removed_at IS NULL", *l.accountID, l.email)
	if db.IsNoRow(err) {
		err = errLink()
	}
	return r, err
}

// ConfirmRecipient has a recipient say yes, and uses the link up.
func (a *Accounts) ConfirmRecipient(ctx context.Context, tx *db.Tx, secret string) (Recipient, error) {
	r, err := a.asked(ctx, tx, secret, func(ctx context.Context, _ db.Queryer, kind linkKind, secret string) (link, error) {
		return a.useLink(ctx, tx, kind, secret)
	})
	if err != nil {
		return r, err
	}
	now := a.clock.Now()
	if _, err := tx.Exec(ctx, "UPDATE recipients SET confirmed_at = $2, ended_at = NULL WHERE id = $1", r.ID, db.Micros(now)); err != nil {
		return r, err
	}
	return r, r.tell(ctx, tx, event.RecipientConfirmed, now)
}

// FindRecipient finds the recipient whose mail a token ends.
func (a *Accounts) FindRecipient(ctx context.Context, q db.Queryer, stopToken string) (Recipient, error) {
	r, err := db.One(ctx, q, scanRecipient, selectRecipients+" WHERE stop_token = $1", stopToken)
	if db.IsNoRow(err) {
		err = errLink()
	}
	return r, err
}

// EndRecipient has a recipient say no: it gets no mail, and links with which it could say yes end.
func (a *Accounts) EndRecipient(ctx context.Context, tx *db.Tx, stopToken string) (Recipient, error) {
	r, err := a.FindRecipient(ctx, tx, stopToken)
	if err != nil || r.Status == RecipientEnded {
		return r, err
	}
	now := a.clock.Now()
	if _, err := tx.Exec(ctx, "UPDATE recipients SET confirmed_at = NULL, ended_at = $2 WHERE id = $1", r.ID, db.Micros(now)); err != nil {
		return r, err
	}
	if _, err := tx.Exec(ctx, "UPDATE one_time_links SET used_at = $3 WHERE account_id = $1 AND kind = 'recipient' AND email = $2 AND used_at IS NULL", r.accountID, r.Email, db.Micros(now)); err != nil {
		return r, err
	}
	return r, r.tell(ctx, tx, event.RecipientEnded, now)
}

// RemoveRecipient takes a recipient from an account. What is known of it stays for a while, so that it is not asked again too soon.
func (a *Accounts) RemoveRecipient(ctx context.Context, tx *db.Tx, accountID, recipientID string) error {
	now, r := a.clock.Now(), Recipient{ID: canonicalID(recipientID), accountID: accountID}
	var err error
	r.Email, err = db.One(ctx, tx, db.Value[string], "UPDATE recipients SET removed_at = $3, confirmed_at = NULL WHERE id = $1 AND account_id = $2 AND removed_at IS NULL RETURNING email", r.ID, accountID, db.Micros(now))
	if db.IsNoRow(err) {
		return errs.New(errs.NotFound, "There is no such recipient.")
	}
	if err != nil {
		return err
	}
	return r.tell(ctx, tx, event.RecipientDeleted, now)
}

func (r *Recipient) tell(ctx context.Context, tx *db.Tx, kind event.Kind, at time.Time) error {
	return event.Emit(ctx, tx, at, event.Event{AccountID: r.accountID, Kind: kind, Subject: r.ID, Data: event.Recipient{RecipientID: r.ID, Email: r.Email}})
}

// Receiver is an address that an account may name in schedules and rules.
type Receiver struct {
	Confirmed bool
	StopToken string // "" of the account's own address
}

// Receivers are the addresses that an account may name, its own among them.
type Receivers map[string]Receiver

// ReadReceivers reads the receivers of an account.
func ReadReceivers(ctx context.Context, q db.Queryer, accountID string) (Receivers, error) {
	all := Receivers{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var email string
		var r Receiver
		err := row.Scan(&email, &r.StopToken, &r.Confirmed)
		if _, own := all[email]; !own {
			all[email] = r
		}
		return err
	}, `SELECT email, stop_token, confirmed FROM (SELECT email, '' AS stop_token, TRUE AS confirmed FROM accounts WHERE id = $1
		UNION ALL SELECT email, stop_token, confirmed_at IS NOT NULL FROM recipients WHERE account_id = $1 AND removed_at IS NULL) AS named ORDER BY stop_token`, accountID)
	return all, err
}

// Own is the account's own address.
func (r Receivers) Own() string {
	for email, one := range r {
		if one.StopToken == "" {
			return email
		}
	}
	return ""
}

// Waiting are those of some addresses that get no mail, since they have not said yes or have said no.
func (r Receivers) Waiting(emails []string) []string {
	return slices.DeleteFunc(append([]string{}, emails...), func(email string) bool { return r[email].Confirmed })
}

// Check refuses addresses that the account has not named.
func (r Receivers) Check(problems *errs.Problems, field string, emails []string) {
	for _, email := range emails {
		if _, named := r[email]; !named {
			problems.Add(field, errs.InvalidValue, "%s: %s is not a recipient of the account yet. Name it with POST /recipients; it gets mail once it has confirmed that.", field, email)
		}
	}
}

// ParseEmails puts addresses in one form, each once, and collects what is wrong with them.
func ParseEmails(problems *errs.Problems, field string, texts []string, most int) []string {
	if len(texts) > most {
		problems.Add(field, errs.TooMany, "%s has %d addresses; at most %d are allowed.", field, len(texts), most)
		return nil
	}
	emails := make([]string, 0, len(texts))
	for _, text := range texts {
		email, ok := ParseEmail(text)
		if !ok || strings.ContainsAny(email, " \n") {
			problems.Add(field, errs.EmailInvalid, "%s: %.64q is not an email address.", field, text)
			continue
		}
		emails = append(emails, email)
	}
	slices.Sort(emails)
	return slices.Compact(emails)
}
