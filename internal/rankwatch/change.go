package rankwatch

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// addition is what came of a request to track keywords.
type addition struct {
	keywords  []trackedKeyword // those asked for, in their order
	queued    int              // of them, to be checked at once
	postponed int              // of them, checked today already
	waiting   int              // checks that were due before
}

// create stores a tracking with its keywords. They are due at once and each takes a live look-up, but
// for those that a deleted tracking of the same target had checked today: these are told what it found.
func (s *Service) create(ctx context.Context, tx *db.Tx, t tracking, want []wanted) (tracking, addition, error) {
	err := s.accounts.TakeHeld(ctx, tx, t.accountID, account.Want{Quota: account.Trackings, N: 1}, account.Want{Quota: account.Keywords, N: int64(len(want))})
	if err != nil {
		return t, addition{}, cmp.Or(checkTarget(ctx, tx, &t), err) // that it is tracked says more than that there is no room
	}
	token, err := newShareToken()
	if err != nil {
		return t, addition{}, err
	}
	t.id, t.createdAt, t.shareToken = id.New(), s.clock.Now(), &token
	again, err := insertTracking(ctx, tx, &t, s.today())
	if err != nil {
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
	return t, added, s.queue(ctx, tx, t.accountID, added.queued)
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

// delete hides a tracking and gives its places in the plan back.
func (s *Service) delete(ctx context.Context, tx *db.Tx, accountID, trackingID string) error {
	if _, err := s.accounts.Give(ctx, tx, accountID, account.Trackings, 0, 1); err != nil {
		return err
	}
	if _, err := lockTracking(ctx, tx, accountID, trackingID); err != nil {
		return err
	}
	held, err := deleteTracking(ctx, tx, trackingID, s.clock.Now())
	if err != nil {
		return err
	}
	_, err = s.accounts.Give(ctx, tx, accountID, account.Keywords, 0, held)
	return err
}

func newKeywords(want []wanted, now time.Time) []trackedKeyword {
	all := make([]trackedKeyword, len(want))
	for i, w := range want {
		all[i] = trackedKeyword{id: id.New(), kw: w.text, key: w.key, createdAt: now}
	}
	return all
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
	if err := t.share(c.shared); err != nil {
		return t, nil, err
	}
	return t, remark, updateTracking(ctx, tx, &t)
}

// share gives a tracking a token or takes it away; a token that was taken away never comes back.
func (t *tracking) share(shared *bool) error {
	switch {
	case shared == nil || *shared == (t.shareToken != nil):
	case !*shared:
		t.shareToken = nil
	default:
		token, err := newShareToken()
		if err != nil {
			return err
		}
		t.shareToken = &token
	}
	return nil
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
		if k.checkedAt != nil && DayOf(*k.checkedAt) >= s.today() {
			added.postponed++
		}
	}
	if err := restoreKeywords(ctx, tx, numbers(back), s.today()); err != nil {
		return added, err
	}
	added.keywords = inOrder(want, created, back, known)
	for _, tag := range tagIDs {
		if err := tie(ctx, tx, tag, numbers(added.keywords)); err != nil {
			return added, err
		}
	}
	added.queued = len(created) + len(back) - added.postponed
	if err := s.queue(ctx, tx, accountID, added.queued); err != nil {
		return added, err
	}
	return added, s.remark(ctx, tx, accountID, trackingID, len(created)+len(back))
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
	if _, err := lockTracking(ctx, tx, accountID, trackingID); err != nil {
		return err
	}
	list, err := keywordNumbers(ctx, tx, trackingID, ids)
	if err != nil {
		return err
	}
	if err := removeKeywords(ctx, tx, list, s.clock.Now()); err != nil {
		return err
	}
	return s.remark(ctx, tx, accountID, trackingID, -len(list))
}

// remark notes that keywords were added or removed, once a day for each.
func (s *Service) remark(ctx context.Context, tx *db.Tx, accountID, trackingID string, n int) error {
	if n == 0 {
		return nil
	}
	now, today := s.clock.Now(), s.today()
	remarks, err := annotationsIn(ctx, tx, trackingID, Range{today, today})
	if err != nil {
		return err
	}
	a := Annotation{ID: id.New(), UserID: accountID, TrackingID: trackingID, Date: today.String(), Type: automatic}
	for _, other := range remarks {
		if count := other.Content.KeywordsCount; other.Type == automatic && count != nil && (*count < 0) == (n < 0) {
			a, n = other, n+*count
		}
	}
	a.Content = AnnotationContent{Text: keywordsChanged(n), KeywordsCount: &n}
	return saveAnnotation(ctx, tx, a, now)
}
