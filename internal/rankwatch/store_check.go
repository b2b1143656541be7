package rankwatch

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// isDue is the condition for a keyword to be claimed; its binds are now and the end of the longest claim.
const isDue = "next_check_at <= $1 AND (claimed_until <= $1 OR claimed_until > $2)"

// anyDue tells whether there is anything to check, and whether a wrong clock has put anything off.
func anyDue(ctx context.Context, q db.Queryer, now time.Time) (due, putOff bool, err error) {
	_, err = db.One(ctx, q, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(&due, &putOff) },
		"SELECT EXISTS (SELECT 1 FROM rank_states WHERE "+isDue+"), EXISTS (SELECT 1 FROM rank_states WHERE next_check_at > $3)",
		db.Micros(now), db.Micros(now.Add(maxClaim)), db.Micros(now.Add(maxAhead)))
	return due, putOff, err
}

// claim takes keywords that are due, longest due first, and tells whether there were any. Two processes
// never hold the same one. Those beyond their plan are put off.
func (s *Service) claim(ctx context.Context, crew crew) (claims []claim, more bool, err error) {
	now := s.clock.Now()
	until := now.Add(crew.lease)
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		lock := tx.ForUpdate()
		if lock != "" {
			lock += " SKIP LOCKED"
		}
		due, err := db.All(ctx, tx, db.Value[int64],
			"SELECT keyword FROM rank_states WHERE "+isDue+" ORDER BY next_check_at, keyword LIMIT $3"+lock, db.Micros(now), db.Micros(now.Add(maxClaim)), crew.claims)
		if more = len(due) > 0; err != nil || !more {
			return err
		}
		var p db.Params
		set := "UPDATE rank_states SET claimed_until = " + p.Add(db.Micros(until)) + " WHERE keyword IN " + db.AddAll(&p, due)
		if _, err := tx.Exec(ctx, set, p.Args...); err != nil {
			return err
		}
		if claims, err = claimsOf(ctx, tx, due, now, until); err != nil {
			return err
		}
		claims, err = s.withinPlan(ctx, tx, claims)
		return err
	})
	return claims, more, err
}

func claimsOf(ctx context.Context, tx *db.Tx, numbers []int64, now, until time.Time) ([]claim, error) {
	var p, q db.Params
	var ids []string
	var early []int64
	claims, err := db.All(ctx, tx, func(row db.Scanner) (claim, error) {
		c := claim{until: until}
		var trackingID string
		var created int64
		err := row.Scan(&c.number, &c.kw, &trackingID, &created)
		ids = append(ids, trackingID)
		if ahead(&created, now) {
			early = append(early, c.number)
		}
		return c, err
	}, "SELECT number, kw, tracking_id, created_at FROM tracked_keywords WHERE number IN "+db.AddAll(&p, numbers), p.Args...)
	if err != nil {
		return nil, err
	}
	for _, number := range early {
		if err := trackedSince(ctx, tx, number, DayOf(now)); err != nil {
			return nil, err
		}
	}
	trackings, err := db.All(ctx, tx, scanTracking, "SELECT "+trackingColumns+" FROM trackings WHERE id IN "+db.AddAll(&q, distinct(ids)), q.Args...)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*tracking, len(trackings))
	for i := range trackings {
		byID[trackings[i].id] = &trackings[i]
	}
	for i := range claims {
		if claims[i].tracking = byID[ids[i]]; claims[i].tracking == nil {
			return nil, fmt.Errorf("keyword %d has no tracking %s", claims[i].number, ids[i])
		}
	}
	return claims, nil
}

// releaseAll frees what a dead process had claimed.
func releaseAll(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "UPDATE rank_states SET claimed_until = 0 WHERE claimed_until <> 0")
	return err
}

// rankState is the part of a tracked keyword that checks change.
type rankState struct {
	keyword      int64
	nextCheckAt  *int64 // nil: removed
	failures     int
	problem      string
	checkedAt    *int64
	firstRank    *int
	month        Month
	chunk        Chunk
	urls, latest string

	closed Chunk // of the month before, to be put with its year
	over   Month
	taken  bool // it is among the rows to write
}

const stateColumns = "keyword, next_check_at, failures, error, checked_at, first_rank, month, chunk, urls, latest"

// lockStates reads the states of keywords, in order, so that two batches cannot wait for each other.
func lockStates(ctx context.Context, tx *db.Tx, keywords []int64) (map[int64]*rankState, error) {
	states := make(map[int64]*rankState, len(keywords))
	for part := range slices.Chunk(keywords, batch) {
		var p db.Params
		err := db.Each(ctx, tx, func(row db.Scanner) error {
			var s rankState
			err := row.Scan(&s.keyword, &s.nextCheckAt, &s.failures, &s.problem, &s.checkedAt, &s.firstRank, &s.month, (*[]byte)(&s.chunk), &s.urls, &s.latest)
			states[s.keyword] = &s
			return err
		}, "SELECT "+stateColumns+" FROM rank_states WHERE keyword IN "+db.AddAll(&p, part)+" ORDER BY keyword"+tx.ForUpdate(), p.Args...)
		if err != nil {
			return nil, err
		}
	}
	return states, nil
}

// failed notes that a check brought nothing and says when to make it again. One that was not made at
// all leaves no trace.
func (s *rankState) failed(o *outcome) {
	if o.released() {
		return
	}
	s.failures++
	s.problem = reason(o.err)
	s.schedule(retryAt(o.at, s.failures, o.err))
}

// answered takes up what a check found and tells whether that is recorded. A day that has a check keeps
// it: after a crash the same day may be asked for twice, and the first answer stands.
func (s *rankState) answered(o *outcome) (counts bool, err error) {
	s.failures, s.problem = 0, ""
	day := DayOf(o.at)
	if s.checkedAt != nil && DayOf(db.Time(*s.checkedAt)) >= day {
		s.schedule((DayOf(db.Time(*s.checkedAt)) + 1).Start())
		return false, nil
	}
	s.schedule((day + 1).Start())
	return true, s.observe(day, o)
}

func (s *rankState) schedule(at time.Time) {
	if s.nextCheckAt != nil {
		micros := db.Micros(at)
		s.nextCheckAt = &micros
	}
}

func (s *rankState) observe(day Day, o *outcome) error {
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
		return fmt.Errorf("keyword %d on %s: %w", s.keyword, day, err)
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
