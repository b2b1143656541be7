package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// catchUpTime is how long a read waits for a replica to come as far as the store. Mostly that takes a millisecond or two.
	catchUpTime = 50 * time.Millisecond
	// replicaRound is how often a replica that is not used is looked at again.
	replicaRound = time.Second
)

// replica is a streaming copy of a PostgreSQL store. It answers a request only when it has all that the store held when the
// request came, whoever wrote it and through whichever process: nobody misses what they wrote, or sees time go back.
type replica struct {
	name     string // host and port
	pool     *sql.DB
	used     atomic.Bool  // it keeps up, as far as is known
	replayed atomic.Int64 // how far it is known to have come; a position in the write-ahead log
	requests atomic.Int64 // that were let read from it
}

func (d *DB) openReplicas(ctx context.Context, o Options) error {
	for i, url := range o.Replicas {
		config, err := d.postgresConfig(url, o)
		if err != nil {
			return fmt.Errorf("replica URL %d: %w", i+1, err)
		}
		pooled, err := isPooled(ctx, config)
		pooled = pooled || err != nil // one that is away does not matter, and what stands before it is not known
		r := &replica{name: net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))}
		config.AfterConnect = func(context.Context, *pgconn.PgConn) error {
			r.replayed.Store(0) // after a crash a replica may be where it has been before
			return nil
		}
		r.pool = postgresPool(config, pooled, o.MaxConns)
		d.replicas = append(d.replicas, r)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var watching sync.WaitGroup
	for _, r := range d.replicas {
		watching.Go(func() { d.watchReplica(ctx, r) })
	}
	d.unwatched = func() { stop(); watching.Wait() }
	return nil
}

func (d *DB) closeReplicas() {
	if d.unwatched != nil {
		d.unwatched()
	}
	for _, r := range d.replicas {
		_ = r.pool.Close() // it was read from only
	}
}

// FromReplica lets what is read with the context come from a replica, if one has all that the store holds at this moment. After
// the first transaction that has the context too, reads come from the store.
func (d *DB) FromReplica(ctx context.Context) context.Context {
	if len(d.replicas) == 0 {
		return ctx
	}
	written, err := d.position(ctx)
	if err != nil {
		return ctx // the store itself will say so
	}
	first := d.turn.Add(1)
	for i := range uint64(len(d.replicas)) {
		r := d.replicas[(first+i)%uint64(len(d.replicas))]
		if r.used.Load() && r.reaches(ctx, written) {
			r.requests.Add(1)
			return context.WithValue(ctx, readingKey{}, &reading{from: r})
		}
	}
	return ctx
}

// LostReplica tells whether a read failed because its replica did, so that it is worth doing again without one.
func LostReplica(ctx context.Context, err error) bool {
	r := replicaOf(ctx)
	if r == nil || !IsUnavailable(err) || ctx.Err() != nil {
		return false
	}
	r.used.Store(false)
	return true
}

type readingKey struct{}

// reading is a request that reads from a replica, until it writes.
type reading struct {
	from *replica
	left atomic.Bool
}

func replicaOf(ctx context.Context) *replica {
	r, _ := ctx.Value(readingKey{}).(*reading)
	if r == nil || r.left.Load() {
		return nil
	}
	return r.from
}

// leaveReplica makes what is read after a transaction see it.
func leaveReplica(ctx context.Context) {
	if r, ok := ctx.Value(readingKey{}).(*reading); ok {
		r.left.Store(true)
	}
}

// position is where the write-ahead log of the store ends: what was committed lies before. It is on its way to the replicas, but
// for commits that do not wait for the disk.
func (d *DB) position(ctx context.Context) (int64, error) {
	return One(ctx, d, Value[int64], `SELECT pg_wal_lsn_diff(CASE current_setting('synchronous_commit')
		WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0')::bigint`)
}

// reaches waits a little for the replica to have come to a position. One that does not is left alone until it does.
func (r *replica) reaches(ctx context.Context, position int64) bool {
	if r.replayed.Load() >= position {
		return true
	}
	waiting, cancel := context.WithTimeout(ctx, catchUpTime)
	defer cancel()
	for pause := time.Millisecond; ; pause *= 2 {
		at, err := r.look(waiting)
		if err == nil && at >= position {
			return true
		}
		if err == nil {
			select {
			case <-time.After(pause):
				continue
			case <-waiting.Done():
			}
		}
		if ctx.Err() == nil {
			r.used.Store(false)
		}
		return false
	}
}

var errNoReplica = errors.New("the server is no replica, or is one no more")

// look asks how far the replica has come.
func (r *replica) look(ctx context.Context) (int64, error) {
	var replaying bool
	var at int64
	err := r.pool.QueryRowContext(ctx, "SELECT pg_is_in_recovery(), coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint").Scan(&replaying, &at)
	if err != nil {
		return 0, err
	}
	if !replaying {
		return 0, errNoReplica
	}
	r.replayed.Store(at)
	return at, nil
}

// watchReplica brings a replica into use when it is there and keeps up.
func (d *DB) watchReplica(ctx context.Context, r *replica) {
	for ctx.Err() == nil {
		if !r.used.Load() {
			if s := d.replicaState(ctx, r); s.Fault == nil && (s.Behind == 0 || r.reaches(ctx, s.position)) {
				r.used.Store(true)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(replicaRound):
		}
	}
}

// ReplicaState is how a replica is doing.
type ReplicaState struct {
	Name   string        // host and port
	Used   bool          // reads come from it
	Fault  error         // why it cannot be used
	Behind int64         // bytes of the write-ahead log that it lacks
	Age    time.Duration // of what it had last when it is behind

	position int64 // of the store
}

// Replicas tells how each replica is doing.
func (d *DB) Replicas(ctx context.Context) []ReplicaState {
	all := make([]ReplicaState, len(d.replicas))
	for i, r := range d.replicas {
		all[i] = d.replicaState(ctx, r)
	}
	return all
}

func (d *DB) replicaState(ctx context.Context, r *replica) (s ReplicaState) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	s = ReplicaState{Name: r.name, Used: r.used.Load()}
	const identity = "SELECT system_identifier FROM pg_control_system()"
	own, err := One(ctx, d, Value[int64], identity)
	if err != nil {
		s.Fault = fmt.Errorf("the store did not tell who it is: %w", err)
		return s
	}
	if s.position, s.Fault = d.position(ctx); s.Fault != nil {
		return s
	}
	var copied int64
	if s.Fault = r.pool.QueryRowContext(ctx, identity).Scan(&copied); s.Fault != nil {
		return s
	}
	if copied != own {
		s.Fault = errors.New("the server is a copy of another database server")
		return s
	}
	at, err := r.look(ctx)
	if err != nil {
		s.Fault = err
		return s
	}
	if s.Behind = max(0, s.position-at); s.Behind > 0 {
		var seconds sql.NullFloat64
		s.Fault = r.pool.QueryRowContext(ctx, "SELECT extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8").Scan(&seconds)
		s.Age = time.Duration(seconds.Float64 * float64(time.Second))
	}
	return s
}
