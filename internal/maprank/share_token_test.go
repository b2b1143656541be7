package maprank_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
)

// visit reads without a credential.
func (w *world) visit(at, token string) *apptest.Answer {
	w.t.Helper()
	join := "?"
	if strings.Contains(at, "?") {
		join = "&"
	}
	return w.Do(w.t, apptest.Call{Method: http.MethodGet, Path: at + join + "share_token=" + token, Header: http.Header{"Authorization": nil}})
}

func TestShareTokenReadsOneCampaign(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made, other := w.campaign("pizza"), w.campaign("pizza")
		id, keyword := made.Text("data.id"), made.Text("data.keywords.0.id")
		date := w.collect(id)
		w.send("PATCH", "/campaigns/"+id, object{"collectingFrequency": object{"frequency": "WEEKLY", "interval": 2, "positions": []int{2}, "time": "10:30"}}).Want(w.t, 200)
		if v := w.view(id); v.At("data.collectCost") != 25.0 || v.Text("data.schedule.time") != "10:30" || v.At("data.schedule.interval") != 2.0 || v.At("data.schedule.enable") != true {
			w.t.Errorf("the owner is shown the schedule %v, at a cost of %v", v.At("data.schedule"), v.At("data.collectCost"))
		}
		shared := func(on bool) string {
			w.t.Helper()
			a := w.send("PATCH", "/campaigns/"+id, object{"shared": on}).Want(w.t, 200)
			token, _ := a.At("data.sharingStatus.shareToken").(string)
			return token
		}
		token := shared(true)
		if len(token) < 40 || shared(true) != token || w.get("/campaigns/%s", id).Text("data.sharingStatus.shareToken") != token {
			w.t.Fatalf("the owner is shown the token %q", token)
		}
		reads := routes(id, keyword, date)
		reads["view"] = apptest.Call{Path: path("/campaigns/%s/view", id)}
		point := w.view(id).At("data.pointSets").([]any)[0].([]any)[0].(object)["id"].(string)
		reads["point-results"] = apptest.Call{Path: path("/campaigns/%s/point-results%s", id, query("keywordId", keyword, "reportDate", date, "pointId", point))}
		for _, name := range []string{"get", "keywords", "heatmap", "metrics", "competitors", "view", "point-results"} {
			a := w.visit(reads[name].Path, token).Want(w.t, 200)
			for what, secret := range map[string]string{"the owner's email": w.Owner.Email, "the owner's id": made.Text("data.userId"), "the token": token, "credits": `"credits"`, "its cost": `"collectCost"`, "its schedule": `"schedule"`} {
				if strings.Contains(string(a.Raw), secret) {
					w.t.Errorf("%s tells a visitor %s: %s", name, what, a.Raw)
				}
			}
			elsewhere := strings.Replace(reads[name].Path, id, other.Text("data.id"), 1)
			w.visit(elsewhere, token).Want(w.t, 401)
			w.visit(reads[name].Path, token[:len(token)-1]+"x").Want(w.t, 401)
		}
		for _, closed := range []string{path("/campaigns/%s/progress", id), path("/campaigns/%s/shares", id), path("/campaigns"), path("/limits")} {
			w.visit(closed, token).Want(w.t, 401)
		}
		// One who is signed in may follow the link, too.
		stranger := w.NewAccount(w.t, "stranger@trigpoint.example", "free")
		seen := w.Do(w.t, apptest.Call{Method: "GET", Path: path("/campaigns/%s/view?share_token=%s", id, token), As: &stranger}).Want(w.t, 200)
		if seen.Text("data.campaign.sharingStatus.accessType") != "VIEWER" || seen.At("data.credits") != nil {
			w.t.Errorf("a stranger with the link: %s", seen.Raw)
		}
		w.Do(w.t, apptest.Call{Method: "GET", Path: path("/campaigns/%s/view?share_token=x", id), As: &stranger}).Want(w.t, 404)

		if shared(false) != "" {
			w.t.Error("a campaign that is not shared has a token")
		}
		w.visit(reads["view"].Path, token).Want(w.t, 401)
		again := shared(true)
		if again == token {
			w.t.Error("a withdrawn token came back")
		}
		w.visit(reads["view"].Path, token).Want(w.t, 401)
		w.visit(reads["view"].Path, again).Want(w.t, 200)
		open, err := w.MapRank.OpenCampaigns(w.t.Context(), strings.ReplaceAll(made.Text("data.userId"), "-", ""), 10)
		if err != nil || len(open) != 1 || open[0].ID != id || open[0].ShareToken != again || !open[0].SharedAt.Equal(start) {
			w.t.Errorf("the account's open campaigns: %v, %v", open, err)
		}
	})
}

func TestOwnerSharesWithAccounts(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		id := w.campaign("pizza").Text("data.id")
		editor := w.NewAccount(w.t, "editor@trigpoint.example", "free")
		at := "/campaigns/" + id + "/shares"
		body := object{"email": "Editor@trigpoint.example", "accessType": "EDITOR"}
		if a := w.send("PUT", at, body).Want(w.t, 200); a.Len("data") != 1 || a.Text("data.0.email") != editor.Email || a.Text("data.0.accessType") != "EDITOR" || a.Text("data.0.createdAt") != "2026-03-02T12:00:00Z" {
			w.t.Errorf("the share: %s", a.Raw)
		}
		w.send("PUT", at, object{"email": editor.Email, "accessType": "VIEWER"}).Want(w.t, 200)
		w.send("PUT", at, body).Want(w.t, 200) // the later word counts
		if a := w.get("/campaigns/%s/shares", id).Want(w.t, 200); a.Len("data") != 1 || a.Text("data.0.accessType") != "EDITOR" {
			w.t.Errorf("the list: %s", a.Raw)
		}
		for name, call := range map[string]apptest.Call{
			"list": {Method: "GET", Path: path("%s", at)}, "share": {Method: "PUT", Path: path("%s", at), Body: body},
			"unshare": {Method: "DELETE", Path: path("%s/%s", at, w.Owner.Email)}, "open": {Method: "PATCH", Path: path("/campaigns/%s", id), Body: object{"shared": true}},
		} {
			call.As = &editor
			if a := w.Do(w.t, call).Want(w.t, 403); a.Text("error.details.0.error_status") != "ACCESS_DENIED" {
				w.t.Errorf("%s by an editor: %s", name, a.Raw)
			}
		}
		for name, tc := range map[string]struct {
			body   object
			status int
		}{
			"nobody":  {object{"email": "nobody@trigpoint.example", "accessType": "VIEWER"}, 404},
			"oneself": {object{"email": w.Owner.Email, "accessType": "VIEWER"}, 409},
			"owner":   {object{"email": editor.Email, "accessType": "OWNER"}, 400},
			"nothing": {object{}, 400},
			"types":   {object{"email": 1, "accessType": true}, 400},
		} {
			if a := w.send("PUT", at, tc.body).Want(w.t, tc.status); tc.status == 400 && name != "owner" && a.Len("error.details") != 2 {
				w.t.Errorf("%s: not every problem is told: %s", name, a.Raw)
			}
		}
		if a := w.send("PUT", at, object{"email": "nobody@trigpoint.example", "accessType": "VIEWER"}); !strings.Contains(a.Text("error.message"), "Invite") {
			w.t.Errorf("an unknown email: %s", a.Raw)
		}
		w.send("PUT", at, body).Want(w.t, 200) // nothing new
		w.send("DELETE", at+"/"+editor.Email, nil).Want(w.t, 200)
		w.send("DELETE", at+"/"+editor.Email, nil).Want(w.t, 404)
		if told := w.Told(w.t, "campaign.shared", &editor); told.Len("data") != 3 || told.Text("data.0.data.access") != "EDITOR" || told.Text("data.0.data.campaign_id") != id {
			w.t.Errorf("told of sharing: %s", told.Raw)
		}
		if told := w.Told(w.t, "campaign.unshared", &editor); told.Len("data") != 1 {
			w.t.Errorf("told of taking it back: %s", told.Raw)
		}
		w.Do(w.t, apptest.Call{Method: "GET", Path: path("/campaigns/%s", id), As: &editor}).Want(w.t, 404)

		w.send("PUT", at, body).Want(w.t, 200)
		leave := apptest.Call{Method: "DELETE", Path: path("%s/%s", at, editor.Email), As: &editor}
		w.Do(w.t, leave).Want(w.t, 200)
		w.Do(w.t, leave).Want(w.t, 404)
	})
}
