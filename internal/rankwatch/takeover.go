package rankwatch

import (
	"context"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/db"
)

// takeOver lets new keywords of a tracking have what deleted trackings of the same target found for them
// today, so that a keyword is not checked twice in a day. It tells for how many.
func takeOver(ctx context.Context, tx *db.Tx, t *tracking, keywords []trackedKeyword, today Day) (n int, err error) {
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
		state, err := before.ofDay(k.number, today)
		if err != nil {
			return 0, err
		}
		k.checkedAt, k.firstRank, k.month, k.chunk, k.urls, k.latest = before.checkedAt, state.firstRank, state.month, state.chunk, state.urls, state.latest
		states = append(states, state)
	}
	return len(states), saveStates(ctx, tx, states)
}

// checkedBefore finds the checks of today in deleted trackings of the same target, by keyword.
func checkedBefore(ctx context.Context, tx *db.Tx, t *tracking, today Day) (map[string]*trackedKeyword, error) {
	found := map[string]*trackedKeyword{}
	return found, db.Each(ctx, tx, func(row db.Scanner) error {
		k, err := scanKeyword(row)
		found[k.key] = &k
		return err
	}, selectKeyword+`JOIN trackings t ON t.id = k.tracking_id WHERE t.account_id = $1 AND t.domain = $2 AND t.location_id = $3 AND t.platform_id = $4
		AND t.deleted_at >= $5 AND s.checked_at >= $5 AND s.checked_at < $6 ORDER BY s.checked_at`,
		t.accountID, t.target.String(), t.locationID, t.platformID, db.Micros(today.Start()), db.Micros((today + 1).Start()))
}

// ofDay is the state of a keyword that was checked today, and never before, with what k found.
func (k *trackedKeyword) ofDay(number int64, today Day) (*rankState, error) {
	o, checked, err := k.last()
	if err != nil || !checked {
		return nil, fmt.Errorf("keyword %s has no check of %s: %w", k.id, today, err)
	}
	at, rank, next := db.Micros(*k.checkedAt), int(o.Rank), db.Micros((today + 1).Start())
	state := &rankState{keyword: number, nextCheckAt: &next, checkedAt: &at, firstRank: &rank, month: today.Month(), latest: k.latest}
	if url := k.url(o); url != nil {
		o.URL, state.urls = urlNumber("", *url)
	}
	state.chunk, err = state.chunk.Set(int(today-state.month.First())+1, o)
	return state, err
}
