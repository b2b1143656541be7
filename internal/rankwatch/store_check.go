package rankwatch

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

func anyDue(ctx context.Context, q db.Queryer, now time.Time) (bool, error) {
	_, err := db.One(ctx, q, db.Value[int64], "SELECT number FROM tracked_keywords WHERE next_check_at <= $1 AND claimed_until <= $1 LIMIT 1", db.Micros(now))
	if db.IsNoRow(err) {
		return false, nil
	}
	return err == nil, err
}

// claim takes up to n keywords that are due, longest due first. Two processes never hold the same one.
func (s *Service) claim(ctx context.Context, n int) ([]claim, error) {
	now := s.clock.Now()
	until := now.Add(lease)
	var claims []claim
	err := s.db.Tx(ctx, func(tx *db.Tx) error {
		lock := tx.ForUpdate()
		if lock != "" {
			lock += " SKIP LOCKED"
		}
		var trackingIDs []string
		var err error
		claims, err = db.All(ctx, tx, func(row db.Scanner) (c claim, err error) {
			var trackingID string
			err = row.Scan(&c.number, &c.kw, &trackingID)
			trackingIDs = append(trackingIDs, trackingID)
			c.until = until
			return c, err
		}, "SELECT number, kw, tracking_id FROM tracked_keywords WHERE next_check_at <= $1 AND claimed_until <= $1 ORDER BY next_check_at, number LIMIT $2"+lock, db.Micros(now), n)
		if err != nil || len(claims) == 0 {
			return err
		}
		var p db.Params
		set := "UPDATE tracked_keywords SET claimed_until = " + p.Add(db.Micros(until)) + " WHERE number IN " + p.List(numbersOf(claims)...)
		if _, err := tx.Exec(ctx, set, p.Args...); err != nil {
			return err
		}
		return attachTrackings(ctx, tx, claims, trackingIDs)
	})
	return claims, err
}

func numbersOf(claims []claim) []any {
	numbers := make([]any, len(claims))
	for i, c := range claims {
		numbers[i] = c.number
	}
	return numbers
}

func attachTrackings(ctx context.Context, tx *db.Tx, claims []claim, ids []string) error {
	var p db.Params
	trackings, err := db.All(ctx, tx, scanTracking, "SELECT "+trackingColumns+" FROM trackings WHERE id IN "+db.AddAll(&p, distinct(ids)), p.Args...)
	if err != nil {
		return err
	}
	byID := make(map[string]*tracking, len(trackings))
	for i := range trackings {
		byID[trackings[i].id] = &trackings[i]
	}
	for i := range claims {
		if claims[i].tracking = byID[ids[i]]; claims[i].tracking == nil {
			return fmt.Errorf("keyword %d has no tracking %s", claims[i].number, ids[i])
		}
	}
	return nil
}

// releaseAll frees what a dead process had claimed.
func releaseAll(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "UPDATE tracked_keywords SET claimed_until = 0 WHERE claimed_until <> 0")
	return err
}

// checkState is the part of a tracked keyword that a check changes, and the rest that its row needs.
type checkState struct {
	number                             int64
	id, accountID, trackingID, kw, key string
	createdAt                          int64
	nextCheckAt                        *int64 // nil: removed
	failures                           int
	problem                            string
	checkedAt                          *int64
	firstRank                          *int
	month                              Month
	chunk                              Chunk
	urls, latest                       string

	closed Chunk // of the month before, to be put with its year
	over   Month
	taken  bool // it is among the rows to write
}

const stateColumns = "number, id, account_id, tracking_id, kw, kw_key, created_at, next_check_at, failures, error, checked_at, first_rank, month, chunk, urls, latest"

func scanState(row db.Scanner) (*checkState, error) {
	var s checkState
	err := row.Scan(&s.number, &s.id, &s.accountID, &s.trackingID, &s.kw, &s.key, &s.createdAt, &s.nextCheckAt, &s.failures, &s.problem,
		&s.checkedAt, &s.firstRank, &s.month, (*[]byte)(&s.chunk), &s.urls, &s.latest)
	return &s, err
}

// lockStates reads the rows of a batch, in order, so that two batches cannot wait for each other.
func lockStates(ctx context.Context, tx *db.Tx, batch []outcome) (map[int64]*checkState, error) {
	numbers := make([]any, len(batch))
	for i, o := range batch {
		numbers[i] = o.number
	}
	var p db.Params
	list, err := db.All(ctx, tx, scanState, "SELECT "+stateColumns+" FROM tracked_keywords WHERE number IN "+p.List(numbers...)+" ORDER BY number"+tx.ForUpdate(), p.Args...)
	states := make(map[int64]*checkState, len(list))
	for _, s := range list {
		states[s.number] = s
	}
	return states, err
}

// statesByID reads the rows of an account's keywords; one that it does not have is NotFound.
func statesByID(ctx context.Context, tx *db.Tx, accountID string, ids []string) ([]*checkState, error) {
	var states []*checkState
	for part := range slices.Chunk(ids, batch) {
		var p db.Params
		list, err := db.All(ctx, tx, scanState, "SELECT "+stateColumns+" FROM tracked_keywords WHERE account_id = "+p.Add(accountID)+
			" AND id IN "+db.AddAll(&p, part)+" ORDER BY number"+tx.ForUpdate(), p.Args...)
		if err != nil {
			return nil, err
		}
		if len(list) != len(part) {
			return nil, errs.New(errs.NotFound, "There are %d of %d tracked keywords.", len(list), len(part))
		}
		states = append(states, list...)
	}
	return states, nil
}

// take puts an outcome into the state and tells whether it was recorded. A day that has an observation
// keeps it: after a crash the same day may be checked twice, and the first answer stands.
func (s *checkState) take(o *outcome) (counts bool, err error) {
	if o.released() {
		return false, nil
	}
	if o.err != nil {
		s.failures++
		s.problem = reason(o.err)
		s.schedule(retryAt(o.at, s.failures, o.err))
		return false, nil
	}
	s.failures, s.problem = 0, ""
	day := DayOf(o.at)
	if s.checkedAt != nil && DayOf(db.Time(*s.checkedAt)) >= day {
		s.schedule((DayOf(db.Time(*s.checkedAt)) + 1).Start())
		return false, nil
	}
	s.schedule((day + 1).Start())
	return true, s.observe(day, o)
}

func (s *checkState) schedule(at time.Time) {
	if s.nextCheckAt != nil {
		micros := db.Micros(at)
		s.nextCheckAt = &micros
	}
}

func (s *checkState) observe(day Day, o *outcome) error {
	if s.month != day.Month() {
		s.closed, s.over = s.chunk, s.month
		s.chunk, s.month = nil, day.Month()
	}
	seen := o.found.Observation
	if seen.Rank > 0 {
		seen.URL, s.urls = urlNumber(s.urls, o.found.url)
	}
	var err error
	if s.chunk, err = s.chunk.Set(int(day-s.month.First())+1, seen); err != nil {
		return fmt.Errorf("keyword %s on %s: %w", s.id, day, err)
	}
	if s.firstRank == nil {
		rank := int(seen.Rank)
		s.firstRank = &rank
	}
	at := db.Micros(o.at)
	s.checkedAt, s.latest = &at, ""
	if o.found.latest != (latest{}) {
		text, err := json.Marshal(o.found.latest)
		if err != nil {
			return err
		}
		s.latest = string(text)
	}
	return nil
}
