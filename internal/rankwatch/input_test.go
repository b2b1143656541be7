package rankwatch_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
)

func TestEveryProblemOfACreationIsReported(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		tests := []struct {
			name, body string
			want       []string // parts of the errors, in any order; all there are
		}{
			{"empty", `{}`, []string{"domain", "location_id", "platform_id", "keywords"}},
			{"nulls", `{"domain":null,"location_id":null,"platform_id":null,"keywords":null}`, []string{"domain", "location_id", "platform_id", "keywords"}},
			{"types", `{"domain":7,"location_id":"x","platform_id":1.5,"keywords":"pizza"}`, []string{"domain", "location_id", "platform_id", "keywords"}},
			{"values", `{"domain":"localhost","location_id":999999999,"platform_id":3,"keywords":[]}`, []string{"localhost", "999999999", "platform_id", "keywords"}},
			{
				"keywords", fmt.Sprintf(`{"domain":"co.uk","location_id":0,"platform_id":1,"keywords":["", "  ", "%s", "a b c d e f g h i j k", "ok", "bell\u0007"]}`, strings.Repeat("x", 81)),
				[]string{"co.uk", "keywords[0]", "keywords[1]", "81 characters", "11 words", "keywords[5]"},
			},
			{"mixed forms", `{"domain":"site.com","location_id":0,"platform_id":1,"keywords":["ok", {"kw":"x"}]}`, []string{"keywords"}},
			{"huge numbers", `{"domain":"site.com","location_id":1e400,"platform_id":-9223372036854775808,"keywords":["ok"]}`, []string{"location_id", "platform_id"}},
		}
		for _, tt := range tests {
			answer := w.post(t, trackings, tt.body)
			var body struct {
				Error struct {
					Type, Message string
					Errors        []string
				}
			}
			answer.Want(t, 422).Into(t, &body)
			if body.Error.Type != "ValidationError" || len(body.Error.Errors) != len(tt.want) {
				t.Errorf("%s answered %s", tt.name, answer.Raw)
			}
			for _, part := range tt.want {
				if !strings.Contains(strings.Join(body.Error.Errors, "\n"), part) {
					t.Errorf("%s: nothing about %q in %s", tt.name, part, answer.Raw)
				}
			}
		}
		if list := w.get(t, trackings+"?is_with_deleted=true").Want(t, 200); strings.TrimSpace(string(list.Raw)) != "[]" {
			t.Errorf("a refused tracking was stored: %s", list.Raw)
		}
	})
}

func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, ids := w.track(t, "pizza")
		for _, body := range []string{`{"domain":`, `{"domain":"a"} x`, `[]`, `"text"`, "{\"domain\":\"\xff\"}", `{"domain":"a\u0000b"}`, strings.Repeat("[", 100)} {
			for _, to := range []string{trackings, path + "/tracked-keywords", path + "/tags", path + "/tags/assign", path + "/annotations", path + "/stats"} {
				answer := w.post(t, to, body)
				if answer.Status != 400 || answer.Text("error.type") != "InvalidInput" {
					t.Errorf("POST %s of %.20q answered %d %s", to, body, answer.Status, answer.Raw)
				}
			}
		}
		text := w.Do(t, apptest.Call{Method: "POST", Path: trackings, Body: "domain=site.com", Header: map[string][]string{"Content-Type": {"application/x-www-form-urlencoded"}}})
		text.Want(t, 415)
		for _, bad := range []apptest.Call{
			{Method: "POST", Path: path + "/tags", Body: map[string]any{"name": strings.Repeat("x", 65), "color": "red"}},
			{Method: "POST", Path: path + "/tags", Body: map[string]any{"name": "  ", "color": "#12345g"}},
			{Method: "PUT", Path: path + "/tags/x", Body: map[string]any{"color": 7}},
			{Method: "POST", Path: path + "/annotations", Body: map[string]any{"date": "10.3.2026", "text": ""}},
			{Method: "POST", Path: path + "/annotations", Body: map[string]any{"date": "2026-02-30", "text": strings.Repeat("x", 1001)}},
			{Method: "POST", Path: path + "/stats", Body: map[string]any{"from": 7, "kwIds": "x"}},
		} {
			if answer := w.Do(t, bad).Want(t, 422); answer.Len("error.errors") != 2 {
				t.Errorf("%s %s answered %s", bad.Method, bad.Path, answer.Raw)
			}
		}
		for _, query := range []string{trackings + "?from=x&is_with_deleted=1", trackings + "?from=2999-01-01&is_with_deleted=yes", path + "/detail?to=x&is_with_deleted=yes", path + "/tracked-keywords?fields=x,y"} {
			if answer := w.get(t, query).Want(t, 422); answer.Len("error.errors") != 2 {
				t.Errorf("GET %s does not name both problems: %s", query, answer.Raw)
			}
		}
		many := make([]string, 100_001)
		for i := range many {
			many[i] = fmt.Sprint(i)
		}
		if answer := w.post(t, path+"/tags/assign", map[string]any{"keyword_ids": many[:60_000], "tag_ids": []string{"a", "b"}}).Want(t, 422); answer.Len("error.errors") != 1 {
			t.Errorf("an assignment of 120,000 answered %s", answer.Raw)
		}
		w.Do(t, apptest.Call{Method: "DELETE", Path: path + "/tracked-keywords", Body: map[string]any{"tracked_keyword_ids": append(ids, many[:50_000]...)}}).Want(t, 404)
		if got := w.get(t, path+"/detail"); got.Len("keywords") != 1 {
			t.Errorf("a refused removal removed: %s", got.Raw)
		}
	})
}

// A body of many keywords is too large in bytes, or too many for the plan; one bad keyword among them is
// named. What the plan allows is taken, to the last.
func TestManyKeywords(t *testing.T) {
	t.Parallel()
	const allowed, many = 2_000, 20_000
	each(t, func(t *testing.T, w *world) {
		body := func(format string, n int) string {
			list := make([]string, n)
			for i := range list {
				list[i] = fmt.Sprintf(format, i)
			}
			text, err := json.Marshal(map[string]any{"domain": "site.com", "location_id": 0, "platform_id": 1, "keywords": list})
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		w.post(t, trackings, body("a keyword of some length that makes the body large, number %d", many)).Want(t, 413)
		if answer := w.post(t, trackings, body("%x", many)).Want(t, 429); answer.Text("error.type") != "CreditLimit" {
			t.Errorf("over the plan: %s", answer.Raw)
		}
		if answer := w.post(t, trackings, strings.ReplaceAll(body("%x", many), `"fff"`, `""`)).Want(t, 422); answer.Len("error.errors") != 1 || !strings.Contains(answer.Text("error.errors.0"), "keywords[4095]") {
			t.Errorf("one bad among many: %s", answer.Raw)
		}
		made := w.post(t, trackings, body("%x", allowed)).Want(t, 201)
		if made.At("tracking.count") != float64(allowed) || made.Len("keywords") != allowed || made.At("estimatedTimeProcessing").(float64) < 1 {
			t.Errorf("%v keywords, %d shown, estimate %v", made.At("tracking.count"), made.Len("keywords"), made.At("estimatedTimeProcessing"))
		}
		w.post(t, trackings+"/"+made.Text("tracking._id")+"/tracked-keywords", map[string]any{"keywords": []string{"one more"}}).Want(t, 429)
	}, func(s *apptest.Setup) {
		s.NoWorker = true
		s.Config.Plans = fmt.Sprintf(`{"agency":{"rate":0,"keywords":%d}}`, allowed)
	})
}
