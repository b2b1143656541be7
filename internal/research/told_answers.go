package research

import (
	"context"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// remembered answers a question as the store knows it, and asks the data providers when it is not fresh there. Without anybody
// to ask, or an answer, it tells nothing.
func remembered[Capability, T any](ctx context.Context, s *Service, who *asker, q question, price func(provider.Prices) provider.Money,
	ask func(context.Context, Capability) (finding[T], error),
) (told[T], error) {
	if len(able[Capability](s)) == 0 {
		return told[T]{}, nil
	}
	kept, err := keptAnswer[T](ctx, s.db, who.accountID, q)
	if err != nil || s.isFresh(kept.at, q.fresh) {
		return kept, err
	}
	key := fmt.Sprintf("%s %s %d %d %s", q.kind, who.accountID, q.in.location.ID, q.in.languageID, q.subject)
	answer, err := once(ctx, s, key, func(ctx context.Context) (told[T], error) {
		kept, err := keptAnswer[T](ctx, s.db, who.accountID, q) // another may just have asked
		if err != nil || s.isFresh(kept.at, q.fresh) {
			return kept, err
		}
		found, err := consult(ctx, s, who.accountID, price, ask, func(ctx context.Context, tx *db.Tx, a told[finding[T]]) error {
			if err := s.keepFigures(ctx, tx, who.accountID, withVolume(a, q.in)); err != nil {
				return err
			}
			return keepAnswer(ctx, tx, who.accountID, q, told[T]{a.value.value, a.source, a.at})
		})
		return told[T]{found.value.value, found.source, found.at}, err
	})
	if err != nil {
		return kept, who.without(err)
	}
	return answer, nil
}

// dropOldAnswers is the background work that removes answers which serve no more.
func (s *Service) dropOldAnswers(ctx context.Context) (more bool, err error) {
	err = s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		more, err = dropAnswers(ctx, tx, s.clock.Now().Add(-answersFor))
		return err
	})
	return more, err
}
