package rankwatch

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Annotation is a remark on a day of a tracking, as the API shows it.
type Annotation struct {
	ID           string            `json:"_id"`
	Date         string            `json:"date" format:"date"`
	Content      AnnotationContent `json:"content"`
	NonShareable bool              `json:"nonShareable" doc:"Hidden from readers with a share token."`
	TrackingID   string            `json:"tracking_id"`
	UserID       string            `json:"user_id,omitempty" doc:"Left out for readers with a share token."`
	Creator      string            `json:"creator,omitempty" doc:"Left out for readers with a share token."`
	CreatedAt    int64             `json:"created_at" doc:"Unix seconds."`
	Type         int               `json:"type" enum:"0,1" doc:"0 by a person, 1 automatic."`
}

// AnnotationContent is what a remark says.
type AnnotationContent struct {
	Text          string `json:"text"`
	KeywordsCount *int   `json:"keywords_count,omitempty" doc:"Keywords added, negative when removed; on automatic remarks about them."`
}

// forAll is what a reader with a share token sees of annotations: those that may be shared, without the
// account.
func forAll(list []Annotation) []Annotation {
	var seen []Annotation
	for _, a := range list {
		if !a.NonShareable {
			a.UserID, a.Creator = "", ""
			seen = append(seen, a)
		}
	}
	return seen
}

// The types of annotations.
const (
	byPerson  = 0
	automatic = 1
)

// Bounds of annotations.
const (
	maxAnnotationText = 1_000
	maxAnnotations    = 10_000 // of a tracking
)

// AnnotationInput is the body that makes or changes an annotation.
type AnnotationInput struct {
	Date         httpapi.Field[string] `json:"date" required:"false" doc:"YYYY-MM-DD. Required for a new one."`
	Text         httpapi.Field[string] `json:"text" required:"false" doc:"1 to 1000 characters. Required."`
	NonShareable httpapi.Field[bool]   `json:"nonShareable" required:"false" doc:"Default false."`
}

// check reads the body of a new annotation, or of a change, which may leave the date out.
func (in *AnnotationInput) check(change bool) (date, text string, err error) {
	var problems errs.Problems
	if (!change || in.Date.Set) && required(&problems, "date", &in.Date) {
		date = readDay(&problems, "date", in.Date.Value).String()
	}
	if required(&problems, "text", &in.Text) {
		text = strings.TrimSpace(in.Text.Value)
		if n := utf8.RuneCountInString(text); n < 1 || n > maxAnnotationText {
			problems.Add("text", errs.InvalidValue, "text must have 1 to %d characters, not %d.", maxAnnotationText, n)
		}
	}
	in.NonShareable.Given(&problems, "nonShareable")
	return date, text, problems.Err()
}

// keywordsChanged is the text of the remark that keywords were added or, when n is negative, removed.
func keywordsChanged(n int) string {
	noun, verb := "keywords", "added"
	if n < 0 {
		n, verb = -n, "removed"
	}
	if n == 1 {
		noun = "keyword"
	}
	return fmt.Sprintf("%d %s %s", n, noun, verb)
}
