package rankwatch

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
)

func (s *Service) listAllTags(ctx context.Context, _ *struct{}) ([]Tag, error) {
	tags, err := listTags(ctx, s.db, httpapi.Who(ctx).AccountID)
	return notNil(tags), err
}

func (s *Service) listTags(ctx context.Context, in *TrackingPath) ([]Tag, error) {
	t, err := ownTracking(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return nil, err
	}
	tags, err := tagsOf(ctx, s.db, t.id)
	return notNil(tags), err
}

// notNil lets an empty list print as [].
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

type createTagInput struct {
	TrackingPath
	Body TagInput
}

func (s *Service) createTag(ctx context.Context, in *createTagInput) (httpapi.Apply[Tag], error) {
	name, color, err := in.Body.check()
	if err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (Tag, error) {
		tags, err := lockTags(ctx, tx, who.AccountID, in.ID)
		if err != nil {
			return Tag{}, err
		}
		if len(tags) >= maxTags {
			return Tag{}, errs.With(errs.Quota, errs.TooMany, "A tracking has at most %d tags.", maxTags)
		}
		now := s.clock.Now()
		tag := Tag{ID: id.New(), UserID: who.AccountID, Creator: who.AccountID, TrackingID: in.ID, Name: name, Color: color, CreatedAt: now.Unix()}
		if err := checkName(tags, tag); err != nil {
			return Tag{}, err
		}
		return tag, s.changed(ctx, tx, in.ID, saveTag(ctx, tx, tag, now))
	}, nil
}

// TagPath names a tag.
type TagPath struct {
	TrackingPath
	TagID string `path:"tag_id"`
}

type updateTagInput struct {
	TagPath
	Body TagInput
}

func (s *Service) updateTag(ctx context.Context, in *updateTagInput) (httpapi.Apply[httpapi.Empty], error) {
	name, color, err := in.Body.check()
	if err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
		tags, err := lockTags(ctx, tx, who.AccountID, in.ID)
		if err != nil {
			return httpapi.Empty{}, err
		}
		for _, tag := range tags {
			if tag.ID != in.TagID {
				continue
			}
			tag.Name, tag.Color = name, color
			if err := checkName(tags, tag); err != nil {
				return httpapi.Empty{}, err
			}
			return httpapi.Empty{}, s.changed(ctx, tx, in.ID, saveTag(ctx, tx, tag, s.clock.Now()))
		}
		return httpapi.Empty{}, noTag(in.TagID)
	}, nil
}

func (s *Service) deleteTag(ctx context.Context, in *TagPath) (httpapi.Apply[httpapi.Empty], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
		if _, err := lockTags(ctx, tx, who.AccountID, in.ID); err != nil {
			return httpapi.Empty{}, err
		}
		return httpapi.Empty{}, s.changed(ctx, tx, in.ID, deleteTag(ctx, tx, in.ID, in.TagID))
	}, nil
}

type assignInput struct {
	TrackingPath
	Body TagsInput
}

// assign ties tags and keywords or unties them, with the function that does it.
func (s *Service) assign(do func(ctx context.Context, tx *db.Tx, tagIDs []string, numbers []int64) error) func(context.Context, *assignInput) (httpapi.Apply[httpapi.Empty], error) {
	return func(ctx context.Context, in *assignInput) (httpapi.Apply[httpapi.Empty], error) {
		keywords, tags, err := in.Body.check()
		if err != nil {
			return nil, err
		}
		who := httpapi.Who(ctx)
		return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
			if _, err := lockTags(ctx, tx, who.AccountID, in.ID); err != nil {
				return httpapi.Empty{}, err
			}
			if err := checkTags(ctx, tx, in.ID, tags); err != nil {
				return httpapi.Empty{}, err
			}
			numbers, err := lockKeywords(ctx, tx, in.ID, keywords)
			if err != nil {
				return httpapi.Empty{}, err
			}
			return httpapi.Empty{}, s.changed(ctx, tx, in.ID, do(ctx, tx, tags, numbers))
		}, nil
	}
}
