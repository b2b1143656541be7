package rankwatch

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// tell writes the event of a change to a tracking, by which it has gained some keywords or, with a negative number, lost some.
func (s *Service) tell(ctx context.Context, tx *db.Tx, kind event.Kind, t *tracking, gained int) error {
	told := t.told()
	told.KeywordsAdded, told.KeywordsRemoved = max(gained, 0), max(-gained, 0)
	return event.Emit(ctx, tx, s.clock.Now(), event.Event{AccountID: t.accountID, Kind: kind, Subject: t.id, Data: told})
}

// told is what every event says of a tracking.
func (t *tracking) told() event.Tracking {
	return event.Tracking{TrackingID: t.id, Domain: t.target.Display(), Location: alertrule.Place(t.locationID), Device: alertrule.Device(t.platformID)}
}

// changed writes the event of a change to the tags or annotations of a tracking, unless that failed.
func (s *Service) changed(ctx context.Context, tx *db.Tx, trackingID string, failed error) error {
	if failed != nil {
		return failed
	}
	t, err := findTracking(ctx, tx, trackingID)
	if err != nil {
		return err
	}
	return s.tell(ctx, tx, event.TrackingChanged, &t, 0)
}

// tellChecked writes the event that a tracking has been checked for a day, once all that was due has been tried.
func (s *Service) tellChecked(ctx context.Context, tx *db.Tx, sum *summary, today series.Day) error {
	if sum.visibility == nil {
		return nil
	}
	now := s.clock.Now()
	done, err := db.One(ctx, tx, db.Value[bool], `SELECT count(*) > 0 AND max(s.checked_at) >= $2 AND min(s.next_check_at) > $3 FROM tracked_keywords k JOIN rank_states s ON s.keyword = k.number
		WHERE k.tracking_id = $1 AND k.removed_at IS NULL`, sum.trackingID, db.Micros(today.Start()), db.Micros(now))
	if err != nil || !done {
		return err
	}
	t, err := findTracking(ctx, tx, sum.trackingID)
	if err != nil {
		return err
	}
	told := event.Checked{
		Tracking: t.told(), Date: today.String(), Keywords: sum.keywords,
		Visibility: *sum.visibility, VisibilityChange: sum.change, Winners: []event.Mover{}, Losers: []event.Mover{},
	}
	movers, err := moversOf(ctx, tx, sum)
	if err != nil {
		return err
	}
	for _, m := range movers {
		if m.Change > 0 {
			told.Winners = append(told.Winners, m)
		} else {
			told.Losers = append(told.Losers, m)
		}
	}
	return event.Emit(ctx, tx, now, event.Event{AccountID: t.accountID, Kind: event.TrackingChecked, Subject: t.id, Data: told, Once: t.id + " " + today.String()})
}

// tellRefused writes the events of providers that refuse or keep failing, for the accounts whose checks they hold up.
func (s *Service) tellRefused(ctx context.Context, tx *db.Tx, batch []outcome) error {
	type trouble struct{ accountID, provider string }
	told := map[trouble]bool{}
	for i := range batch {
		o := &batch[i]
		if !o.refused() && !provider.Resting(o.err) {
			continue
		}
		t := trouble{o.tracking.accountID, o.asked}
		if told[t] {
			continue
		}
		told[t] = true
		if err := s.ledger.TellFailing(ctx, tx, t.accountID, t.provider, reason(o.err)); err != nil {
			return err
		}
	}
	return nil
}
