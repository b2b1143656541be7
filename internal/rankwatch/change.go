package rankwatch

import (
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// create stores a tracking with its keywords, which are due at once.
func (s *Service) create(ctx context.Context, tx *db.Tx, who account.Principal, t tracking, want []wanted) (tracking, []trackedKeyword, error) {
	if err := lockAccount(ctx, tx, who.AccountID); err != nil {
		return t, nil, err
	}
	token, err := newShareToken()
	if err != nil {
		return t, nil, err
	}
	t.id, t.accountID, t.createdAt, t.shareToken = id.New(), who.AccountID, s.clock.Now(), &token
	if err := checkTarget(ctx, tx, &t); err != nil {
		return t, nil, err
	}
	held, err := countTrackings(ctx, tx, who.AccountID)
	if err != nil {
		return t, nil, err
	}
	if held >= who.Plan.Trackings {
		return t, nil, errs.With(errs.Quota, errs.TrackingLimitReached, "The plan allows %d trackings and all are used.", who.Plan.Trackings)
	}
	if err := checkRoom(ctx, tx, who, len(want)); err != nil {
		return t, nil, err
	}
	if err := insertTracking(ctx, tx, &t); err != nil {
		return t, nil, err
	}
	keywords := newKeywords(want, t.createdAt)
	tx.AfterCommit(s.checks.Wake)
	return t, keywords, insertKeywords(ctx, tx, &t, keywords)
}

// checkRoom refuses keywords for which the plan has no room.
func checkRoom(ctx context.Context, tx *db.Tx, who account.Principal, more int) error {
	held, err := countKeywords(ctx, tx, who.AccountID)
	if err != nil {
		return err
	}
	if held+more > who.Plan.Keywords {
		return errs.With(errs.Quota, errs.KeywordLimitReached, "The plan allows %d keywords, of which %d are used; %d more do not fit.", who.Plan.Keywords, held, more)
	}
	return nil
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
// return with their history; all get the tags. It returns them in the order asked for, and how many
// wait for tomorrow because they were checked today.
func (s *Service) add(ctx context.Context, tx *db.Tx, who account.Principal, trackingID string, want []wanted, tagIDs []string) (added []trackedKeyword, postponed int, err error) {
	if err := lockAccount(ctx, tx, who.AccountID); err != nil {
		return nil, 0, err
	}
	t, err := lockTracking(ctx, tx, who.AccountID, trackingID)
	if err != nil {
		return nil, 0, err
	}
	if err := checkTags(ctx, tx, trackingID, tagIDs); err != nil {
		return nil, 0, err
	}
	stored, err := keywordsOf(ctx, tx, trackingID, true)
	if err != nil {
		return nil, 0, err
	}
	fresh, back, known := sortOut(want, stored)
	if err := checkRoom(ctx, tx, who, len(fresh)+len(back)); err != nil {
		return nil, 0, err
	}
	now, today := s.clock.Now(), s.today()
	created := newKeywords(fresh, now)
	if len(created) > 0 {
		if err := insertKeywords(ctx, tx, &t, created); err != nil {
			return nil, 0, err
		}
	}
	for _, k := range back {
		if k.checkedAt != nil && DayOf(*k.checkedAt) >= today {
			postponed++
		}
	}
	if err := restoreKeywords(ctx, tx, numbers(back), today); err != nil {
		return nil, 0, err
	}
	added = inOrder(want, created, back, known)
	for _, tag := range tagIDs {
		if err := tie(ctx, tx, tag, numbers(added)); err != nil {
			return nil, 0, err
		}
	}
	tx.AfterCommit(s.checks.Wake)
	return added, postponed, s.remark(ctx, tx, who.AccountID, trackingID, len(created)+len(back))
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
