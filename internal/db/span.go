package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"

	"github.com/trigpoint/trigpoint/internal/trace"
)

// beginStatement notes a statement in the trace of the context, if there is one. What begins and ends a transaction is told by
// the span of the transaction.
func (d Dialect) beginStatement(ctx context.Context, text string) (context.Context, trace.Span) {
	if !trace.On(ctx) {
		return ctx, trace.Span{}
	}
	asked := shape(text)
	name, verb := summary(asked)
	switch verb {
	case "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "":
		return ctx, trace.Span{}
	}
	ctx, span := trace.BeginCall(ctx, name)
	span.Set("db.system.name", d.system())
	span.Set("db.query.text", asked)
	return ctx, span
}

// system is how OpenTelemetry names the engine.
func (d Dialect) system() string {
	if d == Postgres {
		return "postgresql"
	}
	return "sqlite"
}

// endStatement notes what came of it, and how many rows it has found or changed.
func endStatement(span trace.Span, rows int64, err error) {
	switch {
	case !span.On():
	case err != nil:
		span.Fail(faultName(err))
	default:
		span.Rows(int(rows))
	}
	span.End()
}

// endTransaction notes how it has ended. That one is rolled back is mostly no fault: the request was refused.
func endTransaction(span trace.Span, err error) {
	outcome := "committed"
	if err != nil {
		outcome = "rolled back"
	}
	span.Set("trigpoint.outcome", outcome)
	span.End()
}

// faultName is a word for an error, which unlike its text holds no value.
func faultName(err error) string {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case errors.As(err, &pg):
		return pg.Code
	case errors.As(err, &lite):
		return fmt.Sprintf("sqlite %d", lite.Code())
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return fmt.Sprintf("%T", err)
}
