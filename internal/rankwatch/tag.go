package rankwatch

import (
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Tag is a label of tracked keywords, as the API shows it.
type Tag struct {
	ID         string `json:"_id"`
	UserID     string `json:"user_id,omitempty" doc:"Left out for readers with a share token."`
	Creator    string `json:"creator,omitempty" doc:"Left out for readers with a share token."`
	TrackingID string `json:"tracking_id"`
	Name       string `json:"name"`
	Color      string `json:"color" example:"#1e88e5"`
	CreatedAt  int64  `json:"created_at" doc:"Unix seconds."`
}

// anonymous takes the account out of tags.
func anonymous(tags []Tag) {
	for i := range tags {
		tags[i].UserID, tags[i].Creator = "", ""
	}
}

func noTag(id string) error { return errs.New(errs.NotFound, "There is no tag %.64q.", id) }

// checkName refuses a name that another tag of the tracking has.
func checkName(tags []Tag, tag Tag) error {
	for _, other := range tags {
		if other.ID != tag.ID && keywordKey(other.Name) == keywordKey(tag.Name) {
			return errs.With(errs.Conflict, errs.TagExists, "The tracking has a tag %q already.", other.Name)
		}
	}
	return nil
}

// Bounds of tags.
const (
	maxTagName  = 64
	maxTags     = 1_000   // of a tracking
	maxAssigned = 100_000 // keywords x tags of one request
)

// TagInput is the body that makes or changes a tag.
type TagInput struct {
	Name  httpapi.Field[string] `json:"name" required:"false" doc:"1 to 64 characters, unique in the tracking. Required."`
	Color httpapi.Field[string] `json:"color" required:"false" doc:"#rrggbb. Required."`
}

// check returns the name and the color in the form in which they are kept.
func (in *TagInput) check() (name, color string, err error) {
	var problems errs.Problems
	if required(&problems, "name", &in.Name) {
		name = strings.Join(strings.Fields(in.Name.Value), " ")
		if n := utf8.RuneCountInString(name); n < 1 || n > maxTagName {
			problems.Add("name", errs.InvalidValue, "name must have 1 to %d characters, not %d.", maxTagName, n)
		}
	}
	if required(&problems, "color", &in.Color) {
		color = strings.ToLower(in.Color.Value)
		if !isColor(color) {
			problems.Add("color", errs.InvalidValue, "color must be of the form #rrggbb, not %.16q.", in.Color.Value)
		}
	}
	return name, color, problems.Err()
}

func isColor(s string) bool {
	return len(s) == 7 && s[0] == '#' && strings.Trim(s[1:], "0123456789abcdef") == ""
}

// TagsInput is the body that ties tags to keywords or unties them.
type TagsInput struct {
	KeywordIDs httpapi.Field[[]string] `json:"keyword_ids" required:"false" doc:"Tracked keywords. Required, not empty."`
	TagIDs     httpapi.Field[[]string] `json:"tag_ids" required:"false" doc:"Required, not empty."`
}

func (in *TagsInput) check() (keywords, tags []string, err error) {
	var problems errs.Problems
	keywords, tags = readIDs(&problems, "keyword_ids", &in.KeywordIDs), readIDs(&problems, "tag_ids", &in.TagIDs)
	if n := len(keywords) * len(tags); n > maxAssigned {
		problems.Add("keyword_ids", errs.TooMany, "%d keywords times %d tags are %d; at most %d are allowed at once.", len(keywords), len(tags), n, maxAssigned)
	}
	return keywords, tags, problems.Err()
}
