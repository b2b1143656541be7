package research

import (
	"context"
	"errors"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// Data providers know more than result pages: figures and ideas of keywords, what domains rank for and who competes with
// them, who links to a page. Each is asked for what it can, and what it answers is kept, because answers are billed.

// able are the data providers that have a capability.
func able[Capability any](s *Service) source.Chain[provider.Provider] {
	var chain source.Chain[provider.Provider]
	for _, one := range s.data {
		if _, ok := one.Provider.(Capability); ok {
			chain = append(chain, one)
		}
	}
	return chain
}

// consult asks the data providers that have a capability, of which there is one. That there is no such thing is an answer, too: an
// empty one.
func consult[Capability, T any](ctx context.Context, s *Service, accountID string, price func(provider.Prices) provider.Money,
	ask func(context.Context, Capability) (T, error), keep func(context.Context, *db.Tx, told[T]) error,
) (told[T], error) {
	return lookUp(ctx, s, accountID, able[Capability](s), price, func(ctx context.Context, p provider.Provider) (T, error) {
		value, err := ask(ctx, p.(Capability))
		if provider.KindOf(err) == provider.NotFound {
			err = nil
		}
		return value, err
	}, keep)
}

// lookUp asks providers in their order and keeps the answer together with what it has cost. It takes one of the account's live look-ups;
// a question that is not answered takes none.
func lookUp[P provider.Provider, T any](ctx context.Context, s *Service, accountID string, chain source.Chain[P], price func(provider.Prices) provider.Money,
	ask func(context.Context, P) (T, error), keep func(context.Context, *db.Tx, told[T]) error,
) (answer told[T], err error) {
	ctx = source.WithPurpose(ctx, source.Purpose{AccountID: accountID})
	refused := s.accounts.LookUp(ctx, accountID, func() bool {
		value, by, receipt, failure := source.Ask(ctx, s.ledger, chain, price, ask)
		ctx := context.WithoutCancel(ctx) // the time for asking may be over
		answer, err = told[T]{value, by.Name, s.clock.Now()}, failure
		if err == nil {
			err = s.db.Tx(ctx, func(tx *db.Tx) error {
				if err := keep(ctx, tx, answer); err != nil {
					return err
				}
				return s.ledger.Settle(ctx, tx, receipt)
			})
		}
		if err != nil {
			err = errors.Join(dependency(err), s.ledger.SettleNow(ctx, receipt))
		}
		return err == nil
	})
	return answer, errors.Join(err, refused)
}

// isFresh tells whether something was told lately. What was told in the future was told by a wrong clock.
func (s *Service) isFresh(at time.Time, within time.Duration) bool {
	return s.clock.Now().Sub(at).Abs() <= within
}

// lookUpTime bounds a question to a provider, with all attempts and waits.
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
