package local_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
)

// Everything that locks accounts, locations, images and objects at once: no order of locks but one can end
// without a deadlock, and no request fails because of another.
func TestImagesOfOneLocationComeAndGoAtOnce(t *testing.T) {
	t.Parallel()
	receiver := newPartner(t, func(http.ResponseWriter, *http.Request) {})
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		shared := create(t, p, valid(t))
		first, second := pngOf(t, 300, 300), pngOf(t, 301, 300)
		var clients sync.WaitGroup
		for n := range 4 {
			clients.Go(func() { // one picture of one location
				for range 15 {
					image := upload(t, p, shared, first).Want(t, 200)
					if n%2 == 0 {
						p.Do(t, apptest.Call{Method: "PUT", Path: base + "/images/" + image.Text("data.id"), Body: `{"description":"Front"}`}).Want(t, 200)
					}
					removeImage(t, p, image)
				}
			})
		}
		for n := range 2 {
			clients.Go(func() { // locations that share pictures, in either order
				for range 8 {
					id := create(t, p, valid(t))
					pictures := [][]byte{first, second}
					upload(t, p, id, pictures[n]).Want(t, 200)
					upload(t, p, id, pictures[1-n]).Want(t, 200)
					p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 200)
				}
			})
		}
		clients.Go(func() {
			for _, plan := range []string{"free", "agency", "free", "agency"} {
				if err := p.SetPlan(t.Context(), p.Owner.ID, plan); err != nil {
					t.Error(err)
				}
				published(t, p, shared)
			}
		})
		clients.Wait()
		if n := count(t, p.DB, "images"); n != 0 {
			t.Errorf("%d images are left", n)
		}
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + shared}).Want(t, 200)
		p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations"}, func(*apptest.Answer) bool { return count(t, p.DB, "objects") == 0 })
		if p.DB.Dialect == db.Postgres { // one that was solved by trying again counts too
			if n, err := db.One(t.Context(), p.DB, db.Value[int64], "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"); err != nil || n != 0 {
				t.Errorf("%d deadlocks, %v", n, err)
			}
		}
	}, withWebhook(receiver.URL), func(s *apptest.Setup) {
		s.Config.Plans = `{"free":{"locations":1000,"rate":0},"agency":{"rate":0}}`
	})
}
