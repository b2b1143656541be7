package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// DryRunner is an input that may ask for a rehearsal: everything is done and nothing is kept.
type DryRunner interface{ DryRun() bool }

var errRehearsed = errors.New("rehearsed")

func runChange[I, T any](ctx context.Context, e *Edge, in *I, prepare func(context.Context, *I) (Apply[T], error)) (T, error) {
	var answer T
	req := From(ctx)
	if err := req.problems.Err(); err != nil {
		return answer, err
	}
	ctx, cancel := context.WithTimeout(ctx, req.time)
	defer cancel()
	dry := false
	if d, ok := any(in).(DryRunner); ok {
		dry = d.DryRun()
	}
	if req.Key != "" && !dry { // before anything is done for a request that has been answered
		if replayed, err := replay(ctx, e, e.DB, req, &answer); err != nil || replayed {
			return answer, err
		}
	}
	apply, err := prepare(ctx, in)
	if err != nil {
		return answer, err
	}
	err = e.DB.Tx(ctx, func(tx *db.Tx) error {
		if req.Key != "" && !dry {
			replayed, err := claimKey(ctx, e, tx, req, &answer)
			if err != nil || replayed {
				return err
			}
		}
		var err error
		if answer, err = apply(ctx, tx); err != nil {
			return err
		}
		if dry {
			return errRehearsed
		}
		if req.Key != "" {
			return keepAnswer(ctx, tx, req, answer)
		}
		return nil
	})
	if errors.Is(err, errRehearsed) {
		err = nil
	}
	return answer, err
}

// claimKey takes the key for this request, or finds the answer that it has had. A second request with
// the same key waits here for the first to commit.
func claimKey[T any](ctx context.Context, e *Edge, tx *db.Tx, req *Request, answer *T) (replayed bool, err error) {
	now := e.Clock.Now()
	owner := req.Principal.AccountID
	if _, err := tx.Exec(ctx, "DELETE FROM idempotency WHERE account_id = $1 AND key = $2 AND created_at < $3",
		owner, req.Key, db.Micros(now.Add(-account.IdempotencyLife))); err != nil {
		return false, err
	}
	inserted, err := tx.Exec(ctx, `INSERT INTO idempotency (account_id, key, fingerprint, answer, created_at)
		VALUES ($1, $2, $3, '', $4) ON CONFLICT (account_id, key) DO NOTHING`, owner, req.Key, req.Body[:], db.Micros(now))
	if err != nil || inserted == 1 {
		return false, err
	}
	return replay(ctx, e, tx, req, answer)
}

// replay finds the answer that a key has had.
func replay[T any](ctx context.Context, e *Edge, q db.Queryer, req *Request, answer *T) (replayed bool, err error) {
	type kept struct {
		fingerprint []byte
		answer      string
	}
	first, err := db.One(ctx, q, func(row db.Scanner) (k kept, err error) {
		err = row.Scan(&k.fingerprint, &k.answer)
		return k, err
	}, "SELECT fingerprint, answer FROM idempotency WHERE account_id = $1 AND key = $2 AND created_at >= $3",
		req.Principal.AccountID, req.Key, db.Micros(e.Clock.Now().Add(-account.IdempotencyLife)))
	if db.IsNoRow(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !bytes.Equal(first.fingerprint, req.Body[:]) {
		return false, errs.With(errs.Conflict, errs.IdempotencyMismatch, "This Idempotency-Key was used with another request; use a new key.")
	}
	return true, json.Unmarshal([]byte(first.answer), answer)
}

func keepAnswer[T any](ctx context.Context, tx *db.Tx, req *Request, answer T) error {
	kept, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "UPDATE idempotency SET answer = $3 WHERE account_id = $1 AND key = $2", req.Principal.AccountID, req.Key, string(kept))
	return err
}
