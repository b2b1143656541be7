package businessprofile

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// record is what is remembered of a location's profile.
type record struct {
	locationID, accountID string
	googleAccount, name   string
	created               bool
	sent                  fields
	payments              string
	media                 []picture
	category, region      string
	synced                bool // the newest message is done
	editsUntil            time.Time
}

// picture is an image that Google has been asked to take. Without a name it is not known whether Google did.
type picture struct {
	URL  string `json:"url"`
	Name string `json:"name,omitempty"`
}

// attached tells whether the location has a profile.
func (r *record) attached() bool { return r.name != "" }

const recordColumns = "location_id, account_id, google_account, name, created, sent, payments, media, category, region, synced, edits_until"

func scanRecord(row db.Scanner) (r record, err error) {
	var sent, media string
	var edits int64
	if err := row.Scan(&r.locationID, &r.accountID, &r.googleAccount, &r.name, &r.created, &sent, &r.payments, &media, &r.category, &r.region, &r.synced, &edits); err != nil {
		return r, err
	}
	r.editsUntil = db.Time(edits)
	if sent != "" {
		if err := json.Unmarshal([]byte(sent), &r.sent); err != nil {
			return r, err
		}
	}
	if media != "" {
		err = json.Unmarshal([]byte(media), &r.media)
	}
	return r, err
}

// claim takes the right to work on a location until then, for a message of this version. It fails with no row while another
// process has it, or when a newer message has been worked on.
func (c *Connector) claim(ctx context.Context, accountID, locationID string, version int64, until time.Time) (r record, err error) {
	err = c.db.Tx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO business_profiles (`+recordColumns+`, version, working_until)
			VALUES ($1, $2, '', '', FALSE, '', '', '', '', '', FALSE, 0, 0, 0) ON CONFLICT (location_id) DO NOTHING`, locationID, accountID); err != nil {
			return err
		}
		r, err = db.One(ctx, tx, scanRecord, `UPDATE business_profiles SET working_until = $4, version = $3, synced = FALSE
			WHERE location_id = $1 AND account_id = $2 AND version <= $3 AND working_until <= $5 RETURNING `+recordColumns,
			locationID, accountID, version, db.Micros(until), db.Micros(c.clock.Now()))
		return err
	})
	return r, err
}

// overtaken tells whether a newer message has been worked on.
func (c *Connector) overtaken(ctx context.Context, locationID string, version int64) (bool, error) {
	newest, err := db.One(ctx, c.db, db.Value[int64], "SELECT version FROM business_profiles WHERE location_id = $1", locationID)
	return newest > version, err
}

// release lets others work on a location.
func (c *Connector) release(ctx context.Context, locationID string) error {
	return c.db.Tx(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE business_profiles SET working_until = 0 WHERE location_id = $1", locationID)
		return err
	})
}

// ReleaseAll frees what dead processes had claimed.
func ReleaseAll(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "UPDATE business_profiles SET working_until = 0 WHERE working_until > 0")
	return err
}

func (c *Connector) find(ctx context.Context, accountID, locationID string) (record, error) {
	return db.One(ctx, c.db, scanRecord, "SELECT "+recordColumns+" FROM business_profiles WHERE location_id = $1 AND account_id = $2", locationID, accountID)
}

// save keeps what Google has done, even when the time for the rest is over.
func (c *Connector) save(ctx context.Context, r *record) error {
	sent, err := json.Marshal(r.sent)
	if err != nil {
		return err
	}
	media, err := json.Marshal(r.media)
	if err != nil {
		return err
	}
	return c.db.Tx(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE business_profiles SET google_account = $2, name = $3, created = $4, sent = $5, payments = $6, media = $7,
			category = $8, region = $9, synced = $10, edits_until = $11 WHERE location_id = $1`,
			r.locationID, r.googleAccount, r.name, r.created, string(sent), r.payments, string(media), r.category, r.region, r.synced, db.Micros(r.editsUntil))
		return err
	})
}

func (c *Connector) forget(ctx context.Context, locationID string) error {
	return c.db.Tx(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM business_profiles WHERE location_id = $1", locationID)
		return err
	})
}

// knownFor is how long Google's words for a category are believed; unknownFor, that it has none.
const (
	knownFor   = 30 * 24 * time.Hour
	unknownFor = 7 * 24 * time.Hour
)

// lookedUp finds what was learned of categories in a country and is still believed.
func (c *Connector) lookedUp(ctx context.Context, region string, ids []string) (map[string]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found := map[string]string{}
	now := c.clock.Now()
	p := db.Params{Args: []any{region, db.Micros(now.Add(-knownFor)), db.Micros(now.Add(-unknownFor))}}
	err := db.Each(ctx, c.db, func(row db.Scanner) error {
		var id, name string
		err := row.Scan(&id, &name)
		found[id] = name
		return err
	}, "SELECT category_id, name FROM business_categories WHERE region = $1 AND (read_at > $3 OR (name <> '' AND read_at > $2)) AND category_id IN "+db.AddAll(&p, ids), p.Args...)
	return found, err
}

func (c *Connector) keepCategory(ctx context.Context, region, id, name string) error {
	return c.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO business_categories (category_id, region, name, read_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (category_id, region) DO UPDATE SET name = excluded.name, read_at = excluded.read_at`, id, region, name, db.Micros(c.clock.Now()))
		return err
	})
}

// keptHourTypes finds the types of hours that a category offers; with no row when they are to be read anew.
func (c *Connector) keptHourTypes(ctx context.Context, region, category string) ([]string, error) {
	return db.One(ctx, c.db, scanTypes, "SELECT types FROM business_hour_types WHERE category = $1 AND region = $2 AND read_at > $3",
		category, region, db.Micros(c.clock.Now().Add(-knownFor)))
}

func (c *Connector) keepHourTypes(ctx context.Context, region, category string, types []string) error {
	encoded, err := json.Marshal(types)
	if err != nil {
		return err
	}
	return c.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO business_hour_types (category, region, types, read_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (category, region) DO UPDATE SET types = excluded.types, read_at = excluded.read_at`, category, region, string(encoded), db.Micros(c.clock.Now()))
		return err
	})
}

func scanTypes(row db.Scanner) (types []string, err error) {
	var encoded string
	if err := row.Scan(&encoded); err != nil {
		return nil, err
	}
	return types, json.Unmarshal([]byte(encoded), &types)
}

// HourTypes implements directory.HourTyper, from what is remembered.
func (c *Connector) HourTypes(ctx context.Context, q db.Queryer, accountID, locationID string) ([]string, error) {
	types, err := db.One(ctx, q, scanTypes, `SELECT t.types FROM business_profiles p JOIN business_hour_types t ON t.category = p.category AND t.region = p.region
		WHERE p.location_id = $1 AND p.account_id = $2 AND p.name <> ''`, locationID, accountID)
	if db.IsNoRow(err) {
		return nil, nil
	}
	return types, err
}
