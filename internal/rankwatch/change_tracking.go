package rankwatch

import (
	"cmp"
	"context"
	"fmt"
	"reflect"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// create stores a tracking with its keywords. They are due at once and each takes a live look-up, but
// for those that a deleted tracking of the same target had checked today: these are told what it found.
func (s *Service) create(ctx context.Context, tx *db.Tx, t tracking, want []wanted) (tracking, addition, error) {
	err := s.accounts.TakeHeld(ctx, tx, t.accountID, account.Want{Quota: account.Trackings, N: 1}, account.Want{Quota: account.Keywords, N: int64(len(want))})
	if err != nil {
		return t, addition{}, cmp.Or(checkTarget(ctx, tx, &t), err) // that it is tracked says more than that there is no room
	}
	token, err := httpapi.NewShareToken()
	if err != nil {
		return t, addition{}, err
	}
	t.id, t.createdAt, t.shareToken = id.New(), s.clock.Now(), &token
	again, err := insertTracking(ctx, tx, &t, s.today())
	if err != nil {
		return t, addition{}, err
	}
	if err := insertSummary(ctx, tx, &t); err != nil {
		return t, addition{}, err
	}
	added := addition{keywords: newKeywords(want, t.createdAt)}
	if added.waiting, err = insertKeywords(ctx, tx, &t, added.keywords, t.createdAt); err != nil {
		return t, addition{}, err
	}
	if again {
		if added.postponed, err = takeOver(ctx, tx, &t, added.keywords, s.today()); err != nil {
			return t, addition{}, err
		}
	}
	added.queued = len(want) - added.postponed
	if err := s.queue(ctx, tx, t.accountID, added.queued); err != nil {
		return t, added, err
	}
	return t, added, s.tell(ctx, tx, event.TrackingCreated, &t, len(want))
}

// change is what a PATCH asks of a tracking; nil leaves as it is.
type change struct {
	target *webtarget.Target
	config *ConfigInput
	shared *bool
}

// update changes a tracking. Another target is remarked upon, since it breaks the line of its ranks.
func (s *Service) update(ctx context.Context, tx *db.Tx, accountID, trackingID string, c change) (tracking, *Annotation, error) {
	if c.target != nil { // two trackings must not turn to one target at once
		if _, err := s.accounts.Take(ctx, tx, accountID, account.Trackings, 0); err != nil {
			return tracking{}, nil, err
		}
	}
	t, err := lockTracking(ctx, tx, accountID, trackingID)
	if err != nil {
		return t, nil, err
	}
	before := t
	var remark *Annotation
	if c.target != nil && *c.target != t.target {
		text := fmt.Sprintf("Domain changed from %s to %s", t.target.Display(), c.target.Display())
		t.target = *c.target
		if err := checkTarget(ctx, tx, &t); err != nil {
			return t, nil, err
		}
		remark = &Annotation{
			ID: id.New(), UserID: accountID, Creator: accountID, TrackingID: t.id, Date: s.today().String(), Type: automatic,
			Content: AnnotationContent{Text: text}, CreatedAt: s.clock.Now().Unix(),
		}
		if err := saveAnnotation(ctx, tx, *remark, s.clock.Now()); err != nil {
			return t, nil, err
		}
	}
	if c.config != nil {
		c.config.apply(&t.config)
	}
	if t.shareToken, err = httpapi.Reshare(t.shareToken, c.shared); err != nil {
		return t, nil, err
	}
	if err := updateTracking(ctx, tx, &t); err != nil {
		return t, nil, err
	}
	if reflect.DeepEqual(t, before) {
		return t, remark, nil
	}
	return t, remark, s.tell(ctx, tx, event.TrackingChanged, &t, 0)
}

// delete hides a tracking and gives its places in the plan back.
func (s *Service) delete(ctx context.Context, tx *db.Tx, accountID, trackingID string) error {
	if _, err := s.accounts.Give(ctx, tx, accountID, account.Trackings, 0, 1); err != nil {
		return err
	}
	t, err := lockTracking(ctx, tx, accountID, trackingID)
	if err != nil {
		return err
	}
	held, err := deleteTracking(ctx, tx, trackingID, s.clock.Now())
	if err != nil {
		return err
	}
	if _, err := s.accounts.Give(ctx, tx, accountID, account.Keywords, 0, held); err != nil {
		return err
	}
	return s.tell(ctx, tx, event.TrackingDeleted, &t, 0)
}
