package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// IsUnique tells whether a write broke a unique index.
func IsUnique(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23505"
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code() == sqlitelib.SQLITE_CONSTRAINT_UNIQUE || lite.Code() == sqlitelib.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	return false
}

// IsFull tells whether the store has no room left on its disk.
func IsFull(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "53100"
	}
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code()&0xff == sqlitelib.SQLITE_FULL
}

// IsDamaged tells whether the file of the store is no database, or no longer one.
func IsDamaged(err error) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && (lite.Code()&0xff == sqlitelib.SQLITE_NOTADB || lite.Code()&0xff == sqlitelib.SQLITE_CORRUPT)
}

// IsUnavailable tells whether the store could not be reached or could not take the work now.
func IsUnavailable(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code[:2] {
		case "08", "40", "53", "57", "58": // connection, conflicts that repeating did not end, resources, operator intervention, system
			return true
		}
		return false
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch lite.Code() & 0xff {
		case sqlitelib.SQLITE_BUSY, sqlitelib.SQLITE_LOCKED, sqlitelib.SQLITE_FULL, sqlitelib.SQLITE_IOERR, sqlitelib.SQLITE_CANTOPEN:
			return true
		}
		return false
	}
	var connect *pgconn.ConnectError
	var op *net.OpError
	if errors.As(err, &connect) || errors.As(err, &op) || pgconn.SafeToRetry(err) || pgconn.Timeout(err) {
		return true
	}
	for _, lost := range []error{driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, errClosed, errTransactionLost, context.DeadlineExceeded} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return false
}

// ErrAgain makes Tx run its function once more: what it has locked is no longer what it had seen before.
var ErrAgain = errors.New("a row has changed before it was locked")

func isSerialization(err error) bool {
	if errors.Is(err, ErrAgain) {
		return true
	}
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}
