package rankwatch_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

func TestLifeOfATracking(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.set(map[string]int{"pizza": 3, "best  pizza": 0, "late pizza": 47})
		made := w.post(t, trackings, map[string]any{
			"domain": "HTTPS://www.Site.com/", "location_id": london, "platform_id": 1,
			"keywords": []any{"pizza", " Pizza ", map[string]any{"keyword": "late   pizza"}, "no pizza"},
		}).Want(t, 201)
		id := made.Text("tracking._id")
		if len(id) != 32 || made.Text("tracking.domain") != "site.com" || made.At("tracking.count") != 3.0 || made.Len("tracking.tracked_keyword_ids") != 3 ||
			made.Text("tracking.location.label") != "London, England, United Kingdom" || made.Text("tracking.location.code") != "gb" ||
			made.At("tracking.created_at") != float64(w.clock.Now().Unix()) || made.At("tracking.is_deleted") != false || len(made.Text("tracking.share_token")) < 40 {
			t.Fatalf("create answered %s", made.Raw)
		}
		if made.Len("keywords") != 3 || made.Text("keywords.1.kw") != "late pizza" || made.Len("reports") != 0 || made.At("postponed_processing") != false || made.At("keywords.0.rank") != nil {
			t.Errorf("create answered %s", made.Raw)
		}
		path := trackings + "/" + id
		keywords := w.checked(t, path)
		for i, want := range []int{3, 47, 0} {
			switch got := keywords[i].Rank; {
			case want == 0 && got != nil, want != 0 && (got == nil || *got != want):
				t.Errorf("%s ranks %v, want %d", keywords[i].Text, got, want)
			}
		}
		if url := keywords[0].URL; url == nil || *url != "https://www.site.com/pizza" || keywords[2].URL != nil {
			t.Errorf("URLs %v, %v", keywords[0].URL, keywords[2].URL)
		}
		w.engine.do(func(e *engine) {
			q := e.last["pizza"]
			if q.Depth != 100 || q.Country != "GB" || q.Location != "London,England,United Kingdom" || q.Device != provider.Desktop {
				t.Errorf("the engine was asked %+v", q)
			}
		})

		detail := w.get(t, path+"/detail").Want(t, 200)
		if detail.Len("keywords") != 3 || detail.Text("keywords.0.url") != "https://www.site.com/pizza" || detail.At("whiteLabel") != nil || detail.Text("keywords.0.kwId") != keywords[0].KeywordID {
			t.Errorf("detail answered %s", detail.Raw)
		}
		list := w.get(t, trackings).Want(t, 200)
		day := w.clock.Now().Format(time.DateOnly)
		if list.Len("") != -1 || list.Text("0._id") != id || list.At("0.stats.timeframes."+day+".rank_distribution.3") != 1.0 || list.At("0.stats.timeframes."+day+".rank_distribution.rest") != 1.0 {
			t.Errorf("list answered %s", list.Raw)
		}

		w.post(t, trackings, map[string]any{"domain": "site.com", "location_id": london, "platform_id": 1, "keywords": []string{"x"}}).Want(t, 409)
		w.post(t, trackings, map[string]any{"domain": "site.com", "location_id": london, "platform_id": 2, "keywords": []string{"x"}}).Want(t, 201)
		w.post(t, trackings, map[string]any{"domain": "site.com/shop", "location_id": london, "platform_id": 1, "keywords": []string{"x"}}).Want(t, 201)

		w.Do(t, apptest.Call{Method: "DELETE", Path: path}).Want(t, 204)
		if list := w.get(t, trackings).Want(t, 200); strings.Contains(string(list.Raw), id) {
			t.Errorf("a deleted tracking is listed: %s", list.Raw)
		}
		if list := w.get(t, trackings+"?is_with_deleted=true").Want(t, 200); list.Text("2._id") != id || list.At("2.is_deleted") != true {
			t.Errorf("list with deleted ones: %s", list.Raw)
		}
		again, _ := w.track(t, "pizza")
		w.checked(t, again)
		asked := w.engine.searches("no pizza")
		w.tomorrow()
		w.checked(t, again)
		if w.engine.searches("no pizza") != asked {
			t.Error("a deleted tracking is still checked")
		}
	})
}

func TestChangingATracking(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, _ := w.track(t, "pizza")
		w.post(t, trackings, map[string]any{"domain": "taken.com", "location_id": london, "platform_id": 1, "keywords": []string{"x"}}).Want(t, 201)
		patch := func(body any) *apptest.Answer {
			return w.Do(t, apptest.Call{Method: "PATCH", Path: path, Body: body})
		}
		patch(map[string]any{}).Want(t, 422)
		patch(map[string]any{"domain": "localhost", "tracking_config": map[string]any{"depth": 5, "name": 7}, "shared": "yes"}).Want(t, 422)
		patch(map[string]any{"domain": "taken.com"}).Want(t, 409)
		changed := patch(map[string]any{"domain": "Münch.example", "tracking_config": map[string]any{"name": "Site Pizza", "depth": 20}}).Want(t, 200)
		if changed.Text("tracking.domain") != "münch.example" || changed.Text("annotation.content.text") != "Domain changed from site.com to münch.example" || changed.At("annotation.type") != 1.0 ||
			changed.At("tracking.tracking_config.depth") != 20.0 || changed.At("tracking.count") != 1.0 {
			t.Errorf("change answered %s", changed.Raw)
		}
		w.checked(t, path)
		w.tomorrow()
		w.checked(t, path)
		w.engine.do(func(e *engine) {
			if e.last["pizza"].Depth != 20 {
				t.Errorf("checked to a depth of %d", e.last["pizza"].Depth)
			}
		})
		cleared := patch(map[string]any{"tracking_config": map[string]any{"depth": nil}}).Want(t, 200)
		if cleared.At("tracking.tracking_config.depth") != nil || cleared.Text("tracking.tracking_config.name") != "Site Pizza" || cleared.At("annotation") != nil {
			t.Errorf("clearing answered %s", cleared.Raw)
		}
		if stats := w.stats(t, path, ""); len(stats.Annotations) != 1 {
			t.Errorf("annotations %+v", stats.Annotations)
		}
	})
}

func TestShareToken(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, _ := w.track(t, "pizza")
		w.checked(t, path)
		token := w.get(t, path+"/detail").Text("tracking.share_token")
		w.post(t, path+"/annotations", map[string]any{"date": "2026-03-10", "text": "for us", "nonShareable": true}).Want(t, 201)
		w.post(t, path+"/annotations", map[string]any{"date": "2026-03-10", "text": "for all"}).Want(t, 201)
		noKey := func(method, path string) *apptest.Answer {
			return w.Do(t, apptest.Call{Method: method, Path: path, Header: map[string][]string{"X-Access-Token": nil}})
		}
		noKey("GET", path+"/detail?share_token="+token).Want(t, 200)
		shared := noKey("POST", path+"/stats?share_token="+token).Want(t, 200)
		if shared.Len("annotations") != 1 || shared.Text("annotations.0.content.text") != "for all" || shared.Len("keywords") != 1 {
			t.Errorf("shared stats: %s", shared.Raw)
		}
		stranger := w.NewAccount(t, "stranger@trigpoint.example", "free")
		w.Do(t, apptest.Call{Method: "GET", Path: path + "/detail?share_token=" + token, As: &stranger}).Want(t, 200)
		w.Do(t, apptest.Call{Method: "GET", Path: path + "/detail", As: &stranger}).Want(t, 404)
		for _, wrong := range []string{"", "?share_token=", "?share_token=" + token[1:], "?share_token=x"} {
			noKey("GET", path+"/detail"+wrong).Want(t, 401)
			noKey("POST", path+"/stats"+wrong).Want(t, 401)
		}
		noKey("GET", trackings+"/0123456789abcdef0123456789abcdef/detail?share_token="+token).Want(t, 401)
		noKey("GET", path+"/tracked-keywords?share_token="+token).Want(t, 401)
		w.Do(t, apptest.Call{Method: "GET", Path: path + "/detail?share_token=" + token, Header: map[string][]string{"X-Access-Token": {"tpk_wrong"}}}).Want(t, 401)

		patch := func(shared bool) string {
			return w.Do(t, apptest.Call{Method: "PATCH", Path: path, Body: map[string]any{"shared": shared}}).Want(t, 200).Text("tracking.share_token")
		}
		if patch(false) != "" {
			t.Error("the token was not withdrawn")
		}
		noKey("GET", path+"/detail?share_token="+token).Want(t, 401)
		next := patch(true)
		if next == "" || next == token || patch(true) != next {
			t.Errorf("tokens %q, then %q", token, next)
		}
		noKey("GET", path+"/detail?share_token="+next).Want(t, 200)
		w.Do(t, apptest.Call{Method: "DELETE", Path: path}).Want(t, 204)
		noKey("GET", path+"/detail?share_token="+next).Want(t, 401)
	})
}

func TestPlanLimits(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		make50 := func(from int) (list []string) {
			for i := range 50 {
				list = append(list, "keyword "+string(rune('a'+i%26))+string(rune('a'+i/26))+strings.Repeat("x", from))
			}
			return list
		}
		body := map[string]any{"domain": "site.com", "location_id": 0, "platform_id": 2, "keywords": append(make50(0), "one more")}
		refused := w.post(t, trackings, body).Want(t, 429)
		if refused.Text("error.type") != "CreditLimit" || refused.At("error.retry_after") != nil {
			t.Errorf("too many keywords answered %s", refused.Raw)
		}
		body["keywords"] = make50(0)
		path := trackings + "/" + w.post(t, trackings, body).Want(t, 201).Text("tracking._id")
		body["domain"] = "other.com"
		if second := w.post(t, trackings, body).Want(t, 429); second.Text("error.type") != "CreditLimit" {
			t.Errorf("a second tracking answered %s", second.Raw)
		}
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"one more"}}).Want(t, 429)
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": make50(0)[:2]}).Want(t, 201) // tracked already: they need no room
		first := w.get(t, path+"/tracked-keywords").Text("0._id")
		w.Do(t, apptest.Call{Method: "DELETE", Path: path + "/tracked-keywords", Body: map[string]any{"tracked_keyword_ids": []string{first}}}).Want(t, 204)
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"one more"}}).Want(t, 201)
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": make50(0)[:1]}).Want(t, 429) // the removed one has lost its place
		w.Do(t, apptest.Call{Method: "DELETE", Path: path}).Want(t, 204)
		w.post(t, trackings, body).Want(t, 201)
	}, func(s *apptest.Setup) { s.Plan = "free" })
}

func TestSeveralURLsMapPackAndSnippet(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.do(func(e *engine) {
			e.page = func(q provider.WebQuery) provider.WebPage {
				organic := func(rank int, url string) provider.WebItem {
					return provider.WebItem{Type: provider.Organic, Rank: rank, URL: url, Title: url}
				}
				pack := provider.WebItem{Type: provider.LocalPack, Items: []provider.WebItem{
					{Type: provider.LocalPack, Title: "Somebody", URL: "https://somebody.example/"},
					{Type: provider.LocalPack, Title: "The Site", URL: "https://m.site.com/visit"},
				}}
				snippet := provider.WebItem{Type: provider.FeaturedSnippet, URL: "https://site.com/answer"}
				return provider.WebPage{Pages: 1, Items: []provider.WebItem{
					{Type: provider.AdTop, URL: "https://ads.example/"},
					snippet, pack,
					organic(1, "https://notsite.com/"), organic(2, "https://shop.site.com/a"), organic(3, "http://www.site.com/b"), organic(4, "http://www.site.com/b"),
				}}
			}
		})
		path, ids := w.track(t, "pizza")
		w.checked(t, path)
		k := w.stats(t, path, "").Keywords[0]
		if *k.Rank.Last != 2 || !k.MoreURL || k.MapPack.Rank == nil || *k.MapPack.Rank != 2 || *k.MapPack.URL != "https://m.site.com/visit" || !k.MapPack.HasURL ||
			!k.Snippet.IsRanking || *k.Snippet.SerpRank != 2 || *k.Snippet.URL != "https://site.com/answer" {
			t.Errorf("stats %+v", k)
		}
		if want := []string{"ADV_TOP", "MAP_PACK", "FEATURED_SNIPPET"}; !slices.Equal(k.Features, want) {
			t.Errorf("features %v, want %v", k.Features, want)
		}
		detail := w.get(t, path+"/tracked-keywords/"+ids[0]).Want(t, 200)
		if detail.Len("checks") != 1 || detail.Text("checks.0.url") != "https://shop.site.com/a" || detail.At("checks.0.map_pack_rank") != 2.0 || detail.At("checks.0.is_feat_snippet") != true {
			t.Errorf("keyword answered %s", detail.Raw)
		}
		// The page that explains the rank is kept.
		ranks := w.get(t, rankwatch.Prefix+"/keywordtool/competitor-keywords?url=shop.site.com/a&location_id=2643743").Want(t, 200)
		if ranks.Text("keywords.0.kw") != "pizza" || ranks.At("keywords.0.position") != 2.0 || w.engine.searches("pizza") != 1 {
			t.Errorf("the page was not kept: %s", ranks.Raw)
		}
	})
}
