package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/db"
)

// What a database should keep within.
const (
	oldestPostgres = 15
	clocksApart    = time.Minute
	largeLog       = 1 << 30
)

// store opens it as it is, and builds the program on it when the schema fits.
func (d *Doctor) store(ctx context.Context) ([]Finding, error) {
	c := d.Config
	opened, err := db.Open(ctx, db.Options{URL: c.DatabaseURL, Dir: c.Data, MaxConns: c.MaxConns, Replicas: c.ReplicaURL, Existing: true})
	if errors.Is(err, db.ErrNoStore) {
		return []Finding{{fmt.Sprintf("There is no store in %s.", c.Data), "Check --data and TRIGPOINT_DATABASE_URL; trigpoint serve makes a new store."}}, nil
	}
	if db.IsDamaged(err) {
		return []Finding{damaged(err.Error())}, nil
	}
	if err != nil && c.DatabaseURL == "" {
		if share, unknown := d.Free(c.Data); unknown == nil && share < noSpace { // SQLite calls it by other names
			return d.disk(ctx)
		}
	}
	if err != nil {
		return []Finding{{
			fmt.Sprintf("The store cannot be opened: %v.", err),
			"On SQLite check that the user of the service owns the data folder; on PostgreSQL that the server runs and TRIGPOINT_DATABASE_URL names it, with user and password.",
		}}, nil
	}
	d.db = opened
	if err := opened.Recognise(ctx); err != nil {
		return []Finding{{fmt.Sprintf("The store cannot be served: %v.", err), "Do as that says and ask again; what is in its tables was not looked at."}}, nil
	}
	store, program, err := opened.Version(ctx)
	if err != nil {
		return nil, err
	}
	if store < program {
		return []Finding{{
			fmt.Sprintf("The schema of the store is %d, and this program wants %d: an older version has served it last.", store, program),
			"Make a backup, then start trigpoint serve of this version, or run trigpoint migrate.",
		}}, nil
	}
	d.app, err = app.New(c, opened, quiet(), app.Options{Command: true})
	return nil, err
}

func damaged(how string) Finding {
	return Finding{
		fmt.Sprintf("The database file is damaged: %s.", how),
		"Stop the service, keep a copy of the data folder, and restore the last backup into a new folder. Look at the disk and memory of the machine.",
	}
}

// database asks the engine about itself.
func (d *Doctor) database(ctx context.Context) (found []Finding, err error) {
	state, err := d.db.State(ctx)
	if err != nil {
		return nil, err
	}
	if state.Damage != "" {
		found = append(found, damaged(state.Damage))
	}
	if state.LogBytes > largeLog {
		found = append(found, Finding{
			fmt.Sprintf("The write-ahead log of the database has grown to %s: somebody has been reading it for long, so that it cannot be written back.", humanize.IBytes(uint64(state.LogBytes))), //nolint:gosec // not negative
			"Wait for a backup that is running, and end programs that keep the file open, such as a database browser; else restart the service.",
		})
	}
	if d.db.Dialect == db.SQLite {
		return found, nil
	}
	if state.Major < oldestPostgres {
		found = append(found, Finding{fmt.Sprintf("PostgreSQL is of version %d.", state.Major), fmt.Sprintf("Upgrade it to %d or later; older ones are not tested.", oldestPostgres)})
	}
	if d.Config.MaxConns > state.Connections {
		found = append(found, Finding{
			fmt.Sprintf("Each process may open %d connections, and PostgreSQL takes %d in all.", d.Config.MaxConns, state.Connections),
			"Set TRIGPOINT_MAX_CONNS so that all processes together stay below, raise max_connections, or put a pooler between.",
		})
	}
	found = append(found, lameReplicas(d.db.Replicas(ctx))...)
	if apart := d.Now().Sub(state.Clock).Abs(); apart > clocksApart {
		found = append(found, Finding{
			fmt.Sprintf("The clocks of this machine and of the database are %s apart: work is done too early or too late.", apart.Round(time.Second)),
			"Let both machines take their time from NTP.",
		})
	}
	return found, nil
}

// farBehind is how old a replica's state may be before somebody should be told.
const farBehind = time.Minute

func lameReplicas(all []db.ReplicaState) (found []Finding) {
	for _, r := range all {
		switch {
		case r.Fault != nil:
			found = append(found, Finding{
				fmt.Sprintf("The replica %s cannot be read from: %v.", r.Name, r.Fault),
				"Check TRIGPOINT_REPLICA_URL, and that the server runs with hot_standby on. Until then the primary answers everything.",
			})
		case r.Age > farBehind:
			found = append(found, Finding{
				fmt.Sprintf("The replica %s is %s and %s behind: it is not read from.", r.Name, r.Age.Round(time.Second), humanize.IBytes(uint64(r.Behind))), //nolint:gosec // not negative
				"See in its log whether it still receives and replays: a long query, a pause or a slow disk may hold it up, and a primary that has thrown away what it needs.",
			})
		}
	}
	return found
}
