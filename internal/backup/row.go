package backup

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/db"
)

// eachRow calls fn with every row of a table as a line, which is the same on both engines, and returns their sum.
func eachRow(ctx context.Context, q db.Queryer, table db.Table, fn func(line []byte) error) (sum Sum, err error) {
	values := make([]any, len(table.Columns))
	into := make([]any, len(table.Columns))
	for i := range values {
		into[i] = &values[i]
	}
	var line []byte
	err = db.Each(ctx, q, func(row db.Scanner) error {
		if err := ctx.Err(); err != nil { // SQLite's transactions go on without their caller
			return err
		}
		if err := row.Scan(into...); err != nil {
			return err
		}
		line = append(line[:0], '[')
		for i, column := range table.Columns {
			if i > 0 {
				line = append(line, ',')
			}
			if line, err = appendValue(line, column.Kind, values[i]); err != nil {
				return fmt.Errorf("column %s: %w", column.Name, err)
			}
		}
		line = append(line, ']')
		sum.add(line, len(line))
		return fn(line)
	}, "SELECT "+table.List()+" FROM "+table.Name)
	return sum, err
}

// appendValue writes a value as JSON. SQLite does not insist on a column's type, so that what comes is made what it should be.
func appendValue(line []byte, kind db.Kind, value any) ([]byte, error) {
	if value == nil {
		return append(line, "null"...), nil
	}
	switch v := value.(type) {
	case string:
		switch kind {
		case db.Text:
			return appendText(line, v)
		case db.Bytes:
			return appendBytes(line, []byte(v)), nil
		}
	case []byte:
		switch kind {
		case db.Text:
			return appendText(line, string(v))
		case db.Bytes:
			return appendBytes(line, v), nil
		}
	case int64:
		switch kind {
		case db.Integer:
			return strconv.AppendInt(line, v, 10), nil
		case db.Boolean:
			return strconv.AppendBool(line, v != 0), nil
		case db.Real:
			return strconv.AppendFloat(line, float64(v), 'g', -1, 64), nil
		}
	case float64:
		if kind == db.Real && !math.IsNaN(v) && !math.IsInf(v, 0) { // JSON has no others, and SQLite no NaN
			return strconv.AppendFloat(line, v+0, 'g', -1, 64), nil // SQLite knows no -0
		}
	case bool:
		if kind == db.Boolean {
			return strconv.AppendBool(line, v), nil
		}
	}
	return nil, fmt.Errorf("a %T cannot be kept in a column of kind %q", value, kind)
}

// appendText writes text as a string. Text that is no UTF-8, which only SQLite takes, is an object with its bytes.
func appendText(line []byte, text string) ([]byte, error) {
	if !utf8.ValidString(text) {
		line = append(line, `{"bytes":`...)
		return append(appendBytes(line, []byte(text)), '}'), nil
	}
	quoted, err := json.Marshal(text)
	return append(line, quoted...), err
}

func appendBytes(line, data []byte) []byte {
	line = append(line, '"')
	line = base64.StdEncoding.AppendEncode(line, data)
	return append(line, '"')
}

// readRow reads a line into values to store.
func readRow(line []byte, table db.Table) ([]any, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(line, &raw); err != nil {
		return nil, err
	}
	if len(raw) != len(table.Columns) {
		return nil, fmt.Errorf("a row has %d values for %d columns", len(raw), len(table.Columns))
	}
	values := make([]any, len(raw))
	for i, column := range table.Columns {
		value, err := readValue(raw[i], column.Kind)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", column.Name, err)
		}
		values[i] = value
	}
	return values, nil
}

func readValue(raw json.RawMessage, kind db.Kind) (any, error) {
	if string(raw) == "null" {
		return nil, nil //nolint:nilnil // NULL is a value
	}
	switch kind {
	case db.Text:
		if raw[0] == '{' {
			var odd struct{ Bytes []byte }
			err := json.Unmarshal(raw, &odd)
			return string(odd.Bytes), err
		}
		return as[string](raw)
	case db.Integer:
		return as[int64](raw)
	case db.Real:
		return as[float64](raw)
	case db.Boolean:
		return as[bool](raw)
	case db.Bytes:
		return as[[]byte](raw)
	}
	return nil, errors.New("its kind is unknown")
}

func as[T any](raw json.RawMessage) (any, error) {
	var v T
	err := json.Unmarshal(raw, &v)
	return v, err
}
