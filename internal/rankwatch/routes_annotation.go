package rankwatch

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
)

type createAnnotationInput struct {
	TrackingPath
	Body AnnotationInput
}

func (s *Service) createAnnotation(ctx context.Context, in *createAnnotationInput) (httpapi.Apply[Annotation], error) {
	date, text, err := in.Body.check(false)
	if err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (Annotation, error) {
		if _, err := lockTracking(ctx, tx, who.AccountID, in.ID); err != nil {
			return Annotation{}, err
		}
		held, err := countAnnotations(ctx, tx, in.ID)
		if err != nil {
			return Annotation{}, err
		}
		if held >= maxAnnotations {
			return Annotation{}, errs.With(errs.Quota, errs.TooMany, "A tracking has at most %d annotations.", maxAnnotations)
		}
		now := s.clock.Now()
		a := Annotation{
			ID: id.New(), Date: date, Content: AnnotationContent{Text: text}, NonShareable: in.Body.NonShareable.Value,
			TrackingID: in.ID, UserID: who.AccountID, Creator: who.AccountID, CreatedAt: now.Unix(), Type: byPerson,
		}
		return a, s.changed(ctx, tx, in.ID, saveAnnotation(ctx, tx, a, now))
	}, nil
}

// AnnotationPath names an annotation.
type AnnotationPath struct {
	TrackingPath
	AnnotationID string `path:"annotation_id"`
}

type updateAnnotationInput struct {
	AnnotationPath
	Body AnnotationInput
}

func (s *Service) updateAnnotation(ctx context.Context, in *updateAnnotationInput) (httpapi.Apply[httpapi.Empty], error) {
	date, text, err := in.Body.check(true)
	if err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
		if _, err := lockTracking(ctx, tx, who.AccountID, in.ID); err != nil {
			return httpapi.Empty{}, err
		}
		a, err := getAnnotation(ctx, tx, in.ID, in.AnnotationID)
		if err != nil {
			return httpapi.Empty{}, err
		}
		if a.Type == automatic {
			return httpapi.Empty{}, errs.With(errs.Conflict, errs.AnnotationAutomatic, "This annotation was made by the service; it can be deleted, not changed.")
		}
		a.Content.Text = text
		if date != "" {
			a.Date = date
		}
		if in.Body.NonShareable.Set && !in.Body.NonShareable.Null {
			a.NonShareable = in.Body.NonShareable.Value
		}
		return httpapi.Empty{}, s.changed(ctx, tx, in.ID, saveAnnotation(ctx, tx, a, s.clock.Now()))
	}, nil
}

func (s *Service) deleteAnnotation(ctx context.Context, in *AnnotationPath) (httpapi.Apply[httpapi.Empty], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
		if _, err := lockTracking(ctx, tx, who.AccountID, in.ID); err != nil {
			return httpapi.Empty{}, err
		}
		if _, err := getAnnotation(ctx, tx, in.ID, in.AnnotationID); err != nil {
			return httpapi.Empty{}, err
		}
		return httpapi.Empty{}, s.changed(ctx, tx, in.ID, deleteAnnotation(ctx, tx, in.AnnotationID))
	}, nil
}
