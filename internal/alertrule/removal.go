package alertrule

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
)

// Forgotten is a rule that went with its subject.
type Forgotten struct {
	ID, Name  string
	Condition Condition
	Paused    bool
}

// Forget deletes the rules about one subject, which is deleted.
func Forget(ctx context.Context, tx *db.Tx, accountID string, on Subject, subjectID string) ([]Forgotten, error) {
	about, err := db.All(ctx, tx, func(row db.Scanner) (r Forgotten, err error) {
		err = row.Scan(&r.ID, &r.Name, &r.Condition, &r.Paused)
		return r, err
	}, "SELECT id, name, condition, paused_at IS NOT NULL FROM alert_rules WHERE account_id = $1 AND subject_kind = $2 AND subject_id = $3 ORDER BY id", accountID, string(on), subjectID)
	if err != nil {
		return nil, err
	}
	for _, r := range about {
		if err := Remove(ctx, tx, r.ID); err != nil {
			return nil, err
		}
	}
	return about, nil
}

// Remove deletes a rule. What it has raised stays in the list; what was not sent yet is not sent any more.
func Remove(ctx context.Context, tx *db.Tx, ruleID string) error {
	for _, statement := range []string{
		"DELETE FROM alert_messages WHERE rule_id = $1 AND due_at IS NOT NULL",
		"UPDATE alerts SET digest_id = '' WHERE rule_id = $1 AND digest_id IS NULL",
		"DELETE FROM alert_rules WHERE id = $1",
	} {
		if _, err := tx.Exec(ctx, statement, ruleID); err != nil {
			return err
		}
	}
	return nil
}
