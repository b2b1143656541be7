package alertrule

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
)

// Data is what an alert tells, as it is kept.
type Data struct {
	On        Subject   `json:"on"`
	SubjectID string    `json:"subject_id"`
	Subject   string    `json:"subject"`
	Condition Condition `json:"condition"`
	Text      string    `json:"text"`
	Keyword   string    `json:"keyword,omitempty"`
	Rival     string    `json:"rival,omitempty"`
	Before    *float64  `json:"before,omitempty"`
	After     *float64  `json:"after,omitempty"`
}

// Watch is the rules that some accounts have for one kind of subject, and what they raise.
type Watch struct {
	rules  map[string][]Rule // by account
	raised []raised
}

type raised struct {
	id   string
	rule *Rule
	data Data
}

// Load reads the rules of accounts for a kind of subject, with one statement for some hundred accounts.
func Load(ctx context.Context, q db.Queryer, on Subject, accountIDs []string) (*Watch, error) {
	w := &Watch{rules: map[string][]Rule{}}
	accountIDs = slices.Compact(slices.Sorted(slices.Values(accountIDs)))
	err := db.Lists(accountIDs, func(list []string) error {
		p := db.Params{Args: []any{string(on)}}
		return db.Each(ctx, q, func(row db.Scanner) error {
			r := Rule{On: on}
			err := row.Scan(&r.ID, &r.AccountID, &r.SubjectID, &r.Condition, &r.Threshold, &r.Rival)
			w.rules[r.AccountID] = append(w.rules[r.AccountID], r)
			return err
		}, "SELECT id, account_id, subject_id, condition, threshold, rival FROM alert_rules WHERE subject_kind = $1 AND account_id IN "+db.AddAll(&p, list)+" AND paused_at IS NULL ORDER BY id", p.Args...)
	})
	return w, err
}

// Empty tells whether nobody waits for anything.
func (w *Watch) Empty() bool { return len(w.rules) == 0 }

// Rules are the rules of an account that may concern a subject.
func (w *Watch) Rules(accountID, subjectID string) []Rule {
	return slices.DeleteFunc(slices.Clone(w.rules[accountID]), func(r Rule) bool { return r.SubjectID != "" && r.SubjectID != subjectID })
}

// Note compares a fact with the rules.
func (w *Watch) Note(f *Fact) {
	rules := w.rules[f.AccountID]
	for i := range rules {
		r := &rules[i]
		if !r.Holds(f) {
			continue
		}
		w.raised = append(w.raised, raised{alertID(f, r), r, Data{
			On: f.On, SubjectID: f.SubjectID, Subject: f.Name, Condition: r.Condition, Text: r.sentence(f), Keyword: f.Keyword, Rival: f.Rival, Before: f.Before, After: f.After,
		}})
	}
}

// alertID is a new id, or the one that an event and a rule have for one who passed.
func alertID(f *Fact, r *Rule) string {
	if f.EventID == "" {
		return id.New()
	}
	sum := sha256.Sum256([]byte(f.EventID + " " + r.ID + " " + string(r.Condition) + f.Rival))
	return hex.EncodeToString(sum[:16])
}

// Raise writes what the rules have found, in the transaction of what happened.
func (w *Watch) Raise(ctx context.Context, tx *db.Tx, at time.Time) error {
	if len(w.raised) == 0 {
		return nil
	}
	rows := make([][]any, len(w.raised))
	for i, a := range w.raised {
		data, err := json.Marshal(a.data)
		if err != nil {
			return err
		}
		rows[i] = []any{a.id, a.rule.AccountID, a.rule.ID, string(data), db.Micros(at)}
	}
	return db.Insert(ctx, tx, "alerts", "id, account_id, rule_id, data, at", rows, "ON CONFLICT (id) DO NOTHING")
}

// Happened raises what rules wait for among facts of one kind of subject.
func Happened(ctx context.Context, tx *db.Tx, at time.Time, facts []Fact) error {
	if len(facts) == 0 {
		return nil
	}
	accounts := make([]string, len(facts))
	for i, f := range facts {
		accounts[i] = f.AccountID
	}
	w, err := Load(ctx, tx, facts[0].On, accounts)
	if err != nil {
		return err
	}
	for i := range facts {
		w.Note(&facts[i])
	}
	return w.Raise(ctx, tx, at)
}
