package local

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
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

// lockLocation finds a location to change.
func lockLocation(ctx context.Context, tx *db.Tx, accountID, id string) (Location, error) {
	l, err := db.One(ctx, tx, scanLocation, ownLocation+tx.ForUpdate(), id, accountID)
	if db.IsNoRow(err) {
		err = noLocation(id)
	}
	return l, err
}

// locationFilter narrows a list of locations.
type locationFilter struct {
	statuses []Status
	frozen   *bool
}

func listLocations(ctx context.Context, q db.Queryer, accountID string, f locationFilter, limit, offset int) (page []Location, total int64, err error) {
	var p db.Params
	where := " FROM locations WHERE account_id = " + p.Add(accountID)
	if len(f.statuses) > 0 {
		where += " AND status IN " + db.AddAll(&p, f.statuses)
	}
	if f.frozen != nil {
		where += " AND frozen = " + p.Add(*f.frozen)
	}
	if total, err = db.One(ctx, q, db.Value[int64], "SELECT count(*)"+where, p.Args...); err != nil {
		return nil, 0, err
	}
	page, err = db.All(ctx, q, scanShown, "SELECT "+locationColumns+where+
		" ORDER BY submitted_at DESC, id DESC LIMIT "+p.Add(limit)+" OFFSET "+p.Add(offset), p.Args...)
	return page, total, err
}

// movePlaces changes how many places of its plan an account's locations take, and returns how many they
// take then and what the plan has room for. It locks the account: changes to what it holds follow one
// another, and the plan is the one that holds.
func (s *Service) movePlaces(ctx context.Context, tx *db.Tx, accountID string, by int) (held, room int, err error) {
	plan, err := db.One(ctx, tx, func(row db.Scanner) (plan string, err error) {
		err = row.Scan(&held, &plan)
		return plan, err
	}, "UPDATE accounts SET locations = locations + $2 WHERE id = $1 RETURNING locations, plan", accountID, by)
	return held, s.accounts.Plan(plan).Locations, err
}

// takePlace takes a place of the plan for a location.
func (s *Service) takePlace(ctx context.Context, tx *db.Tx, accountID string) error {
	held, room, err := s.movePlaces(ctx, tx, accountID, 1)
	if err == nil && held > room {
		err = errs.With(errs.Quota, errs.LocationLimitReached, "The plan allows %d locations and all are used.", room)
	}
	return err
}

// freePlace gives the place of a location back, to a frozen one if there is any. A FAILED location has none.
func (s *Service) freePlace(ctx context.Context, tx *db.Tx, accountID string, status Status) error {
	by := -1
	if status == Failed {
		by = 0
	}
	_, room, err := s.movePlaces(ctx, tx, accountID, by)
	if err != nil {
		return err
	}
	return Refreeze(ctx, tx, accountID, room)
}

func insertLocation(ctx context.Context, tx *db.Tx, l *Location) error {
	profile, err := json.Marshal(l.Profile)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO locations ("+locationColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, '[]')",
		l.ID, l.accountID, string(l.Status), l.Frozen, db.Micros(l.SubmitDate.Time), l.version, string(profile))
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
	_, err = tx.Exec(ctx, "UPDATE locations SET status = 'PROCESSING', errors = '[]', version = $2, profile = $3 WHERE id = $1", l.ID, l.version, string(profile))
	return err
}

func deleteLocation(ctx context.Context, tx *db.Tx, id string) error {
	if _, err := tx.Exec(ctx, `UPDATE objects SET refs = refs - (SELECT count(*) FROM images i WHERE i.location_id = $1 AND i.object = objects.name),
		released = TRUE WHERE name IN (SELECT object FROM images WHERE location_id = $1)`, id); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "DELETE FROM locations WHERE id = $1", id) // listings and images go with it
	return err
}

// Refreeze keeps the newest locations that the plan has room for and freezes the older ones.
func Refreeze(ctx context.Context, tx *db.Tx, accountID string, room int) error {
	_, err := tx.Exec(ctx, `UPDATE locations SET frozen = (id IN (
			SELECT id FROM locations WHERE account_id = $1 AND status IN ('COMPLETED', 'PROCESSING')
			ORDER BY submitted_at DESC, id DESC LIMIT 1000000000 OFFSET $2))
		WHERE account_id = $1 AND frozen <> (id IN (
			SELECT id FROM locations WHERE account_id = $1 AND status IN ('COMPLETED', 'PROCESSING')
			ORDER BY submitted_at DESC, id DESC LIMIT 1000000000 OFFSET $2))`, accountID, room)
	return err
}

// refreezeAll fits every account to its plan, whose limits may have been changed in the configuration.
func (s *Service) refreezeAll(ctx context.Context) error {
	type holder struct {
		id, plan string
		held     int
		frozen   bool
	}
	holders, err := db.All(ctx, s.db, func(row db.Scanner) (h holder, err error) {
		err = row.Scan(&h.id, &h.plan, &h.held, &h.frozen)
		return h, err
	}, "SELECT id, plan, locations, EXISTS (SELECT 1 FROM locations l WHERE l.account_id = accounts.id AND l.frozen) FROM accounts WHERE locations > 0")
	if err != nil {
		return err
	}
	for _, h := range holders {
		room := s.accounts.Plan(h.plan).Locations
		if h.held <= room && !h.frozen {
			continue
		}
		if err := s.db.Tx(ctx, func(tx *db.Tx) error { return Refreeze(ctx, tx, h.id, room) }); err != nil {
			return err
		}
	}
	return nil
}

func encodeProblems(all []errs.Detail) (string, error) {
	text, err := json.Marshal(all)
	return string(text), err
}

const listingColumns = "id, account_id, location_id, directory, status, wanted, url, detail, version"

func scanListing(row db.Scanner) (listing, error) {
	var l listing
	err := row.Scan(&l.id, &l.accountID, &l.locationID, &l.directory, &l.status, &l.wanted, &l.url, &l.detail, &l.version)
	return l, err
}

func listingsOf(ctx context.Context, q db.Queryer, locationIDs ...string) ([]listing, error) {
	var p db.Params
	return db.All(ctx, q, scanListing, "SELECT "+listingColumns+" FROM listings WHERE location_id IN "+db.AddAll(&p, locationIDs), p.Args...)
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
	if len(all) == 0 {
		return nil
	}
	var p db.Params
	rows := ""
	for i, l := range all {
		if i > 0 {
			rows += ", "
		}
		rows += p.List(l.id, l.accountID, l.locationID, l.directory, string(l.status), l.wanted, l.url, l.detail, l.version, db.Micros(now))
	}
	_, err := tx.Exec(ctx, "INSERT INTO listings ("+listingColumns+", updated_at) VALUES "+rows+` ON CONFLICT (location_id, directory) DO UPDATE
		SET status = excluded.status, wanted = excluded.wanted, url = excluded.url, detail = excluded.detail, version = excluded.version, updated_at = excluded.updated_at`, p.Args...)
	return err
}

// feedTokens finds the secret part of the feed URL of each account.
func feedTokens(ctx context.Context, tx *db.Tx, accountIDs []string) (map[string]string, error) {
	var p db.Params
	tokens := map[string]string{}
	err := db.Each(ctx, tx, func(row db.Scanner) error {
		var account, token string
		err := row.Scan(&account, &token)
		tokens[account] = token
		return err
	}, "SELECT id, feed_token FROM accounts WHERE id IN "+db.AddAll(&p, accountIDs), p.Args...)
	return tokens, err
}

const imageColumns = "id, account_id, location_id, type, object, description, created_at"

func (s *Service) scanImage(row db.Scanner) (Image, error) {
	var img Image
	var created int64
	err := row.Scan(&img.ID, &img.accountID, &img.locationID, &img.Type, &img.object, &img.Description, &created)
	img.CreateDate = &Time{db.Time(created)}
	img.URL = s.publicURL + MediaPath + img.object
	return img, err
}

func (s *Service) imagesOf(ctx context.Context, q db.Queryer, locationID string) ([]directory.Image, error) {
	images, err := db.All(ctx, q, s.scanImage, "SELECT "+imageColumns+" FROM images WHERE location_id = $1 ORDER BY created_at DESC, id DESC", locationID)
	published := make([]directory.Image, len(images))
	for i, img := range images {
		published[i] = directory.Image{Type: img.Type, URL: img.URL, Description: img.Description}
	}
	return published, err
}

func (s *Service) listImages(ctx context.Context, locationID string, types []string, limit, offset int) (page []Image, total int64, err error) {
	var p db.Params
	where := " FROM images WHERE location_id = " + p.Add(locationID)
	if len(types) > 0 {
		where += " AND type IN " + db.AddAll(&p, types)
	}
	if total, err = db.One(ctx, s.db, db.Value[int64], "SELECT count(*)"+where, p.Args...); err != nil {
		return nil, 0, err
	}
	page, err = db.All(ctx, s.db, s.scanImage, "SELECT "+imageColumns+where+" ORDER BY created_at DESC, id DESC LIMIT "+p.Add(limit)+" OFFSET "+p.Add(offset), p.Args...)
	return page, total, err
}

func (s *Service) getImage(ctx context.Context, tx *db.Tx, accountID, id string) (Image, error) {
	img, err := db.One(ctx, tx, s.scanImage, "SELECT "+imageColumns+" FROM images WHERE id = $1 AND account_id = $2"+tx.ForUpdate(), id, accountID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no image %.64q.", id)
	}
	return img, err
}
