package research

import (
	"context"
	"errors"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// lookUpTime bounds a question to the provider, with all attempts and waits.
const lookUpTime = time.Minute

// once answers equal questions at the same time once. What is being asked is kept even if its client
// has gone.
func once[T any](ctx context.Context, s *Service, key string, ask func(context.Context) (T, error)) (T, error) {
	answer, err, _ := s.flights.Do(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
		defer cancel()
		return ask(ctx)
	})
	result, _ := answer.(T)
	return result, err
}

// lookUp asks the provider, which takes one of the account's live look-ups; a question that is not
// answered takes none.
func lookUp[T any](ctx context.Context, s *Service, accountID string, ask func(context.Context) (T, error)) (T, error) {
	var taken account.Usage
	err := s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		taken, err = s.accounts.Take(ctx, tx, accountID, account.Lookups, 1)
		return err
	})
	if err != nil {
		var nothing T
		return nothing, err
	}
	answer, err := provider.Call(ctx, s.caller, ask)
	if err != nil {
		ctx := context.WithoutCancel(ctx) // the time for asking may be over
		back := s.db.Tx(ctx, func(tx *db.Tx) error {
			_, err := s.accounts.Give(ctx, tx, accountID, account.Lookups, taken.Month, 1)
			return err
		})
		return answer, errors.Join(dependency(err), back)
	}
	return answer, nil
}

// dependency tells the user of a provider's failure in the provider's words.
func dependency(err error) error {
	var failure *provider.Error
	switch {
	case errors.As(err, &failure):
		e := errs.New(errs.Dependency, "%s", failure.Message).Because(err)
		e.RetryAfter = failure.RetryAfter
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return errs.New(errs.Dependency, "The data provider did not answer in time.").Because(err)
	}
	return err
}
