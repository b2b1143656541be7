package local

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

const locationColumns = "id, account_id, status, frozen, submitted_at, version, profile, errors"

// scanShown reads a location that is only to be shown: its JSON stays as it is stored.
func scanShown(row db.Scanner) (Location, error) {
	var l Location
	var submitted int64
	err := row.Scan(&l.ID, &l.accountID, &l.Status, &l.Frozen, &submitted, &l.version, &l.rawProfile, &l.rawErrors)
	l.SubmitDate = &Time{db.Time(submitted)}
	return l, err
}

// scanLocation reads a location to work with.
func scanLocation(row db.Scanner) (Location, error) {
	l, err := scanShown(row)
	if err != nil {
		return l, err
	}
	if err := json.Unmarshal(l.rawProfile, &l.Profile); err != nil {
		return l, fmt.Errorf("profile of location %s: %w", l.ID, err)
	}
	err = json.Unmarshal(l.rawErrors, &l.Errors)
	l.rawProfile, l.rawErrors = nil, nil
	return l, err
}

func noLocation(id string) error { return errs.New(errs.NotFound, "There is no location %.64q.", id) }

const ownLocation = "SELECT " + locationColumns + " FROM locations WHERE id = $1 AND account_id = $2"

// showLocation finds a location to show.
func showLocation(ctx context.Context, q db.Queryer, accountID, id string) (Location, error) {
	l, err := db.One(ctx, q, scanShown, ownLocation, id, accountID)
	if db.IsNoRow(err) {
		err = noLocation(id)
	}
	return l, err
}

// feedTokenOf finds the secret of the feed that a location of the account is in.
func feedTokenOf(ctx context.Context, q db.Queryer, accountID, id string) (string, error) {
	token, err := db.One(ctx, q, db.Value[string], "SELECT feed_token FROM accounts WHERE id = $2 AND EXISTS (SELECT 1 FROM locations WHERE id = $1 AND account_id = $2)", id, accountID)
	if db.IsNoRow(err) {
		err = noLocation(id)
	}
	return token, err
}

// lockLocation finds a location to change.
func lockLocation(ctx context.Context, tx *db.Tx, accountID, id string) (Location, error) {
	l, err := db.One(ctx, tx, scanLocation, ownLocation+tx.ForUpdate(), id, accountID)
	if db.IsNoRow(err) {
		err = noLocation(id)
	}
	return l, err
}

// locationFilter narrows a list of locations; an empty one matches all.
type locationFilter struct {
	statuses []Status
	frozen   *bool
}

func (f locationFilter) matches(status Status, frozen bool) bool {
	return (len(f.statuses) == 0 || slices.Contains(f.statuses, status)) && (f.frozen == nil || *f.frozen == frozen)
}

// unusual is the condition of locations other than those that are COMPLETED and not frozen. They have an index
// of their own: nothing that a list needs grows with the others.
const unusual = "(status <> 'COMPLETED' OR frozen)"

// where is the condition of what the filter lets through.
func (f locationFilter) where(p *db.Params, accountID string) string {
	where := " WHERE account_id = " + p.Add(accountID)
	if !f.matches(Completed, false) {
		where += " AND " + unusual
	}
	if len(f.statuses) > 0 {
		where += " AND status IN " + db.AddAll(p, f.statuses)
	}
	if f.frozen != nil {
		where += " AND frozen = " + p.Add(*f.frozen)
	}
	return where
}

const newestFirst = " ORDER BY submitted_at DESC, id DESC"

func listLocations(ctx context.Context, q db.Queryer, accountID string, f locationFilter, limit, offset int) ([]Location, error) {
	var p db.Params
	where := f.where(&p, accountID)
	return db.All(ctx, q, scanShown, "SELECT "+locationColumns+" FROM locations"+where+newestFirst+" LIMIT "+p.Add(limit)+" OFFSET "+p.Add(offset), p.Args...)
}

// countLocations tells how many locations match. The account counts those that are not FAILED, so that of the usual
// ones none is read: they are what it counts less the unusual.
func countLocations(ctx context.Context, q db.Queryer, accountID string, f locationFilter) (total int64, err error) {
	if len(f.statuses) == 0 && f.frozen == nil {
		return db.One(ctx, q, db.Value[int64], "SELECT a.locations + (SELECT count(*) FROM locations WHERE account_id = $1 AND status = 'FAILED') FROM accounts a WHERE a.id = $1", accountID)
	}
	const heldByPlan = "HELD" // the row of what the account counts
	var usual int64
	err = db.Each(ctx, q, func(row db.Scanner) error {
		var status Status
		var frozen bool
		var n int64
		err := row.Scan(&status, &frozen, &n)
		switch {
		case status == heldByPlan:
			usual += n
			return err
		case status != Failed:
			usual -= n
		}
		if f.matches(status, frozen) {
			total += n
		}
		return err
	}, "SELECT '"+heldByPlan+"', FALSE, locations FROM accounts WHERE id = $1 UNION ALL SELECT status, frozen, count(*) FROM locations WHERE account_id = $1 AND "+unusual+
		" GROUP BY status, frozen", accountID)
	if f.matches(Completed, false) {
		total += usual
	}
	return total, err
}

func insertLocation(ctx context.Context, tx *db.Tx, l *Location) error {
	profile, err := json.Marshal(l.Profile)
	if err != nil {
		return err
	}
	latitude, longitude := position(&l.Profile)
	_, err = tx.Exec(ctx, "INSERT INTO locations ("+locationColumns+", latitude, longitude, search, positioned) VALUES ($1, $2, $3, $4, $5, $6, $7, '[]', $8, $9, $10, TRUE)",
		l.ID, l.accountID, string(l.Status), l.Frozen, db.Micros(l.SubmitDate.Time), l.version, string(profile), latitude, longitude, searchText(&l.Profile))
	return err
}

// updateLocation stores a changed profile and asks for its publication.
func updateLocation(ctx context.Context, tx *db.Tx, l *Location) error {
	profile, err := json.Marshal(l.Profile)
	if err != nil {
		return err
	}
	l.Status, l.Errors = Processing, []errs.Detail{}
	l.version++
	latitude, longitude := position(&l.Profile)
	_, err = tx.Exec(ctx, `UPDATE locations SET status = 'PROCESSING', errors = '[]', version = $2, profile = $3, latitude = $4, longitude = $5, search = $6, positioned = TRUE
		WHERE id = $1`, l.ID, l.version, string(profile), latitude, longitude, searchText(&l.Profile))
	return err
}

// deleteLocation removes a location with its listings and images, and returns how many bytes these had.
func deleteLocation(ctx context.Context, tx *db.Tx, id string, now time.Time) (bytes int64, err error) {
	const used = "name IN (SELECT object FROM images WHERE location_id = $1)"
	if _, err := db.All(ctx, tx, db.Value[string], "SELECT name FROM objects WHERE "+used+" ORDER BY name"+tx.ForUpdate(), id); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(ctx, `UPDATE objects SET refs = refs - (SELECT count(*) FROM images i WHERE i.location_id = $1 AND i.object = objects.name),
		`+unreferenced+" WHERE "+used, id, db.Micros(now)); err != nil {
		return 0, err
	}
	if bytes, err = db.One(ctx, tx, db.Value[int64], "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM images WHERE location_id = $1", id); err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, "DELETE FROM locations WHERE id = $1", id) // listings and images go with it
	return bytes, err
}

const listingColumns = "id, account_id, location_id, directory, status, wanted, url, detail, version, look_at, subject, place_id"

func scanListing(row db.Scanner) (listing, error) {
	var l listing
	err := row.Scan(&l.id, &l.accountID, &l.locationID, &l.directory, &l.status, &l.wanted, &l.url, &l.detail, &l.version, &l.lookAt, &l.subject, &l.placeID)
	return l, err
}

func listingsOf(ctx context.Context, q db.Queryer, locationIDs ...string) ([]listing, error) {
	var p db.Params
	return db.All(ctx, q, scanListing, "SELECT "+listingColumns+" FROM listings WHERE location_id IN "+db.AddAll(&p, locationIDs), p.Args...)
}

// listingIn finds the listing of a location in one directory.
func listingIn(ctx context.Context, q db.Queryer, locationID, directory string) (listing, error) {
	return db.One(ctx, q, scanListing, "SELECT "+listingColumns+" FROM listings WHERE location_id = $1 AND directory = $2", locationID, directory)
}

// claimLooks takes listings of these directories that are due to be looked at, longest due first: they are not due
// again until then. A frozen location is not looked at.
func claimLooks(ctx context.Context, tx *db.Tx, directories []string, now, until time.Time, limit int) ([]listing, error) {
	lock := tx.ForUpdate()
	if lock != "" {
		lock += " SKIP LOCKED"
	}
	var p db.Params
	due, err := db.All(ctx, tx, scanListing, "SELECT "+listingColumns+" FROM listings WHERE look_at > 0 AND look_at <= "+p.Add(db.Micros(now))+
		" AND directory IN "+db.AddAll(&p, directories)+" AND NOT (SELECT frozen FROM locations o WHERE o.id = location_id) ORDER BY look_at LIMIT "+p.Add(limit)+lock, p.Args...)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	ids := make([]string, len(due))
	for i, l := range due {
		ids[i] = l.id
	}
	var q db.Params
	_, err = tx.Exec(ctx, "UPDATE listings SET look_at = "+q.Add(db.Micros(until))+" WHERE id IN "+db.AddAll(&q, ids), q.Args...)
	return due, err
}

func getListing(ctx context.Context, tx *db.Tx, accountID, id string) (listing, error) {
	l, err := db.One(ctx, tx, scanListing, "SELECT "+listingColumns+" FROM listings WHERE id = $1 AND account_id = $2", id, accountID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no listing %.64q.", id)
	}
	return l, err
}

// saveListings inserts or replaces listings by location and directory.
func saveListings(ctx context.Context, tx *db.Tx, now time.Time, all []listing) error {
	rows := make([][]any, len(all))
	for i, l := range all {
		rows[i] = []any{l.id, l.accountID, l.locationID, l.directory, string(l.status), l.wanted, l.url, l.detail, l.version, l.lookAt, l.subject, l.placeID, db.Micros(now)}
	}
	return db.Insert(ctx, tx, "listings", listingColumns+", updated_at", rows, `ON CONFLICT (location_id, directory) DO UPDATE
		SET status = excluded.status, wanted = excluded.wanted, url = excluded.url, detail = excluded.detail, version = excluded.version,
			look_at = excluded.look_at, subject = excluded.subject, place_id = excluded.place_id, updated_at = excluded.updated_at`)
}

const imageColumns = "id, account_id, location_id, type, object, bytes, description, created_at"

func scanImage(row db.Scanner) (Image, error) {
	var img Image
	var created int64
	err := row.Scan(&img.ID, &img.accountID, &img.locationID, &img.Type, &img.object, &img.bytes, &img.Description, &created)
	img.CreateDate = &Time{db.Time(created)}
	return img, err
}

func insertImage(ctx context.Context, tx *db.Tx, img Image) error {
	_, err := tx.Exec(ctx, "INSERT INTO images ("+imageColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		img.ID, img.accountID, img.locationID, img.Type, img.object, img.bytes, img.Description, db.Micros(img.CreateDate.Time))
	return err
}

// publishedImages bounds how many images of a location are published, the newest of them.
const publishedImages = 100

// newestImages finds the images of each location that are published, newest first.
func newestImages(ctx context.Context, q db.Queryer, locationIDs []string) ([]Image, error) {
	if len(locationIDs) == 0 {
		return nil, nil
	}
	var p db.Params
	return db.All(ctx, q, scanImage, "SELECT "+imageColumns+` FROM (
			SELECT `+imageColumns+`, row_number() OVER (PARTITION BY location_id ORDER BY created_at DESC, id DESC) AS place
			FROM images WHERE location_id IN `+db.AddAll(&p, locationIDs)+`) AS newest
		WHERE place <= `+p.Add(publishedImages)+" ORDER BY location_id, place", p.Args...)
}

// listImages finds a page of the images of an account's location.
func listImages(ctx context.Context, q db.Queryer, accountID, locationID string, types []string, limit, offset int) (page []Image, total int64, err error) {
	var p db.Params
	where := " FROM images WHERE location_id = " + p.Add(locationID)
	if len(types) > 0 {
		where += " AND type IN " + db.AddAll(&p, types)
	}
	counting := db.Params{Args: slices.Clone(p.Args)}
	total, err = db.One(ctx, q, db.Value[int64], "SELECT (SELECT count(*)"+where+") FROM locations WHERE id = $1 AND account_id = "+counting.Add(accountID), counting.Args...)
	if db.IsNoRow(err) {
		err = noLocation(locationID)
	}
	if err != nil {
		return nil, 0, err
	}
	page, err = db.All(ctx, q, scanImage, "SELECT "+imageColumns+where+" ORDER BY created_at DESC, id DESC LIMIT "+p.Add(limit)+" OFFSET "+p.Add(offset), p.Args...)
	return page, total, err
}

// getImage finds an image of an account. lock is tx.ForUpdate(), or empty to only look.
func getImage(ctx context.Context, tx *db.Tx, accountID, id, lock string) (Image, error) {
	img, err := db.One(ctx, tx, scanImage, "SELECT "+imageColumns+" FROM images WHERE id = $1 AND account_id = $2"+lock, id, accountID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no image %.64q.", id)
	}
	return img, err
}

// uploaded ends an upload, for the row $1 at the time $2. Without another one under way, the object is due
// once no record uses it.
const uploaded = `uploads = CASE WHEN uploads > 0 THEN uploads - 1 ELSE 0 END, due_at = CASE WHEN uploads > 1 THEN due_at ELSE $2 END`

// unreferenced makes an object due at the time $2 unless it is being uploaded again.
const unreferenced = "due_at = CASE WHEN uploads > 0 THEN due_at ELSE $2 END"
