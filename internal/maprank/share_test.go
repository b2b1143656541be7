package maprank_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/maprank"
)

// routes lists every operation on one campaign, and whether it writes.
func routes(campaign, keyword, date string) map[string]apptest.Call {
	at := maprank.Prefix + "/campaigns/" + campaign
	business := query("keywordId", keyword, "reportDate", date, "cid", market[0].CID)
	return map[string]apptest.Call{
		"get":         {Method: http.MethodGet, Path: at},
		"keywords":    {Method: http.MethodGet, Path: at + "/keywords"},
		"heatmap":     {Method: http.MethodGet, Path: at + "/heatmap" + business},
		"metrics":     {Method: http.MethodGet, Path: at + "/metrics" + business},
		"competitors": {Method: http.MethodGet, Path: at + "/top-competitors" + business},
		"update":      {Method: http.MethodPatch, Path: at, Body: object{"name": "Taken over"}},
		"collect":     {Method: http.MethodPut, Path: at + "/collect?reportDate=2026-01-01T00:00:00Z"},
		"delete":      {Method: http.MethodDelete, Path: at},
	}
}

func TestAnotherAccountsCampaignIsUnknown(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza")
		id, keyword := made.Text("data.id"), made.Text("data.keywords.0.id")
		date := w.collect(id)
		stranger := w.NewAccount(w.t, "stranger@trigpoint.example", "agency")
		nobody := "018f0000-0000-7000-8000-000000000000"
		for name, call := range routes(id, keyword, date) {
			call.As = &stranger
			theirs := w.Do(w.t, call).Want(w.t, 404)
			call.Path = strings.Replace(call.Path, id, nobody, 1)
			unknown := w.Do(w.t, call).Want(w.t, 404)
			if theirs.Text("error.message") != strings.Replace(unknown.Text("error.message"), nobody, id, 1) {
				w.t.Errorf("%s: another account's campaign is told from an unknown one: %s", name, theirs.Raw)
			}
		}
		for _, bad := range []string{"x", strings.Repeat("f", 300), "%00", "..%2f"} {
			if a := w.get("/campaigns/%s", bad); a.Status != 404 {
				w.t.Errorf("campaign %q: %d", bad, a.Status)
			}
		}
		if a := w.get("/campaigns/%s", id).Want(w.t, 200); a.Text("data.name") != market[0].Name || a.Len("data.reportDates") != 1 {
			w.t.Errorf("a stranger changed it: %s", a.Raw)
		}
		// A stranger's own campaign does not open the results of another one's keyword.
		theirs := w.Do(w.t, apptest.Call{Method: "POST", Path: path("/campaigns"), As: &stranger, Body: object{"placeId": market[0].PlaceID, "keywords": []string{"pizza"}}}).Want(w.t, 200)
		a := w.Do(w.t, apptest.Call{Method: "GET", As: &stranger, Path: path("/campaigns/%s/metrics%s", theirs.Text("data.id"), query("keywordId", keyword, "cid", market[0].CID))}).Want(w.t, 200)
		if len(a.At("data.average_positions").(object)) != 0 {
			w.t.Errorf("another account's figures: %s", a.Raw)
		}
		if a := w.Do(w.t, apptest.Call{Method: "GET", As: &stranger, Path: path("/campaigns")}).Want(w.t, 200); a.At("data.totalElements") != 1.0 {
			w.t.Errorf("a stranger's list: %s", a.Raw)
		}
	})
}

func TestSharedCampaign(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza")
		id, keyword := made.Text("data.id"), made.Text("data.keywords.0.id")
		date := w.collect(id)
		viewer := w.NewAccount(w.t, "viewer@trigpoint.example", "free")
		editor := w.NewAccount(w.t, "editor@trigpoint.example", "free")
		share := func(who apptest.Account, access maprank.Access) {
			w.t.Helper()
			if err := w.MapRank.Share(w.t.Context(), id, who.ID, access); err != nil {
				w.t.Fatal(err)
			}
		}
		share(viewer, maprank.Editor)
		share(viewer, maprank.Viewer) // the later word counts
		share(editor, maprank.Editor)

		allowed := map[string][]int{ // for the viewer and the editor
			"update": {403, 200}, "collect": {403, 200}, "delete": {403, 403},
		}
		for _, name := range []string{"get", "keywords", "heatmap", "metrics", "competitors", "update", "collect", "delete"} {
			call := routes(id, keyword, date)[name]
			for i, who := range []apptest.Account{viewer, editor} {
				want := 200
				if status, ok := allowed[name]; ok {
					want = status[i]
				}
				call.As = &who
				a := w.Do(w.t, call).Want(w.t, want)
				if want == 403 && a.Text("error.details.0.error_status") != "ACCESS_DENIED" {
					w.t.Errorf("%s: %s", name, a.Raw)
				}
			}
		}
		w.ended(id)
		seen := w.Do(w.t, apptest.Call{Method: "GET", Path: path("/campaigns/%s", id), As: &editor}).Want(w.t, 200)
		for path, want := range map[string]any{
			"sharingStatus.accessType": "EDITOR", "sharingStatus.ownerEmail": w.Owner.Email, "sharingStatus.sharesCount": 2.0, "name": "Taken over", "userId": made.Text("data.userId"),
		} {
			if got := seen.At("data." + path); got != want {
				w.t.Errorf("%s is %v, want %v", path, got, want)
			}
		}
		// The owner pays, and the slots of others stay free.
		if w.spent() != 50 {
			w.t.Errorf("the owner has spent %d, want 50", w.spent())
		}
		limits := w.Do(w.t, apptest.Call{Method: "GET", Path: path("/limits"), As: &editor}).Want(w.t, 200)
		if limits.At("data.campaigns.inUse") != 0.0 || limits.At("data.credits.spentThisMonth") != 0.0 {
			w.t.Errorf("the editor's limits: %s", limits.Raw)
		}
		list := w.Do(w.t, apptest.Call{Method: "GET", Path: path("/campaigns"), As: &viewer}).Want(w.t, 200)
		if list.At("data.totalElements") != 1.0 || list.Text("data.content.0.id") != id {
			w.t.Errorf("the viewer's list: %s", list.Raw)
		}
		if err := w.MapRank.Unshare(w.t.Context(), id, viewer.ID); err != nil {
			w.t.Fatal(err)
		}
		w.Do(w.t, apptest.Call{Method: "GET", Path: path("/campaigns/%s", id), As: &viewer}).Want(w.t, 404)
		for _, wrong := range []error{
			w.MapRank.Unshare(w.t.Context(), id, viewer.ID), w.MapRank.Unshare(w.t.Context(), id, w.Owner.ID),
			w.MapRank.Share(w.t.Context(), id, w.Owner.ID, maprank.Viewer), w.MapRank.Share(w.t.Context(), id, viewer.ID, maprank.Owner),
			w.MapRank.Share(w.t.Context(), "nobody", viewer.ID, maprank.Viewer),
		} {
			if wrong == nil {
				w.t.Error("a wrong share was accepted")
			}
		}
		w.send("DELETE", "/campaigns/"+id, nil).Want(w.t, 200)
		w.Do(w.t, apptest.Call{Method: "GET", Path: path("/campaigns/%s", id), As: &editor}).Want(w.t, 404)
	})
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		for _, header := range []string{"", "Bearer", "Bearer nonsense", "Apikey " + w.Owner.Key, "Bearer " + w.Owner.Key} {
			a := w.Do(w.t, apptest.Call{Method: "GET", Path: path("/limits"), Header: http.Header{"Authorization": {header}}}).Want(w.t, 401)
			if !strings.HasPrefix(a.Header.Get("WWW-Authenticate"), "Bearer") {
				w.t.Errorf("%q: WWW-Authenticate is %q", header, a.Header.Get("WWW-Authenticate"))
			}
		}
		call := apptest.Call{
			Method: "POST", Path: path("/campaigns"), Body: object{"placeId": market[0].PlaceID, "keywords": []string{"a"}},
			Header: http.Header{"Idempotency-Key": {"one"}},
		}
		first, again := w.Do(w.t, call).Want(w.t, 200), w.Do(w.t, call).Want(w.t, 200)
		if first.Text("data.id") != again.Text("data.id") || w.count("campaigns") != 1 {
			w.t.Errorf("the same key made two campaigns")
		}
		collect := apptest.Call{Method: "PUT", Path: path("/campaigns/%s/collect", first.Text("data.id")), Header: http.Header{"Idempotency-Key": {"two"}}}
		w.Do(w.t, collect).Want(w.t, 200)
		w.Do(w.t, collect).Want(w.t, 200)
		if w.spent() != 25 {
			w.t.Errorf("a repeated collect cost %d", w.spent())
		}
	})
}
