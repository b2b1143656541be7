package research

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// keptAnswer is the last answer to a question; an empty one when there is none.
func keptAnswer[T any](ctx context.Context, q db.Queryer, accountID string, about question) (told[T], error) {
	answer, err := db.One(ctx, q, func(row db.Scanner) (answer told[T], err error) {
		var at int64
		var text string
		if err := row.Scan(&answer.source, &at, &text); err != nil {
			return answer, err
		}
		answer.at = db.Time(at)
		return answer, json.Unmarshal([]byte(text), &answer.value)
	}, "SELECT source, told_at, answer FROM provider_answers WHERE account_id = $1 AND question = $2 AND subject = $3 AND location_id = $4 AND language_id = $5",
		accountID, about.kind, about.subject, about.in.location.ID, about.in.languageID)
	if db.IsNoRow(err) {
		return told[T]{}, nil
	}
	return answer, err
}

func keepAnswer[T any](ctx context.Context, tx *db.Tx, accountID string, about question, answer told[T]) error {
	text, err := json.Marshal(answer.value)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO provider_answers (account_id, question, subject, location_id, language_id, source, told_at, answer)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (account_id, question, subject, location_id, language_id)
		DO UPDATE SET source = excluded.source, told_at = excluded.told_at, answer = excluded.answer`,
		accountID, about.kind, about.subject, about.in.location.ID, about.in.languageID, answer.source, db.Micros(answer.at), string(text))
	return err
}

// dropAnswers removes some of the answers from before a time, and tells whether there may be more.
func dropAnswers(ctx context.Context, tx *db.Tx, before time.Time) (more bool, err error) {
	const batch = 500
	n, err := tx.Exec(ctx, `DELETE FROM provider_answers WHERE (account_id, question, subject, location_id, language_id) IN
		(SELECT account_id, question, subject, location_id, language_id FROM provider_answers WHERE told_at < $1 LIMIT $2)`, db.Micros(before), batch)
	return n == batch, err
}
