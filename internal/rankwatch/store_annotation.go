package rankwatch

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

const annotationColumns = "id, account_id, tracking_id, date, type, text, keywords_count, non_shareable, created_at"

func scanAnnotation(row db.Scanner) (Annotation, error) {
	var a Annotation
	var created int64
	err := row.Scan(&a.ID, &a.UserID, &a.TrackingID, &a.Date, &a.Type, &a.Content.Text, &a.Content.KeywordsCount, &a.NonShareable, &created)
	a.Creator, a.CreatedAt = a.UserID, db.Time(created).Unix()
	return a, err
}

func annotationsIn(ctx context.Context, q db.Queryer, trackingID string, r series.Range) ([]Annotation, error) {
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
