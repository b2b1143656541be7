package placeindex

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// importBatch is how many places one transaction writes.
const importBatch = 500

// Imported tells how an import stands.
type Imported struct {
	Resumed int64 // records that a former run has dealt with
	Kept    int64 // places written, by all runs
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

// Import keeps the places of a file; one that is there is replaced. What was kept before an error stays,
// and the next import of the same file goes on behind it.
func (l *Library) Import(ctx context.Context, f File) (Imported, error) {
	was, err := l.formerImport(ctx, f.Fingerprint)
	if err != nil {
		return was, err
	}
	f.Skip = was.Resumed
	im := &importing{library: l, file: &f, state: was, record: was.Resumed}
	err = Read(f.Reader, f.Format, f.Options, func(p Place, at Progress) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		im.record = at.Record
		if im.batch = append(im.batch, p); len(im.batch) == importBatch {
			return im.flush(ctx, false)
		}
		return nil
	}, func(at int64, reason string) {
		im.state.Bad++
		if f.Skipped != nil {
			f.Skipped(at, reason)
		}
	})
	if err == nil {
		err = im.flush(ctx, true)
	}
	return im.state, err
}

func (l *Library) formerImport(ctx context.Context, fingerprint string) (was Imported, err error) {
	done := false
	_, err = db.One(ctx, l.db, func(row db.Scanner) (struct{}, error) {
		return struct{}{}, row.Scan(&was.Resumed, &was.Kept, &was.Bad, &done)
	}, "SELECT records, imported, bad, done FROM place_imports WHERE file = $1", fingerprint)
	if db.IsNoRow(err) || err == nil && done { // a whole import may be made again
		return Imported{}, nil
	}
	return was, err
}

// importing is an import under way.
type importing struct {
	library *Library
	file    *File
	state   Imported
	record  int64 // up to which all records are in batch or in the store
	batch   []Place
}

// flush writes the batch together with how far the import has come.
func (im *importing) flush(ctx context.Context, done bool) error {
	err := im.library.db.Tx(ctx, func(tx *db.Tx) error {
		if err := savePlaces(ctx, tx, im.batch); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO place_imports (file, records, imported, bad, done, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (file) DO UPDATE SET records = excluded.records, imported = excluded.imported, bad = excluded.bad,
			done = excluded.done, updated_at = excluded.updated_at`,
			im.file.Fingerprint, im.record, im.state.Kept+int64(len(im.batch)), im.state.Bad, done, db.Micros(time.Now()))
		return err
	})
	if err != nil {
		return err
	}
	im.state.Kept += int64(len(im.batch))
	im.batch = im.batch[:0]
	if im.file.Progress != nil {
		im.file.Progress(im.state)
	}
	return nil
}

// Save keeps places, such as those of the demo market.
func (l *Library) Save(ctx context.Context, places []Place) error {
	for len(places) > 0 {
		n := min(len(places), importBatch)
		if err := l.db.Tx(ctx, func(tx *db.Tx) error { return savePlaces(ctx, tx, places[:n]) }); err != nil {
			return err
		}
		places = places[n:]
	}
	return nil
}

// savePlaces writes one row for each id, the last that was read, under a new revision. Revisions are
// committed in their order, because the row that counts them is locked until then.
func savePlaces(ctx context.Context, tx *db.Tx, places []Place) error {
	if len(places) == 0 {
		return nil
	}
	revision, err := db.One(ctx, tx, db.Value[int64], "UPDATE place_revision SET revision = revision + 1 WHERE id = 1 RETURNING revision")
	if err != nil {
		return err
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
		rows = append(rows, p.List(place.ID, place.CID, place.Name, place.Address, place.Lat, place.Lng, place.Rating, place.Reviews,
			string(categories), place.CountryCode, place.Phone, place.Website, place.Source, revision))
	}
	_, err = tx.Exec(ctx, "INSERT INTO places ("+placeColumns+", revision) VALUES "+strings.Join(rows, ",")+` ON CONFLICT (id) DO UPDATE
		SET cid = excluded.cid, name = excluded.name, address = excluded.address, lat = excluded.lat, lng = excluded.lng,
		rating = excluded.rating, reviews = excluded.reviews, categories = excluded.categories, country = excluded.country,
		phone = excluded.phone, website = excluded.website, source = excluded.source, revision = excluded.revision`, p.Args...)
	return err
}
