// Package backup writes an installation's rows, waiting jobs and objects as one archive, and fills an empty installation from
// it, on the same engine or on the other. It owns the format of the archive and knows no table of an area.
//
// An archive is a tar packed with zstd, and encrypted when there is a key (seal.go). Its entries, in their order:
//
//	header.json                the schema: its version, tables and columns
//	objects/NAME               objects that rows name
//	tables/NAME/000001.jsonl   rows, an array each, in parts
//	jobs/000001.jsonl          jobs that wait
//	totals.json                how much of everything there is, with a sum over it
//
// Every entry carries the SHA-256 of its bytes.
package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
)

// Installation is what is kept and filled.
type Installation struct {
	DB    *db.DB
	Blobs blob.Store
	// EachObject calls fn with the name of every object that a row names. What is stored under a name never changes.
	EachObject func(ctx context.Context, q db.Queryer, fn func(name string) error) error
}

// Header heads an archive.
type Header struct {
	Format  int        `json:"format"`
	Program string     `json:"program"` // version that wrote it
	Engine  db.Dialect `json:"engine"`
	Schema  int64      `json:"schema"` // number of the newest migration
	Tables  []db.Table `json:"tables"`
}

// format is the version of the archive's format that this program writes and reads.
const format = 1

// Totals ends an archive.
type Totals struct {
	AsOf    time.Time      `json:"as_of"` // the moment that rows and jobs are of
	Tables  map[string]Sum `json:"tables"`
	Jobs    Sum            `json:"jobs"`
	Objects Sum            `json:"objects"`
	Lost    []string       `json:"lost,omitempty"` // objects that rows name and the object store did not have
}

// Rows is how many rows there are in all tables.
func (t *Totals) Rows() (n int64) {
	for _, sum := range t.Tables {
		n += sum.Number
	}
	return n
}

// partSize is how much of a table is gathered in one entry of the archive.
const partSize = 1 << 20

// errGone is that an object was deleted after the snapshot that names it was taken.
var errGone = errors.New("an object was deleted meanwhile")

// Write makes an archive of the installation as it stands at one moment, which it may go on changing after. Objects are copied
// first: one that is deleted meanwhile is either in the archive already or not named by the next snapshot.
func (in *Installation) Write(ctx context.Context, w io.Writer, key *Key, program string) (*Totals, error) {
	out := &writing{in: in, copied: map[string]bool{}, totals: Totals{Tables: map[string]Sum{}}}
	if err := in.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		out.header, err = headerOf(ctx, tx, program)
		return err
	}); err != nil {
		return nil, err
	}
	var err error
	if out.archive, err = newWriter(w, key); err != nil {
		return nil, err
	}
	if err := out.archive.addJSON(headerEntry, out.header); err != nil {
		return nil, err
	}
	if _, err := out.objects(ctx, in.DB); err != nil { // most of them, before a snapshot has to be held
		return nil, err
	}
	const snapshots = 3
	for n := 1; ; n++ {
		err := in.DB.Snapshot(ctx, func(tx *db.Tx) error { return out.snapshot(ctx, tx, program, n == snapshots) })
		if err == nil {
			break
		}
		if !errors.Is(err, errGone) {
			return nil, err
		}
	}
	if err := out.archive.addJSON(totalsEntry, out.totals); err != nil {
		return nil, err
	}
	return &out.totals, out.archive.Close()
}

func headerOf(ctx context.Context, tx *db.Tx, program string) (Header, error) {
	h := Header{Format: format, Program: program, Engine: tx.Dialect}
	version, tables, err := tx.Schema(ctx)
	if err != nil {
		return h, err
	}
	h.Schema = version
	for _, table := range tables {
		if !job.IsTable(table.Name) {
			h.Tables = append(h.Tables, table)
		}
	}
	return h, nil
}

// writing is an archive under way.
type writing struct {
	in      *Installation
	archive *writer
	header  Header
	copied  map[string]bool // objects in the archive
	totals  Totals
}

// snapshot writes what a snapshot holds: the objects that are not copied yet, then rows and jobs. Unless it is the last, an
// object that is not there is reason to take another snapshot.
func (out *writing) snapshot(ctx context.Context, tx *db.Tx, program string, last bool) error {
	now, err := headerOf(ctx, tx, program)
	if err != nil {
		return err
	}
	if now.Schema != out.header.Schema {
		return fmt.Errorf("the schema was changed from %d to %d meanwhile, as an upgrade does: run the backup again", out.header.Schema, now.Schema)
	}
	out.totals.AsOf = time.Now().UTC().Truncate(time.Second)
	gone, err := out.objects(ctx, tx)
	if err != nil {
		return err
	}
	if len(gone) > 0 && !last {
		return errGone
	}
	out.totals.Lost = gone
	for _, table := range out.header.Tables {
		if err := out.table(ctx, tx, table); err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	return out.jobs(ctx, tx)
}

// objects copies those that rows name and that are not in the archive yet, and returns the names of those that are not there.
func (out *writing) objects(ctx context.Context, q db.Queryer) (gone []string, err error) {
	err = out.in.EachObject(ctx, q, func(name string) error {
		if out.copied[name] {
			return nil
		}
		data, err := readObject(ctx, out.in.Blobs, name)
		if errors.Is(err, blob.ErrNotFound) {
			gone = append(gone, name)
			return nil
		}
		if err != nil {
			return fmt.Errorf("object %s: %w", name, err)
		}
		out.copied[name] = true
		out.totals.Objects.add(objectLine(name, data), len(data))
		return out.archive.add(objectsFolder+name, data)
	})
	return gone, err
}

func readObject(ctx context.Context, blobs blob.Store, name string) ([]byte, error) {
	r, err := blobs.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return io.ReadAll(io.LimitReader(r, maxEntry))
}

func (out *writing) table(ctx context.Context, tx *db.Tx, table db.Table) error {
	p := parts{archive: out.archive, folder: tablesFolder + table.Name + "/"}
	sum, err := eachRow(ctx, tx, table, p.line)
	if err != nil {
		return err
	}
	out.totals.Tables[table.Name] = sum
	return p.flush()
}

func (out *writing) jobs(ctx context.Context, tx *db.Tx) error {
	p := parts{archive: out.archive, folder: jobsFolder}
	err := job.EachWaiting(ctx, out.in.DB, tx, func(w job.Waiting) error {
		line, err := json.Marshal(w)
		if err != nil {
			return err
		}
		out.totals.Jobs.add(line, len(line))
		return p.line(line)
	})
	if err != nil {
		return err
	}
	return p.flush()
}

// parts gathers lines into entries of a folder.
type parts struct {
	archive *writer
	folder  string
	number  int
	lines   bytes.Buffer
}

func (p *parts) line(line []byte) error {
	p.lines.Write(line)
	p.lines.WriteByte('\n')
	if p.lines.Len() < partSize {
		return nil
	}
	return p.flush()
}

func (p *parts) flush() error {
	if p.lines.Len() == 0 {
		return nil
	}
	p.number++
	err := p.archive.add(fmt.Sprintf("%s%06d.jsonl", p.folder, p.number), p.lines.Bytes())
	p.lines.Reset()
	return err
}
