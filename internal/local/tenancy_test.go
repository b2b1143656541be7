package local_test

import (
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
)

// Every route with an id answers 404 to another account, and the record stays as it was.
func TestAnotherAccountsRecordsDoNotExist(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, valid(t))
		published(t, p, id)
		image := p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/images", Body: map[string]any{"content": b64(pngOf(t, 300, 300)), "type": "PHOTO"}}).Want(t, 200).Text("data.id")
		ids := map[string]string{"{location_id}": id, "{listing_id}": listings(t, p, id)["Hosted page"].ID, "{image_id}": image}
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "agency")
		bodies := map[string]any{
			"update-location": map[string]any{"city": "Atlanta"}, "update-image": map[string]any{"description": "mine"},
			"create-image": map[string]any{"content": b64(pngOf(t, 300, 300)), "type": "PHOTO"},
		}
		walked := 0
		for _, area := range p.Areas {
			if area.Prefix != base {
				continue
			}
			for path, item := range area.Document().Paths {
				if !strings.Contains(path, "{") {
					continue
				}
				for name, value := range ids {
					path = strings.ReplaceAll(path, name, value)
				}
				for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
					if op == nil {
						continue
					}
					walked++
					p.Do(t, apptest.Call{Method: op.Method, Path: base + path + "?update_mask=city", Body: bodies[op.OperationID], As: &stranger}).Want(t, 404)
				}
			}
		}
		if walked != 13 {
			t.Errorf("walked %d operations with an id, want 13", walked)
		}
		if got := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id}).Want(t, 200); got.Text("data.city") != "Decatur" {
			t.Errorf("a stranger changed it: %s", got.Raw)
		}
		if list := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations", As: &stranger}).Want(t, 200); list.Len("data") != 0 {
			t.Errorf("a stranger sees %s", list.Raw)
		}
	})
}
