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
		return tag, saveTag(ctx, tx, tag, now)
	}, nil
}

// lockTags returns the tags of a tracking while nobody else can change them.
func lockTags(ctx context.Context, tx *db.Tx, accountID, trackingID string) ([]Tag, error) {
	if _, err := lockTracking(ctx, tx, accountID, trackingID); err != nil {
		return nil, err
	}
	return tagsOf(ctx, tx, trackingID)
}

// checkName refuses a name that another tag of the tracking has.
func checkName(tags []Tag, tag Tag) error {
	for _, other := range tags {
		if other.ID != tag.ID && keywordKey(other.Name) == keywordKey(tag.Name) {
			return errs.With(errs.Conflict, errs.TagExists, "The tracking has a tag %q already.", other.Name)
		}
	}
	return nil
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
			return httpapi.Empty{}, saveTag(ctx, tx, tag, s.clock.Now())
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
		return httpapi.Empty{}, deleteTag(ctx, tx, in.ID, in.TagID)
	}, nil
}

type assignInput struct {
	TrackingPath
	Body TagsInput
}

// assign ties tags and keywords or unties them, with the function that does it for one tag.
func (s *Service) assign(do func(context.Context, *db.Tx, string, []int64) error) func(context.Context, *assignInput) (httpapi.Apply[httpapi.Empty], error) {
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
			numbers, err := keywordNumbers(ctx, tx, in.ID, keywords)
			if err != nil {
				return httpapi.Empty{}, err
			}
			for _, tag := range tags {
				if err := do(ctx, tx, tag, numbers); err != nil {
					return httpapi.Empty{}, err
				}
			}
			return httpapi.Empty{}, nil
		}, nil
	}
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
