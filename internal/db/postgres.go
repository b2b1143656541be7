package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/trigpoint/trigpoint/internal/trace"
)

// How long PostgreSQL may take to accept a connection, and to say a first or next word while it is asked.
const (
	connectTime    = 5 * time.Second
	defaultSilence = 10 * time.Second
)

func openPostgres(ctx context.Context, o Options) (*DB, error) {
	d := &DB{Dialect: Postgres, existing: o.Existing, silence: o.Silence}
	if d.silence == 0 {
		d.silence = defaultSilence
	}
	d.watch.Store(int64(d.silence))
	config, err := d.postgresConfig(o.URL, o)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	pooled, err := isPooled(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	d.write = postgresPool(config, pooled, o.MaxConns)
	d.read = d.write
	if err := d.openReplicas(ctx, o); err != nil {
		_ = d.write.Close()
		return nil, err
	}
	return d, nil
}

// postgresConfig is how a server is spoken to.
func (d *DB) postgresConfig(url string, o Options) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTime
	}
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &watchedConn{Conn: conn, silence: &d.watch}, nil
	}
	config.Tracer = tracer(o.Trace)
	return config, nil
}

func postgresPool(config *pgx.ConnConfig, pooled bool, conns int) *sql.DB {
	if pooled && config.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		// The next statement may run on another server connection, which does not know what was prepared on this one.
		config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	pool := sql.OpenDB(&connector{Connector: stdlib.GetConnector(*config)})
	if conns <= 0 {
		conns = 16
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	return pool
}

// isPooled tells whether a pooler such as PgBouncer stands before the server: it names a process of its own
// when a connection begins, and another one answers.
func isPooled(ctx context.Context, config *pgx.ConnConfig) (bool, error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var pid uint32
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&pid); err != nil {
		return false, err
	}
	return pid != conn.PgConn().PID(), nil
}

// watchedConn gives up on a server that stays silent, so that nobody waits for one that is frozen or cut
// off. A query may take as long as it likes while it sends rows.
type watchedConn struct {
	net.Conn
	silence *atomic.Int64 // in nanoseconds; 0 is for ever

	mu     sync.Mutex
	driven bool // the driver has set a deadline of its own: the caller has gone
}

// Read implements net.Conn.
func (c *watchedConn) Read(p []byte) (int, error) {
	c.arm(c.Conn.SetReadDeadline)
	return c.Conn.Read(p)
}

// Write implements net.Conn.
func (c *watchedConn) Write(p []byte) (int, error) {
	c.arm(c.SetWriteDeadline)
	return c.Conn.Write(p)
}

func (c *watchedConn) arm(set func(time.Time) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.driven {
		return
	}
	var deadline time.Time
	if silence := time.Duration(c.silence.Load()); silence > 0 {
		deadline = time.Now().Add(silence)
	}
	_ = set(deadline) // a closed connection says so when it is used
}

// SetDeadline implements net.Conn.
func (c *watchedConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.driven = !t.IsZero()
	return c.Conn.SetDeadline(t)
}

// SetReadDeadline implements net.Conn.
func (c *watchedConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.driven = !t.IsZero()
	return c.Conn.SetReadDeadline(t)
}

// connector remembers for a moment that the server did not answer: of the many who wait for a connection
// each would otherwise find out for itself, one after another.
type connector struct {
	driver.Connector
	mu    sync.Mutex
	fault error
	until time.Time
}

// Connect implements driver.Connector.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	if fault := c.recent(); fault != nil {
		return nil, fault
	}
	conn, err := c.Connector.Connect(ctx)
	if err != nil && ctx.Err() == nil {
		c.mu.Lock()
		c.fault, c.until = err, time.Now().Add(time.Second)
		c.mu.Unlock()
	}
	return conn, err
}

func (c *connector) recent() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.until) {
		return c.fault
	}
	return nil
}

// tracer tells of every statement: the trace of its context, and who counts them, if anybody does.
type tracer func(statement string)

// TraceQueryStart implements pgx.QueryTracer.
func (t tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if t != nil {
		t(q.SQL)
	}
	ctx, span := Postgres.beginStatement(ctx, q.SQL)
	if !span.On() {
		return ctx
	}
	return context.WithValue(ctx, statementKey{}, span)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (tracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryEndData) {
	if span, ok := ctx.Value(statementKey{}).(trace.Span); ok {
		endStatement(span, q.CommandTag.RowsAffected(), q.Err)
	}
}

type statementKey struct{}
