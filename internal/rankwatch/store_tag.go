package rankwatch

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

const tagColumns = "id, account_id, tracking_id, name, color, created_at"

func scanTag(row db.Scanner) (Tag, error) {
	var t Tag
	var created int64
	err := row.Scan(&t.ID, &t.UserID, &t.TrackingID, &t.Name, &t.Color, &created)
	t.Creator, t.CreatedAt = t.UserID, db.Time(created).Unix()
	return t, err
}

// listTags returns the tags of an account's trackings that are not deleted, newest first.
func listTags(ctx context.Context, q db.Queryer, accountID string) ([]Tag, error) {
	return db.All(ctx, q, scanTag, "SELECT "+tagColumns+` FROM tags WHERE account_id = $1
		AND EXISTS (SELECT 1 FROM trackings t WHERE t.id = tags.tracking_id AND t.deleted_at IS NULL) ORDER BY created_at DESC, id DESC`, accountID)
}

func tagsOf(ctx context.Context, q db.Queryer, trackingID string) ([]Tag, error) {
	return db.All(ctx, q, scanTag, "SELECT "+tagColumns+" FROM tags WHERE tracking_id = $1 ORDER BY created_at DESC, id DESC", trackingID)
}

// saveTag inserts a tag or renames the one with its id.
func saveTag(ctx context.Context, tx *db.Tx, t Tag, createdAt time.Time) error {
	_, err := tx.Exec(ctx, "INSERT INTO tags ("+tagColumns+`, name_key) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key, color = excluded.color`,
		t.ID, t.UserID, t.TrackingID, t.Name, t.Color, db.Micros(createdAt), keywordKey(t.Name))
	return err
}

func deleteTag(ctx context.Context, tx *db.Tx, trackingID, id string) error {
	n, err := tx.Exec(ctx, "DELETE FROM tags WHERE id = $1 AND tracking_id = $2", id, trackingID)
	if err == nil && n == 0 {
		err = noTag(id)
	}
	return err
}

// tagsOfKeyword lists the tags of one keyword.
func tagsOfKeyword(ctx context.Context, q db.Queryer, number int64) ([]Tag, error) {
	return db.All(ctx, q, scanTag, "SELECT "+tagColumns+" FROM tags JOIN keyword_tags ON tag_id = id WHERE keyword = $1 ORDER BY created_at DESC, id DESC", number)
}

// tagsByKeyword lists the tags of each keyword of a tracking.
func tagsByKeyword(ctx context.Context, q db.Queryer, trackingID string) (map[int64][]Tag, error) {
	tags, err := tagsOf(ctx, q, trackingID)
	if err != nil || len(tags) == 0 {
		return nil, err
	}
	byID := make(map[string]Tag, len(tags))
	for _, t := range tags {
		byID[t.ID] = t
	}
	of := map[int64][]Tag{}
	err = db.Each(ctx, q, func(row db.Scanner) error {
		var keyword int64
		var tag string
		err := row.Scan(&keyword, &tag)
		of[keyword] = append(of[keyword], byID[tag])
		return err
	}, `SELECT kt.keyword, t.id FROM tags t JOIN keyword_tags kt ON kt.tag_id = t.id
		WHERE t.tracking_id = $1 ORDER BY t.created_at DESC, t.id DESC`, trackingID)
	return of, err
}

// lockTags returns the tags of a tracking while nobody else can change them.
func lockTags(ctx context.Context, tx *db.Tx, accountID, trackingID string) ([]Tag, error) {
	if _, err := lockTracking(ctx, tx, accountID, trackingID); err != nil {
		return nil, err
	}
	return tagsOf(ctx, tx, trackingID)
}

// checkTags refuses ids that are not tags of the tracking.
func checkTags(ctx context.Context, q db.Queryer, trackingID string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	tags, err := tagsOf(ctx, q, trackingID)
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(tags))
	for _, t := range tags {
		known[t.ID] = true
	}
	for _, id := range ids {
		if !known[id] {
			return noTag(id)
		}
	}
	return nil
}

// tie gives every keyword every tag; some may have them.
func tie(ctx context.Context, tx *db.Tx, tagIDs []string, numbers []int64) error {
	rows := make([][]any, 0, len(tagIDs)*len(numbers))
	for _, tag := range tagIDs {
		for _, number := range numbers {
			rows = append(rows, []any{tag, number})
		}
	}
	return db.Insert(ctx, tx, "keyword_tags", "tag_id, keyword", rows, "ON CONFLICT (tag_id, keyword) DO NOTHING")
}

// untie takes every tag from every keyword; some may not have them.
func untie(ctx context.Context, tx *db.Tx, tagIDs []string, numbers []int64) error {
	return db.Lists(tagIDs, func(tags []string) error {
		return db.Lists(numbers, func(list []int64) error {
			var p db.Params
			_, err := tx.Exec(ctx, "DELETE FROM keyword_tags WHERE tag_id IN "+db.AddAll(&p, tags)+" AND keyword IN "+db.AddAll(&p, list), p.Args...)
			return err
		})
	})
}
