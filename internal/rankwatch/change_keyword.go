package rankwatch

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// addition is what came of a request to track keywords.
type addition struct {
	keywords  []trackedKeyword // those asked for, in their order
	queued    int              // of them, to be checked at once
	postponed int              // of them, checked today already
	waiting   int              // checks that were due before
}

// queue pays for the first checks of keywords and has them made.
func (s *Service) queue(ctx context.Context, tx *db.Tx, accountID string, n int) error {
	if n == 0 {
		return nil
	}
	tx.AfterCommit(s.checks.Wake)
	_, err := s.accounts.Take(ctx, tx, accountID, account.Lookups, int64(n))
	return err
}

func newKeywords(want []wanted, now time.Time) []trackedKeyword {
	all := make([]trackedKeyword, len(want))
	for i, w := range want {
		all[i] = trackedKeyword{id: id.New(), kw: w.text, key: w.key, createdAt: now}
	}
	return all
}

// add tracks further keywords. Those that are tracked stay as they are, those that were once tracked
// return with their history; all get the tags. What was not checked today is checked at once.
func (s *Service) add(ctx context.Context, tx *db.Tx, accountID, trackingID string, want []wanted, tagIDs []string) (added addition, err error) {
	if _, err := s.accounts.Take(ctx, tx, accountID, account.Keywords, 0); err != nil { // the account is locked first, always
		return added, err
	}
	t, err := lockTracking(ctx, tx, accountID, trackingID)
	if err != nil {
		return added, err
	}
	if err := checkTags(ctx, tx, trackingID, tagIDs); err != nil {
		return added, err
	}
	stored, err := keywordsOf(ctx, tx, trackingID, true)
	if err != nil {
		return added, err
	}
	fresh, back, known := sortOut(want, stored)
	if _, err := s.accounts.Take(ctx, tx, accountID, account.Keywords, int64(len(fresh)+len(back))); err != nil {
		return added, err
	}
	created := newKeywords(fresh, s.clock.Now())
	if added.waiting, err = insertKeywords(ctx, tx, &t, created, s.clock.Now()); err != nil {
		return added, err
	}
	if added.postponed, err = takeOver(ctx, tx, &t, created, s.today()); err != nil {
		return added, err
	}
	for _, k := range back {
		if k.checkedAt != nil && series.DayOf(*k.checkedAt) >= s.today() {
			added.postponed++
		}
	}
	if err := restoreKeywords(ctx, tx, numbers(back), s.today()); err != nil {
		return added, err
	}
	added.keywords = inOrder(want, created, back, known)
	if err := tie(ctx, tx, tagIDs, numbers(added.keywords)); err != nil {
		return added, err
	}
	added.queued = len(created) + len(back) - added.postponed
	if err := s.queue(ctx, tx, accountID, added.queued); err != nil {
		return added, err
	}
	return added, s.remark(ctx, tx, &t, len(created)+len(back))
}

// takeOver lets new keywords of a tracking have what deleted trackings of the same target found for them
// today, so that a keyword is not checked twice in a day. It tells for how many.
func takeOver(ctx context.Context, tx *db.Tx, t *tracking, keywords []trackedKeyword, today series.Day) (n int, err error) {
	found, err := checkedBefore(ctx, tx, t, today)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	var states []*rankState
	for i := range keywords {
		k := &keywords[i]
		before := found[k.key]
		if before == nil {
			continue
		}
		if k.rankState, err = before.copyOf(today, k.number); err != nil {
			return 0, err
		}
		states = append(states, &k.rankState)
	}
	return len(states), saveStates(ctx, tx, states)
}

// sortOut tells new keywords from those that return and those that are tracked.
func sortOut(want []wanted, stored []trackedKeyword) (fresh []wanted, back, known []trackedKeyword) {
	byKey := make(map[string]*trackedKeyword, len(stored))
	for i := range stored {
		byKey[stored[i].key] = &stored[i]
	}
	for _, w := range want {
		switch k := byKey[w.key]; {
		case k == nil:
			fresh = append(fresh, w)
		case k.removed:
			k.removed = false
			back = append(back, *k)
		default:
			known = append(known, *k)
		}
	}
	return fresh, back, known
}

func inOrder(want []wanted, lists ...[]trackedKeyword) []trackedKeyword {
	byKey := make(map[string]trackedKeyword, len(want))
	for _, list := range lists {
		for _, k := range list {
			byKey[k.key] = k
		}
	}
	ordered := make([]trackedKeyword, len(want))
	for i, w := range want {
		ordered[i] = byKey[w.key]
	}
	return ordered
}

func numbers(all []trackedKeyword) []int64 {
	list := make([]int64, len(all))
	for i, k := range all {
		list[i] = k.number
	}
	return list
}

// remove stops tracking keywords; all of them must be tracked.
func (s *Service) remove(ctx context.Context, tx *db.Tx, accountID, trackingID string, ids []string) error {
	if _, err := s.accounts.Give(ctx, tx, accountID, account.Keywords, 0, int64(len(ids))); err != nil {
		return err
	}
	t, err := lockTracking(ctx, tx, accountID, trackingID)
	if err != nil {
		return err
	}
	list, err := lockKeywords(ctx, tx, trackingID, ids)
	if err != nil {
		return err
	}
	if err := removeKeywords(ctx, tx, list, s.clock.Now()); err != nil {
		return err
	}
	return s.remark(ctx, tx, &t, -len(list))
}

// remark notes that keywords were added or removed, once a day for each, tells of it, and has the tracking summed up again.
func (s *Service) remark(ctx context.Context, tx *db.Tx, t *tracking, n int) error {
	if n == 0 {
		return nil
	}
	if err := s.tell(ctx, tx, event.TrackingChanged, t, n); err != nil {
		return err
	}
	now, today := s.clock.Now(), s.today()
	if err := markChanged(ctx, tx, now, t.id); err != nil {
		return err
	}
	remarks, err := annotationsIn(ctx, tx, t.id, series.Range{From: today, To: today})
	if err != nil {
		return err
	}
	a := Annotation{ID: id.New(), UserID: t.accountID, TrackingID: t.id, Date: today.String(), Type: automatic}
	for _, other := range remarks {
		if count := other.Content.KeywordsCount; other.Type == automatic && count != nil && (*count < 0) == (n < 0) {
			a, n = other, n+*count
		}
	}
	a.Content = AnnotationContent{Text: keywordsChanged(n), KeywordsCount: &n}
	return saveAnnotation(ctx, tx, a, now)
}
