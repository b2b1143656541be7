package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"path"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
)

// Verify reads an archive to its end and compares every checksum.
func Verify(ctx context.Context, r io.Reader, key *Key) (*Header, *Totals, error) {
	in, err := open(r, key)
	if err != nil {
		return nil, nil, err
	}
	defer in.packed.Close()
	if err := in.objects(ctx, func(string, []byte) error { return nil }); err != nil {
		return nil, nil, err
	}
	if err := in.tables(ctx, func(db.Table, [][]byte) error { return nil }); err != nil {
		return nil, nil, err
	}
	if err := in.jobs(ctx, func([][]byte) error { return nil }); err != nil {
		return nil, nil, err
	}
	totals, err := in.end()
	return &in.Header, totals, err
}

// Restore fills an empty installation. Objects come first; rows and jobs are one transaction, which ends only when all that is
// stored was read back and found equal to what the archive's writer saw. One that was interrupted is begun again, and leaves
// alone the objects that are there.
func (in *Installation) Restore(ctx context.Context, r io.Reader, key *Key) (*Header, *Totals, error) {
	archive, err := open(r, key)
	if err != nil {
		return nil, nil, err
	}
	defer archive.packed.Close()
	if err := in.DB.BeginRestore(ctx, archive.Header.Schema, job.Tables(in.DB)); err != nil {
		return nil, nil, err
	}
	if err := archive.objects(ctx, func(name string, data []byte) error { return in.putObject(ctx, name, data) }); err != nil {
		return nil, nil, err
	}
	var totals *Totals
	err = in.DB.Load(ctx, func(tx *db.Tx) (err error) {
		totals, err = in.load(ctx, tx, archive)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return &archive.Header, totals, job.Migrate(ctx, in.DB)
}

// putObject stores an object unless it is there.
func (in *Installation) putObject(ctx context.Context, name string, data []byte) error {
	there, err := readObject(ctx, in.Blobs, name)
	if err == nil && bytes.Equal(there, data) {
		return nil
	}
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		return fmt.Errorf("object %s: %w", name, err)
	}
	if err := in.Blobs.Put(ctx, name, mime.TypeByExtension(path.Ext(name)), data); err != nil {
		return fmt.Errorf("object %s: %w", name, err)
	}
	return nil
}

func (in *Installation) load(ctx context.Context, tx *db.Tx, archive *reader) (*Totals, error) {
	here, err := headerOf(ctx, tx, "")
	if err != nil {
		return nil, err
	}
	if !slices.EqualFunc(here.Tables, archive.Header.Tables, sameTable) {
		return nil, damaged("its tables are not those of schema %d", archive.Header.Schema)
	}
	for _, table := range here.Tables { // migrations have put first rows into some
		if _, err := tx.Exec(ctx, "DELETE FROM "+table.Name); err != nil {
			return nil, fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	if err := archive.tables(ctx, func(table db.Table, lines [][]byte) error { return insert(ctx, tx, table, lines) }); err != nil {
		return nil, err
	}
	err = archive.jobs(ctx, func(lines [][]byte) error {
		all := make([]job.Waiting, len(lines))
		for i, line := range lines {
			if err := json.Unmarshal(line, &all[i]); err != nil {
				return damaged("a job: %v", err)
			}
		}
		return job.Requeue(ctx, in.DB, tx, all)
	})
	if err != nil {
		return nil, err
	}
	totals, err := archive.end()
	if err != nil {
		return nil, err
	}
	return totals, in.compare(ctx, tx, archive.Header.Tables, totals)
}

// sameTable tells whether a table has the same columns; their order is nobody's concern.
func sameTable(a, b db.Table) bool {
	sorted := func(t db.Table) []db.Column {
		return slices.SortedFunc(slices.Values(t.Columns), func(a, b db.Column) int { return strings.Compare(a.Name, b.Name) })
	}
	return a.Name == b.Name && slices.Equal(sorted(a), sorted(b))
}

func insert(ctx context.Context, tx *db.Tx, table db.Table, lines [][]byte) error {
	const atOnce = 250 // so that statements are of few lengths
	for some := range slices.Chunk(lines, atOnce) {
		rows := make([][]any, len(some))
		for i, line := range some {
			var err error
			if rows[i], err = readRow(line, table); err != nil {
				return damaged("table %s: %v", table.Name, err)
			}
		}
		if err := db.Insert(ctx, tx, table.Name, table.List(), rows, ""); err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	return nil
}

// compare reads back what was stored.
func (in *Installation) compare(ctx context.Context, tx *db.Tx, tables []db.Table, totals *Totals) error {
	for _, table := range tables {
		stored, err := eachRow(ctx, tx, table, func([]byte) error { return nil })
		if err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
		if stored != totals.Tables[table.Name] {
			return fmt.Errorf("table %s: what was stored is not what the backup holds (%d rows of %d); nothing was restored", table.Name, stored.Number, totals.Tables[table.Name].Number)
		}
	}
	var jobs int64
	if err := job.EachWaiting(ctx, in.DB, tx, func(job.Waiting) error { jobs++; return nil }); err != nil {
		return err
	}
	if jobs != totals.Jobs.Number {
		return fmt.Errorf("%d jobs wait in place of %d; nothing was restored", jobs, totals.Jobs.Number)
	}
	return nil
}

// objects takes the objects of the archive.
func (in *reader) objects(ctx context.Context, fn func(name string, data []byte) error) error {
	return in.each(objectsFolder, func(name string, data []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		in.read.Objects.add(objectLine(name, data), len(data))
		return fn(name, data)
	})
}

// tables takes the rows of all tables, in parts.
func (in *reader) tables(ctx context.Context, fn func(table db.Table, lines [][]byte) error) error {
	return in.each(tablesFolder, func(name string, data []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := slices.IndexFunc(in.Header.Tables, func(t db.Table) bool { return t.Name == path.Dir(name) })
		if at < 0 {
			return damaged("%s is of no table", name)
		}
		table := in.Header.Tables[at]
		lines := slices.Collect(linesOf(data))
		sum := in.read.Tables[table.Name]
		for _, line := range lines {
			sum.add(line, len(line))
		}
		in.read.Tables[table.Name] = sum
		return fn(table, lines)
	})
}

// jobs takes the waiting jobs.
func (in *reader) jobs(ctx context.Context, fn func(lines [][]byte) error) error {
	return in.each(jobsFolder, func(_ string, data []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		lines := slices.Collect(linesOf(data))
		for _, line := range lines {
			in.read.Jobs.add(line, len(line))
		}
		return fn(lines)
	})
}

func linesOf(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(data) {
			if !yield(bytes.TrimSuffix(line, []byte("\n"))) {
				return
			}
		}
	}
}
