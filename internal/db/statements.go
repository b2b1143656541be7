package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"regexp"

	"modernc.org/sqlite"

	"github.com/trigpoint/trigpoint/internal/trace"
)

// SQLite parses and plans a statement in about the time that a small one takes to run, and the driver does it
// anew for each call. Connections opened here keep what they have prepared, for reads, writes and libraries
// alike.

const (
	maxKept     = 512     // statements of a connection; texts built for a request would fill the memory
	maxKeptText = 8 << 10 // a longer one is a wide insert, of which no two are alike
)

// openKeeping opens a pool of connections that keep their statements.
func openKeeping(dsn string, trace func(statement string)) (*sql.DB, error) {
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	if trace == nil {
		trace = func(string) {}
	}
	return sql.OpenDB(keepingConnector{connector, trace}), nil
}

type keepingConnector struct {
	driver.Connector
	trace func(statement string)
}

func (k keepingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &keepingConn{sqliteConn: c.(sqliteConn), kept: map[string]*keptStatement{}, trace: k.trace}, nil
}

// sqliteConn is what the driver's connections can do.
type sqliteConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type sqliteStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keepingConn is used by one goroutine at a time, as database/sql sees to.
type keepingConn struct {
	sqliteConn
	kept  map[string]*keptStatement // by the caller's text
	trace func(statement string)
}

type keptStatement struct {
	sqliteStatement
	busy bool // its rows are being read
}

// ExecContext runs a statement that returns no rows.
func (c *keepingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (result driver.Result, err error) {
	c.trace(text)
	ctx, span := SQLite.beginStatement(ctx, text)
	defer func() { endStatement(span, changed(result), err) }()
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.sqliteConn.ExecContext(ctx, sqliteText(text), args)
	}
	return s.ExecContext(ctx, args)
}

// changed is how many rows a statement has changed.
func changed(result driver.Result) int64 {
	if result == nil { // of a text without a statement, and of one that failed
		return 0
	}
	n, _ := result.RowsAffected() // which SQLite always knows
	return n
}

// QueryContext runs a statement that returns rows.
func (c *keepingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (rows driver.Rows, err error) {
	c.trace(text)
	ctx, span := SQLite.beginStatement(ctx, text)
	defer func() {
		if err != nil {
			endStatement(span, 0, err)
		}
	}()
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	if s == nil {
		rows, err = c.sqliteConn.QueryContext(ctx, sqliteText(text), args)
		if err != nil || !span.On() {
			return rows, err
		}
		return &keptRows{Rows: rows, span: span}, nil
	}
	rows, err = s.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.busy = true
	return &keptRows{Rows: rows, of: s, span: span}, nil
}

// statement is nil for a text that is not kept, or whose statement is in use further out.
func (c *keepingConn) statement(ctx context.Context, text string) (*keptStatement, error) {
	if s := c.kept[text]; s != nil {
		if s.busy {
			return nil, nil
		}
		return s, nil
	}
	if len(text) > maxKeptText {
		return nil, nil
	}
	prepared, err := c.PrepareContext(ctx, sqliteText(text))
	if err != nil {
		return nil, err
	}
	if len(c.kept) >= maxKept {
		if err := c.forget(); err != nil {
			return nil, errors.Join(err, prepared.Close())
		}
	}
	s := &keptStatement{sqliteStatement: prepared.(sqliteStatement)}
	c.kept[text] = s
	return s, nil
}

// forget closes all statements that are not in use.
func (c *keepingConn) forget() error {
	var failed error
	for text, s := range c.kept {
		if !s.busy {
			failed = errors.Join(failed, s.Close())
			delete(c.kept, text)
		}
	}
	return failed
}

// Close ends the connection.
func (c *keepingConn) Close() error {
	return errors.Join(c.forget(), c.sqliteConn.Close())
}

type keptRows struct {
	driver.Rows
	of   *keptStatement // nil when it is not kept
	span trace.Span     // which lasts until all are read
	read int64
	err  error
}

// Next reads a row.
func (r *keptRows) Next(row []driver.Value) error {
	err := r.Rows.Next(row)
	if err == nil {
		r.read++
	} else if !errors.Is(err, io.EOF) {
		r.err = err
	}
	return err
}

// Close gives the statement back.
func (r *keptRows) Close() error {
	if r.of != nil {
		r.of.busy = false
	}
	endStatement(r.span, r.read, r.err)
	return r.Rows.Close()
}

// boundLimit finds a LIMIT that is a bind. SQLite plans for its value, and so plans anew whenever it is bound: a sum
// hides it.
var boundLimit = regexp.MustCompile(`(?i)(\blimit\s+)([$?@:])`)

// sqliteText is a statement as SQLite runs it best.
func sqliteText(text string) string {
	return boundLimit.ReplaceAllString(sqliteBinds(text), "${1}0+$2")
}
