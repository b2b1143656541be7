package alertrule

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
)

// Forget deletes the rules about one subject, which is deleted.
func Forget(ctx context.Context, tx *db.Tx, accountID string, on Subject, subjectID string) error {
	about, err := db.All(ctx, tx, db.Value[string], "SELECT id FROM alert_rules WHERE account_id = $1 AND subject_kind = $2 AND subject_id = $3 ORDER BY id", accountID, string(on), subjectID)
	if err != nil {
		return err
	}
	for _, ruleID := range about {
		if err := Remove(ctx, tx, ruleID); err != nil {
			return err
		}
	}
	return nil
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
