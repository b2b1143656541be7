package local

import (
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
)

// settings are what decides which locations are published and how. Several processes may work one store,
// and some of them may have other settings than the rest, by mistake or while new ones are rolled out. One
// set holds at a time: the processes that have it renew their hold, and those with another publish nothing
// until it has ended.
type settings struct{ plans, directories string }

func (s settings) String() string { return s.plans + "\n" + s.directories }

func (s *Service) settingsOf(plans account.Plans) (is settings) {
	for _, name := range plans.Names() {
		is.plans += fmt.Sprintf("%s=%d ", name, plans[name].Locations)
	}
	for _, c := range s.directories {
		d := c.Describe()
		if _, watched := c.(directory.Watcher); watched {
			continue // it is told nothing
		}
		if is.directories += d.ID + " " + d.Fingerprint; s.pusher(d.ID) != nil {
			is.directories += " " + s.publicURL // it is told of links
		}
		is.directories += "\n"
	}
	return is
}

const (
	holdTime   = time.Minute
	renewEvery = 15 * time.Second
)

// held is the row that says which settings hold, and what of them has been applied.
type held struct {
	settings, plans, directories, walked string
	until                                time.Time
}

func readHeld(ctx context.Context, q db.Queryer, lock string) (held, error) {
	return db.One(ctx, q, func(row db.Scanner) (h held, err error) {
		var until int64
		err = row.Scan(&h.settings, &until, &h.plans, &h.directories, &h.walked)
		h.until = db.Time(until)
		return h, err
	}, "SELECT settings, held_until, plans, directories, walked FROM publishing WHERE id = 1"+lock)
}

// holds tells whether the settings of this process are those that hold.
func (s *Service) holds(ctx context.Context, q db.Queryer) (bool, error) {
	h, err := readHeld(ctx, q, "")
	return h.settings == s.settings.String(), err
}

// releaseHold frees the hold of a process that has died.
func releaseHold(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "UPDATE publishing SET held_until = 0 WHERE id = 1")
	return err
}

// hold takes or renews the hold, and applies what differs from the settings of before: locations are frozen
// or thawed when the plans have changed, and published again when the directories have.
func (s *Service) hold(ctx context.Context) (more bool, err error) {
	h, ours, err := s.renew(ctx)
	if err != nil || !ours {
		return false, err
	}
	if h.plans != s.settings.plans {
		if err := s.refreezeAll(ctx); err != nil {
			return false, err
		}
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, "UPDATE publishing SET plans = $1 WHERE id = 1 AND settings = $2", s.settings.plans, s.settings.String())
			return err
		})
		if err != nil {
			return false, err
		}
	}
	defer s.publisher.Wake()
	if h.directories == s.settings.directories {
		return false, nil
	}
	return s.republish(ctx)
}

func (s *Service) renew(ctx context.Context) (h held, ours bool, err error) {
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		if h, err = readHeld(ctx, tx, tx.ForUpdate()); err != nil {
			return err
		}
		now := s.clock.Now()
		// An end too far away was written by a clock that was wrong.
		if ours = h.settings == s.settings.String() || !h.until.After(now) || h.until.After(now.Add(holdTime)); !ours {
			return nil
		}
		if h.settings != s.settings.String() {
			h.walked = ""
		}
		if h.directories == "" { // nothing has been published before
			h.directories = s.settings.directories
		}
		_, err := tx.Exec(ctx, "UPDATE publishing SET settings = $1, held_until = $2, directories = $3, walked = $4 WHERE id = 1",
			s.settings.String(), db.Micros(now.Add(holdTime)), h.directories, h.walked)
		return err
	})
	if err == nil && !ours && !s.waits {
		s.log.Warn("another process publishes locations with other settings (plans, webhook or public URL); this one publishes none until that has ended")
	}
	s.waits = !ours
	return h, ours, err
}

// republish marks the next locations as to be published again. The row keeps how far it has come.
func (s *Service) republish(ctx context.Context) (more bool, err error) {
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		h, err := readHeld(ctx, tx, tx.ForUpdate())
		if err != nil || h.settings != s.settings.String() {
			return err
		}
		ids, err := db.All(ctx, tx, db.Value[string], "SELECT id FROM locations WHERE id > $1 ORDER BY id LIMIT $2"+tx.ForUpdate(), h.walked, publishBatch)
		if err != nil {
			return err
		}
		if more = len(ids) > 0; !more {
			_, err := tx.Exec(ctx, "UPDATE publishing SET directories = $1, walked = '' WHERE id = 1", s.settings.directories)
			return err
		}
		var p db.Params
		if _, err := tx.Exec(ctx, "UPDATE locations SET status = 'PROCESSING', version = version + 1 WHERE status = 'COMPLETED' AND NOT frozen AND id IN "+db.AddAll(&p, ids), p.Args...); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE publishing SET walked = $1 WHERE id = 1", ids[len(ids)-1])
		return err
	})
	return more, err
}
