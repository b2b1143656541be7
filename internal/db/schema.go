package db

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
)

// Kind is what a column holds, the same on both engines.
type Kind string

// The kinds that migrations use.
const (
	Text    Kind = "text"
	Integer Kind = "integer"
	Real    Kind = "real"
	Boolean Kind = "boolean"
	Bytes   Kind = "bytes"
)

// kinds are the engines' names of types. Libraries that keep tables of their own may use others.
var kinds = map[string]Kind{
	"text": Text, "integer": Integer, "bigint": Integer, "double precision": Real, "boolean": Boolean, "bytea": Bytes,
}

// Table is a table as the store has it.
type Table struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
}

// Column is a column of a table.
type Column struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"` // empty when only a library knows it
}

// List is the names of the columns as a statement needs them.
func (t Table) List() string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = `"` + c.Name + `"`
	}
	return strings.Join(names, ", ")
}

// Schema is the tables of the store, in the order of their names, and the number of the migration that made them. What the
// store keeps about migrations is left out.
func (t *Tx) Schema(ctx context.Context) (version int64, tables []Table, err error) {
	columns := `SELECT m.name, c.name, lower(c.type) FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY m.name, c.cid`
	if t.Dialect == Postgres {
		columns = `SELECT relname, attname, format_type(atttypid, atttypmod) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
			WHERE attnum > 0 AND NOT attisdropped AND ` + ownTables + ` ORDER BY relname COLLATE "C", attnum`
	}
	err = Each(ctx, t, func(row Scanner) error {
		var table, column, kind string
		if err := row.Scan(&table, &column, &kind); err != nil {
			return err
		}
		if table == goose.DefaultTablename || table == unfinished {
			return nil
		}
		if len(tables) == 0 || tables[len(tables)-1].Name != table {
			tables = append(tables, Table{Name: table})
		}
		last := &tables[len(tables)-1]
		last.Columns = append(last.Columns, Column{Name: column, Kind: kinds[kind]})
		return nil
	}, columns)
	if err != nil {
		return 0, nil, fmt.Errorf("read the schema: %w", err)
	}
	if version, err = schemaVersion(ctx, t); err != nil {
		return 0, nil, fmt.Errorf("read the schema: %w", err)
	}
	return version, tables, nil
}

// ownTables is the condition on pg_class that leaves out what extensions have brought.
const ownTables = `relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p')
	AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')`

// tableNames lists the tables of the store, those of migrations and of libraries too.
func (d *DB) tableNames(ctx context.Context) ([]string, error) {
	text := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
	if d.Dialect == Postgres {
		text = "SELECT relname FROM pg_class WHERE " + ownTables
	}
	names, err := All(ctx, d, Value[string], text)
	if err != nil {
		return nil, fmt.Errorf("look at the store: %w", err)
	}
	return names, nil
}

// schemaVersion is the number of the newest migration; 0 when the first was cut short.
func schemaVersion(ctx context.Context, q Queryer) (int64, error) {
	return One(ctx, q, Value[int64], "SELECT coalesce(max(version_id), 0) FROM "+goose.DefaultTablename)
}

// Version is the number of the newest migration of the store, and of the newest that this program knows. It changes nothing.
func (d *DB) Version(ctx context.Context) (store, program int64, err error) {
	provider, err := d.migrations()
	if err != nil {
		return 0, 0, err
	}
	names, err := d.tableNames(ctx)
	if err != nil {
		return 0, 0, err
	}
	if slices.Contains(names, goose.DefaultTablename) {
		store, err = schemaVersion(ctx, d)
	}
	return store, latest(provider), err
}
