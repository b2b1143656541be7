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
	// Fingerprint tells the file from others, so that an import that was stopped goes on where it was. What cannot be
	// read again from its middle, such as an answer, has none.
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
// one ended, that of another file of the same source, or of one without a fingerprint, begins anew.
func (l *Library) Import(ctx context.Context, f File) (Imported, error) {
	im, err := l.begin(ctx, f.Source, f.Fingerprint)
	if err != nil {
		return Imported{}, err
	}
	places := im.batches(ctx, f.Progress)
	f.Skip = im.state.Resumed
	err = Read(f.Reader, f.Format, f.Options, func(p Place, at Progress) error {
		im.record = at.Record
		return places.Add(ctx, p)
	}, func(at int64, reason string) {
		im.state.Bad++
		if f.Skipped != nil {
			f.Skipped(at, reason)
		}
	})
	if err == nil {
		err = places.Flush(ctx)
	}
	if err == nil {
		err = im.finish(ctx)
	} else if f.Fingerprint == "" {
		err = errors.Join(err, im.abandon(context.WithoutCancel(ctx)))
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
	batches := im.batches(ctx, nil)
	for _, p := range places {
		if err := batches.Add(ctx, p); err != nil {
			return err
		}
	}
	if err := batches.Flush(ctx); err != nil {
		return err
	}
	return im.finish(ctx)
}

// importing is an import under way.
type importing struct {
	db      *db.DB
	source  string
	id, run int64
	state   Imported
	record  int64 // the last that was read
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

// batches writes places together with how far the import has come.
func (im *importing) batches(ctx context.Context, progress func(Imported)) *db.Batches[Place] {
	before := im.state.Kept
	return db.NewBatches(im.db, importBatch, func(tx *db.Tx, places []Place) error {
		if err := im.update(ctx, tx, "RUNNING", im.state.Kept+int64(len(places))); err != nil {
			return err
		}
		return savePlaces(ctx, tx, im.id, places)
	}, func(kept int) {
		im.state.Kept = before + int64(kept)
		if progress != nil {
			progress(im.state)
		}
	})
}

// update notes how the import stands, unless another one has taken it over.
func (im *importing) update(ctx context.Context, tx *db.Tx, state string, kept int64) error {
	ours, err := tx.Exec(ctx, `UPDATE place_imports SET state = $1, records = $2, imported = $3, bad = $4, updated_at = $5
		WHERE id = $6 AND run = $7 AND state = 'RUNNING'`, state, im.record, kept, im.state.Bad, db.Micros(time.Now()), im.id, im.run)
	if err == nil && ours == 0 {
		err = ErrOvertaken
	}
	return err
}

// finish lets the import take the stead of the source's former one, in one short transaction.
func (im *importing) finish(ctx context.Context) error {
	kept, err := db.One(ctx, im.db, db.Value[int64], "SELECT count(*) FROM places WHERE import_id = $1", im.id)
	if err != nil {
		return err
	}
	im.state.Kept = kept
	nothing := im.state.Kept == 0
	err = im.db.Tx(ctx, func(tx *db.Tx) error {
		state := "GONE"
		if !nothing {
			state = "CURRENT"
			if err := replaceCurrent(ctx, tx, im.source); err != nil {
				return err
			}
		}
		return im.update(ctx, tx, state, im.state.Kept)
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

// abandon removes what the import has written: nothing can go on from there.
func (im *importing) abandon(ctx context.Context) error {
	err := im.db.Tx(ctx, func(tx *db.Tx) error { return im.update(ctx, tx, "GONE", im.state.Kept) })
	if errors.Is(err, ErrOvertaken) { // who took it over does so
		return nil
	}
	if err != nil {
		return err
	}
	return removeGone(ctx, im.db)
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
	last := map[string]int{}
	for i, p := range places {
		last[p.ID] = i
	}
	rows := make([][]any, 0, len(last))
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
		rows = append(rows, []any{
			importID, place.ID, place.CID, place.Name, place.Address, place.Lat, place.Lng, place.Rating, place.Reviews,
			string(categories), place.CountryCode, place.Phone, place.Website,
		})
	}
	sets := make([]string, len(placeFields))
	for i, field := range placeFields {
		sets[i] = field + " = excluded." + field
	}
	return db.Insert(ctx, tx, "places", "import_id, "+strings.Join(placeFields, ", "), rows, "ON CONFLICT (import_id, id) DO UPDATE SET "+strings.Join(sets, ", "))
}
