package rankwatch_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
)

// Every route with an id answers 404 to another account, and the records stay as they were. The ids in
// bodies and queries are walked too: an account's own tracking with another's keywords and tags.
func TestAnotherAccountsRecordsDoNotExist(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, ids := w.track(t, "pizza")
		w.checked(t, path)
		tag := w.post(t, path+"/tags", map[string]any{"name": "Food", "color": "#000000"}).Want(t, 201).Text("_id")
		w.post(t, path+"/tags/assign", map[string]any{"keyword_ids": ids, "tag_ids": []string{tag}}).Want(t, 204)
		remark := w.post(t, path+"/annotations", map[string]any{"date": "2026-03-10", "text": "ours"}).Want(t, 201).Text("_id")
		before := w.get(t, path+"/detail").Raw

		stranger := w.NewAccount(t, "stranger@trigpoint.example", "agency")
		bodies := map[string]any{
			"update-tracking": map[string]any{"domain": "mine.com"}, "get-stats": map[string]any{},
			"add-tracked-keywords":    map[string]any{"keywords": []string{"soup"}},
			"remove-tracked-keywords": map[string]any{"tracked_keyword_ids": ids},
			"create-tag":              map[string]any{"name": "Mine", "color": "#ffffff"}, "update-tag": map[string]any{"name": "Mine", "color": "#ffffff"},
			"assign-tags": map[string]any{"keyword_ids": ids, "tag_ids": []string{tag}}, "unassign-tags": map[string]any{"keyword_ids": ids, "tag_ids": []string{tag}},
			"create-annotation": map[string]any{"date": "2026-03-10", "text": "mine"}, "update-annotation": map[string]any{"text": "mine"},
			"link-console-property": map[string]any{"site_url": "sc-domain:site.com"},
		}
		queries := map[string]string{"get-console-history": "?query=pizza"}
		named := map[string]string{
			"{tracking_id}": strings.TrimPrefix(path, trackings+"/"), "{tracked_keyword_id}": ids[0], "{tag_id}": tag, "{annotation_id}": remark,
		}
		walked := 0
		for _, area := range w.Areas {
			for route, item := range area.Document().Paths {
				if !strings.HasPrefix(route, "/rankwatch/") || !strings.Contains(route, "{") {
					continue
				}
				for name, value := range named {
					route = strings.ReplaceAll(route, name, value)
				}
				for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
					if op == nil {
						continue
					}
					walked++
					w.Do(t, apptest.Call{Method: op.Method, Path: area.Prefix + route + queries[op.OperationID], Body: bodies[op.OperationID], As: &stranger}).Want(t, 404)
				}
			}
		}
		if walked != 24 {
			t.Errorf("walked %d operations with an id, want 24", walked)
		}

		body, err := json.Marshal(map[string]any{"domain": "mine.com", "location_id": 0, "platform_id": 1, "keywords": []string{"soup"}})
		if err != nil {
			t.Fatal(err)
		}
		made := w.Do(t, apptest.Call{Method: "POST", Path: trackings, Body: string(body), As: &stranger}).Want(t, 201)
		own, ownKeyword := trackings+"/"+made.Text("tracking._id"), made.Text("keywords.0._id")
		for _, call := range []apptest.Call{
			{Method: "GET", Path: own + "/tracked-keywords/" + ids[0]},
			{Method: "POST", Path: own + "/stats", Body: map[string]any{"kwIds": ids}},
			{Method: "POST", Path: own + "/stats?kwIds=" + ids[0]},
			{Method: "POST", Path: own + "/stats?tag_ids=" + tag},
			{Method: "DELETE", Path: own + "/tracked-keywords", Body: map[string]any{"tracked_keyword_ids": ids}},
			{Method: "POST", Path: own + "/tracked-keywords", Body: map[string]any{"keywords": []string{"x"}, "tag_ids": []string{tag}}},
			{Method: "POST", Path: own + "/tags/assign", Body: map[string]any{"keyword_ids": []string{ownKeyword}, "tag_ids": []string{tag}}},
			{Method: "POST", Path: own + "/tags/unassign", Body: map[string]any{"keyword_ids": ids, "tag_ids": []string{tag}}},
			{Method: "PUT", Path: own + "/tags/" + tag, Body: map[string]any{"name": "Mine", "color": "#ffffff"}},
			{Method: "DELETE", Path: own + "/tags/" + tag},
			{Method: "PUT", Path: own + "/annotations/" + remark, Body: map[string]any{"text": "mine"}},
			{Method: "DELETE", Path: own + "/annotations/" + remark},
		} {
			call.As = &stranger
			if got := w.Do(t, call); got.Status != 404 {
				t.Errorf("%s %s answered %d %s", call.Method, call.Path, got.Status, got.Raw)
			}
		}
		if list := w.Do(t, apptest.Call{Method: "GET", Path: base + "/tags", As: &stranger}).Want(t, 200); strings.TrimSpace(string(list.Raw)) != "[]" {
			t.Errorf("a stranger sees %s", list.Raw)
		}
		if after := w.get(t, path+"/detail").Raw; string(after) != string(before) {
			t.Errorf("a stranger changed %s into %s", before, after)
		}
		if s := w.stats(t, path, ""); len(s.Annotations) != 1 || s.Annotations[0].Content.Text != "ours" {
			t.Errorf("annotations %+v", s.Annotations)
		}
	})
}
