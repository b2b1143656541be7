package rankwatch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
)

func TestTags(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, ids := w.track(t, "pizza", "soup", "pasta")
		other := trackings + "/" + w.post(t, trackings, map[string]any{"domain": "other.com", "location_id": 0, "platform_id": 1, "keywords": []string{"x"}}).Want(t, 201).Text("tracking._id")
		made := w.post(t, path+"/tags", map[string]any{"name": "  Main   dish ", "color": "#1E88E5"}).Want(t, 201)
		main := made.Text("_id")
		if made.Text("name") != "Main dish" || made.Text("color") != "#1e88e5" || made.Text("user_id") != w.Owner.ID || !strings.HasSuffix(path, made.Text("tracking_id")) || made.At("created_at") != float64(w.clock.Now().Unix()) {
			t.Errorf("create answered %s", made.Raw)
		}
		w.post(t, path+"/tags", map[string]any{"name": "main DISH", "color": "#000000"}).Want(t, 409)
		w.clock.Advance(time.Second)
		starter := w.post(t, path+"/tags", map[string]any{"name": "Starter", "color": "#00ff00"}).Want(t, 201).Text("_id")
		w.clock.Advance(time.Second)
		foreign := w.post(t, other+"/tags", map[string]any{"name": "Main dish", "color": "#000000"}).Want(t, 201).Text("_id")

		if list := w.get(t, path+"/tags").Want(t, 200); list.Text("0._id") != starter || list.Text("1._id") != main || list.At("2") != nil {
			t.Errorf("tags of the tracking: %s", list.Raw)
		}
		if list := w.get(t, base+"/tags").Want(t, 200); list.Text("0._id") != foreign || list.Text("2._id") != main {
			t.Errorf("all tags: %s", list.Raw)
		}

		assign := func(verb string, keywords, tags []string) *apptest.Answer {
			return w.post(t, path+"/tags/"+verb, map[string]any{"keyword_ids": keywords, "tag_ids": tags})
		}
		tagsOf := func() string {
			list := w.get(t, path+"/tracked-keywords").Want(t, 200)
			all := ""
			for i := range ids {
				all += fmt.Sprint(list.Len(fmt.Sprintf("%d.tags", i)))
			}
			return all
		}
		assign("assign", ids[:2], []string{main, starter}).Want(t, 204)
		assign("assign", ids[:2], []string{main}).Want(t, 204)
		for _, bad := range []struct {
			keywords, tags []string
			status         int
		}{
			{append(ids[2:], "0123456789abcdef0123456789abcdef"), []string{main}, 404},
			{ids[2:], []string{main, foreign}, 404},
			{ids[2:], []string{}, 422},
			{nil, []string{main}, 422},
		} {
			assign("assign", bad.keywords, bad.tags).Want(t, bad.status)
			if got := tagsOf(); got != "220" {
				t.Fatalf("a refused assignment of %v to %v left %s", bad.tags, bad.keywords, got)
			}
		}
		assign("unassign", ids, []string{starter}).Want(t, 204)
		assign("unassign", ids, []string{starter}).Want(t, 204)
		if got := tagsOf(); got != "110" {
			t.Errorf("after unassigning: %s", got)
		}
		if s := w.stats(t, path, "?tag_ids="+main); len(s.Keywords) != 2 {
			t.Errorf("stats by tag: %d keywords", len(s.Keywords))
		}
		w.post(t, path+"/stats?tag_ids="+foreign, nil).Want(t, 404)

		w.Do(t, apptest.Call{Method: "PUT", Path: path + "/tags/" + main, Body: map[string]any{"name": "starter", "color": "#ffffff"}}).Want(t, 409)
		w.Do(t, apptest.Call{Method: "PUT", Path: path + "/tags/" + main, Body: map[string]any{"name": "MAIN DISH", "color": "#ffffff"}}).Want(t, 204)
		w.Do(t, apptest.Call{Method: "PUT", Path: path + "/tags/" + foreign, Body: map[string]any{"name": "Mine", "color": "#ffffff"}}).Want(t, 404)
		if list := w.get(t, path+"/tags"); list.Text("1.name") != "MAIN DISH" || list.Text("1.color") != "#ffffff" {
			t.Errorf("after a change: %s", list.Raw)
		}
		w.Do(t, apptest.Call{Method: "DELETE", Path: path + "/tags/" + main}).Want(t, 204)
		w.Do(t, apptest.Call{Method: "DELETE", Path: path + "/tags/" + main}).Want(t, 404)
		if got := tagsOf(); got != "000" {
			t.Errorf("a deleted tag is still given: %s", got)
		}
	})
}

func TestAnnotations(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, _ := w.track(t, "pizza")
		made := w.post(t, path+"/annotations", map[string]any{"date": "2026-03-08", "text": " New menu "}).Want(t, 201)
		id := made.Text("_id")
		if made.Text("content.text") != "New menu" || made.Text("date") != "2026-03-08" || made.At("type") != 0.0 || made.At("nonShareable") != false || made.Text("creator") != w.Owner.ID {
			t.Errorf("create answered %s", made.Raw)
		}
		w.post(t, path+"/annotations", map[string]any{"date": "2025-01-01", "text": "Out of range"}).Want(t, 201)
		put := func(body any) *apptest.Answer {
			return w.Do(t, apptest.Call{Method: "PUT", Path: path + "/annotations/" + id, Body: body})
		}
		put(map[string]any{"text": "Menu"}).Want(t, 204)
		if s := w.stats(t, path, ""); len(s.Annotations) != 1 || s.Annotations[0].Content.Text != "Menu" || s.Annotations[0].Date != "2026-03-08" {
			t.Errorf("annotations %+v", s.Annotations)
		}
		put(map[string]any{"text": "Menu", "date": "2026-03-09", "nonShareable": true}).Want(t, 204)
		put(map[string]any{"date": "2026-03-09"}).Want(t, 422)
		if s := w.stats(t, path, "?from=2026-03-09&to=2026-03-09"); len(s.Annotations) != 1 || !s.Annotations[0].NonShareable {
			t.Errorf("annotations %+v", s.Annotations)
		}
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"soup"}}).Want(t, 201)
		automatic := w.stats(t, path, "?from=2026-03-10").Annotations[0]
		w.Do(t, apptest.Call{Method: "PUT", Path: path + "/annotations/" + automatic.ID, Body: map[string]any{"text": "mine"}}).Want(t, 409)
		for _, gone := range []string{automatic.ID, id} {
			w.Do(t, apptest.Call{Method: "DELETE", Path: path + "/annotations/" + gone}).Want(t, 204)
			w.Do(t, apptest.Call{Method: "DELETE", Path: path + "/annotations/" + gone}).Want(t, 404)
		}
		put(map[string]any{"text": "gone"}).Want(t, 404)
		if s := w.stats(t, path, ""); len(s.Annotations) != 0 {
			t.Errorf("annotations %+v", s.Annotations)
		}
	})
}
