package research

import (
	"context"
	"errors"
	"time"

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
func lookUp[T any](ctx context.Context, s *Service, accountID string, ask func(context.Context) (T, error)) (answer T, err error) {
	refused := s.accounts.LookUp(ctx, accountID, func() bool {
		answer, err = provider.Call(ctx, s.caller, ask)
		return err == nil
	})
	if err != nil {
		err = dependency(err)
	}
	return answer, errors.Join(err, refused)
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
