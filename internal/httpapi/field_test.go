package httpapi_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Whoever follows the advice sends a right request next.
func TestMistypedSaysWhatToSend(t *testing.T) {
	t.Parallel()
	var body struct {
		Name     httpapi.Field[string]
		Keywords httpapi.Field[[]string]
		Tags     httpapi.Field[[]string]
		Point    httpapi.Field[struct{ Lat float64 }]
		Day      httpapi.Field[int]
		Since    httpapi.Field[time.Time]
	}
	if err := json.Unmarshal([]byte(`{"name":5,"keywords":["a",5],"tags":"a","point":{"lat":"x"},"day":1.5,"since":"yesterday"}`), &body); err != nil {
		t.Fatal(err)
	}
	var problems errs.Problems
	body.Name.Mistyped(&problems, "name")
	body.Keywords.Mistyped(&problems, "keywords")
	body.Tags.Mistyped(&problems, "tags")
	body.Point.Mistyped(&problems, "point")
	body.Day.Mistyped(&problems, "day")
	body.Since.Mistyped(&problems, "since")
	want := []string{
		"name must be a string, not a number.",
		"each of keywords must be a string, not a number.",
		"tags must be an array, not a string.",
		"point.Lat must be a number, not a string.",
		"day must be a whole number, not 1.5.",
		`since: "yesterday" is not a time such as 2026-11-16T08:00:00Z.`,
	}
	for i, text := range want {
		if len(problems) <= i || problems[i].Message != text {
			t.Errorf("problems %+v, want %q", problems, text)
		}
	}
}
