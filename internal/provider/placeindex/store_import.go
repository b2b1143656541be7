package placeindex

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// importBatch is how many places one transaction writes, or removes.
const importBatch = 500

var (
	// ErrNothing is the error of an import that found no place. What its source had before stays.
	ErrNothing = errors.New("there is no place in it")
	// ErrNoSource is the error of removing what is not there.
	ErrNoSource = errors.New("no places have this source")
	// ErrOvertaken is the error of an import whose source another one has taken over.
	ErrOvertaken = errors.New("another import of the same source has begun since, or the source was removed")
)

// Imported tells how an import stands.
type Imported struct {
	Resumed int64 // records that a former run has dealt with
	Kept    int64 // places written, by all runs; in the end those that there are
	Bad     int64 // records that are no place, by all runs
}

// File is a file of places to import.
type File struct {
	Reader io.Reader
	Format Format
	Options
	// Fingerprint tells the file from others, so that an import that was stopped goes on where it was.
	Fingerprint string
	Progress    func(Imported)
	Skipped     func(at int64, reason string) // a record that is no place, with its line
}

// Fingerprint identifies a file by its size and its beginning.
func Fingerprint(f io.ReaderAt, size int64, format Format) (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %d ", format, size)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, min(size, 1<<20))); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Import puts the places of a file in the stead of all that its source had before, all at once when it has come to
// the end. Until then, and after an error, nothing has changed; the next import of the same file goes on where this
// one ended, that of another file of the same source begins anew.
func (l *Library) Import(ctx context.Context, f File) (Imported, error) {
	im, err := l.begin(ctx, f.Source, f.Fingerprint)
	if err != nil {
		return Imported{}, err
	}
	im.progress = f.Progress
	f.Skip = im.state.Resumed
	err = Read(f.Reader, f.Format, f.Options, func(p Place, at Progress) error {
		im.record = at.Record
		return im.add(ctx, p)
	}, func(at int64, reason string) {
		im.state.Bad++
		if f.Skipped != nil {
			f.Skipped(at, reason)
		}
	})
	if err == nil {
		err = im.finish(ctx)
	}
	return im.state, err
}

// Save puts places, such as those of the demo market, in the stead of what their source had before. They are all
// of one source.
func (l *Library) Save(ctx context.Context, places []Place) error {
	if len(places) == 0 {
		return ErrNothing
	}
	im, err := l.begin(ctx, places[0].Source, "")
	if err != nil {
		return err
	}
	for _, p := range places {
		if err := im.add(ctx, p); err != nil {
			return err
		}
	}
	return im.finish(ctx)
}

// importing is an import under way.
type importing struct {
	db       *db.DB
	source   string
	id, run  int64
	state    Imported
	record   int64 // up to which all records are in batch or in the store
	batch    []Place
	progress func(Imported)
}

// begin takes over the import of the file that was stopped, or begins one; others of the source that were stopped
// are given up.
func (l *Library) begin(ctx context.Context, source, file string) (*importing, error) {
	im := &importing{db: l.db, source: source}
	err := l.db.Tx(ctx, func(tx *db.Tx) error {
		run, err := db.One(ctx, tx, db.Value[int64], "UPDATE place_revision SET runs = runs + 1 WHERE id = 1 RETURNING runs")
		if err != nil {
			return err
		}
		im.id, im.run, im.state = run, run, Imported{}
		_, err = db.One(ctx, tx, func(row db.Scanner) (struct{}, error) {
			return struct{}{}, row.Scan(&im.id, &im.state.Resumed, &im.state.Kept, &im.state.Bad)
		}, `UPDATE place_imports SET run = $1 WHERE source = $2 AND file = $3 AND file <> '' AND state = 'RUNNING'
			RETURNING id, records, imported, bad`, run, source, file)
		if db.IsNoRow(err) {
			_, err = tx.Exec(ctx, `INSERT INTO place_imports (id, source, file, run, state, records, imported, bad, updated_at)
				VALUES ($1, $2, $3, $4, 'RUNNING', 0, 0, 0, $5)`, run, source, file, run, db.Micros(time.Now()))
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE place_imports SET state = 'GONE' WHERE source = $1 AND state = 'RUNNING' AND id <> $2", source, im.id)
		return err
	})
	im.record = im.state.Resumed
	return im, err
}

func (im *importing) add(ctx context.Context, p Place) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if im.batch = append(im.batch, p); len(im.batch) < importBatch {
		return nil
	}
	return im.flush(ctx)
}

// flush writes the batch together with how far the import has come.
func (im *importing) flush(ctx context.Context) error {
	err := im.db.Tx(ctx, func(tx *db.Tx) error {
		ours, err := tx.Exec(ctx, `UPDATE place_imports SET records = $1, imported = $2, bad = $3, updated_at = $4
			WHERE id = $5 AND run = $6 AND state = 'RUNNING'`,
			im.record, im.state.Kept+int64(len(im.batch)), im.state.Bad, db.Micros(time.Now()), im.id, im.run)
		if err != nil {
			return err
		}
		if ours == 0 {
			return ErrOvertaken
		}
		return savePlaces(ctx, tx, im.id, im.batch)
	})
	if err != nil {
		return err
	}
	im.state.Kept += int64(len(im.batch))
	im.batch = im.batch[:0]
	if im.progress != nil {
		im.progress(im.state)
	}
	return nil
}

// finish lets the import take the stead of the source's former one, in one short transaction.
func (im *importing) finish(ctx context.Context) error {
	if err := im.flush(ctx); err != nil {
		return err
	}
	var err error
	im.state.Kept, err = db.One(ctx, im.db, db.Value[int64], "SELECT count(*) FROM places WHERE import_id = $1", im.id)
	if err != nil {
		return err
	}
	nothing := im.state.Kept == 0
	err = im.db.Tx(ctx, func(tx *db.Tx) error {
		state := "GONE"
		if !nothing {
			state = "CURRENT"
			if err := replaceCurrent(ctx, tx, im.source); err != nil {
				return err
			}
		}
		ours, err := tx.Exec(ctx, "UPDATE place_imports SET state = $1, imported = $2, updated_at = $3 WHERE id = $4 AND run = $5 AND state = 'RUNNING'",
			state, im.state.Kept, db.Micros(time.Now()), im.id, im.run)
		if err == nil && ours == 0 {
			err = ErrOvertaken
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := removeGone(ctx, im.db); err != nil {
		return err
	}
	if nothing {
		return ErrNothing
	}
	return nil
}

// replaceCurrent announces a change: what the source has is gone.
func replaceCurrent(ctx context.Context, tx *db.Tx, source string) error {
	if _, err := tx.Exec(ctx, "UPDATE place_revision SET revision = revision + 1 WHERE id = 1"); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE place_imports SET state = 'GONE' WHERE source = $1 AND state = 'CURRENT'", source)
	return err
}

// savePlaces writes one row for each id, the last that was read.
func savePlaces(ctx context.Context, tx *db.Tx, importID int64, places []Place) error {
	if len(places) == 0 {
		return nil
	}
	last := map[string]int{}
	for i, p := range places {
		last[p.ID] = i
	}
	var p db.Params
	rows := make([]string, 0, len(last))
	for i, place := range places {
		if last[place.ID] != i {
			continue
		}
		if err := place.Check(); err != nil {
			return fmt.Errorf("place %q: %w", place.ID, err)
		}
		categories, err := json.Marshal(append([]string{}, place.Categories...))
		if err != nil {
			return err
		}
		rows = append(rows, p.List(importID, place.ID, place.CID, place.Name, place.Address, place.Lat, place.Lng, place.Rating, place.Reviews,
			string(categories), place.CountryCode, place.Phone, place.Website))
	}
	sets := make([]string, len(placeFields))
	for i, field := range placeFields {
		sets[i] = field + " = excluded." + field
	}
	_, err := tx.Exec(ctx, "INSERT INTO places (import_id, "+strings.Join(placeFields, ", ")+") VALUES "+strings.Join(rows, ",")+
		" ON CONFLICT (import_id, id) DO UPDATE SET "+strings.Join(sets, ", "), p.Args...)
	return err
}
