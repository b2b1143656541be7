package rankwatch

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
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

func noTag(id string) error { return errs.New(errs.NotFound, "There is no tag %.64q.", id) }

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

const annotationColumns = "id, account_id, tracking_id, date, type, text, keywords_count, non_shareable, created_at"

func scanAnnotation(row db.Scanner) (Annotation, error) {
	var a Annotation
	var created int64
	err := row.Scan(&a.ID, &a.UserID, &a.TrackingID, &a.Date, &a.Type, &a.Content.Text, &a.Content.KeywordsCount, &a.NonShareable, &created)
	a.Creator, a.CreatedAt = a.UserID, db.Time(created).Unix()
	return a, err
}

func annotationsIn(ctx context.Context, q db.Queryer, trackingID string, r Range) ([]Annotation, error) {
	return db.All(ctx, q, scanAnnotation, "SELECT "+annotationColumns+` FROM annotations
		WHERE tracking_id = $1 AND date >= $2 AND date <= $3 ORDER BY date, created_at, id`, trackingID, r.From.String(), r.To.String())
}

func getAnnotation(ctx context.Context, tx *db.Tx, trackingID, id string) (Annotation, error) {
	a, err := db.One(ctx, tx, scanAnnotation, "SELECT "+annotationColumns+" FROM annotations WHERE id = $1 AND tracking_id = $2"+tx.ForUpdate(), id, trackingID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no annotation %.64q.", id)
	}
	return a, err
}

// saveAnnotation inserts an annotation or changes the one with its id.
func saveAnnotation(ctx context.Context, tx *db.Tx, a Annotation, createdAt time.Time) error {
	_, err := tx.Exec(ctx, "INSERT INTO annotations ("+annotationColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (id) DO UPDATE SET date = excluded.date, text = excluded.text, keywords_count = excluded.keywords_count, non_shareable = excluded.non_shareable`,
		a.ID, a.UserID, a.TrackingID, a.Date, a.Type, a.Content.Text, a.Content.KeywordsCount, a.NonShareable, db.Micros(createdAt))
	return err
}

func countAnnotations(ctx context.Context, tx *db.Tx, trackingID string) (int, error) {
	return db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM annotations WHERE tracking_id = $1", trackingID)
}

func deleteAnnotation(ctx context.Context, tx *db.Tx, id string) error {
	_, err := tx.Exec(ctx, "DELETE FROM annotations WHERE id = $1", id)
	return err
}
