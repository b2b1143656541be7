package research_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/research/snapshot"
)

// wholePage has an item of every type.
func wholePage() provider.WebPage {
	total := int64(12_300)
	page := provider.WebPage{Pages: 1, Related: []string{"Pizza  Oven"}, Total: &total}
	for _, kind := range provider.ItemTypes() {
		item := provider.WebItem{Type: kind, Title: "A " + string(kind), URL: "https://site.example/" + strings.ToLower(string(kind)), Domain: "site.example"}
		switch kind {
		case provider.Organic:
			item.Rank = 1
		case provider.SimilarQueries:
			item.Items = []provider.WebItem{{Type: kind, Title: "pizza dough"}}
		case provider.LocalPack:
			item.Items = []provider.WebItem{{Type: kind, Title: "Joe's", URL: "https://joes.example/", Domain: "joes.example"}}
		}
		page.Items = append(page.Items, item)
	}
	return page
}

func TestSerpIsCachedForADay(t *testing.T) {
	t.Parallel()
	webs := fleet(func() *providertest.Scripted { return scripted(wholePage()) })
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		now, web := p.Clock.(*clock.Fake), webs.of(p)
		first := get(t, p, "/serpcheck/serps", "kw", " Best  Pizza", "location_id", "4191124").Want(t, 200)
		if first.Text("kw") != "best pizza" || first.At("location_id") != float64(decatur) || first.Text("location.label") != "Decatur, Georgia, United States" ||
			first.At("platform_id") != 1.0 || first.At("created_at") != float64(now.Now().Unix()) || first.At("results") != 12300.0 || first.At("serp_results") != 1.0 || first.At("page") != 0.0 || first.Len("items") != len(provider.ItemTypes()) ||
			first.Len("ctr") != 20 || first.At("ctr.0") != 0.2823 || first.Text("serp_snapshot_id") != first.Text("_id") || first.At("serpFeaturesImpact") != 90.0 {
			t.Errorf("%s", first.Raw)
		}
		if first.At("rank") != nil || first.At("rank_updated_at") != nil {
			t.Errorf("a difficulty without data: %v", first.At("rank"))
		}
		if first.At("items.0.rank") != 1.0 || first.At("items.0.ctr") != 0.2823 || first.At("items.1.rank") != nil || first.At("items.1.ctr") != nil || first.Text("items.4.items.0.title") != "Joe's" {
			t.Errorf("items %s", first.Raw)
		}
		again := get(t, p, "/serpcheck/serps", "kw", "best pizza", "location_id", "4191124", "platform_id", "1").Want(t, 200)
		if !bytes.Equal(first.Raw, again.Raw) || web.Calls() != 1 {
			t.Errorf("asked %d times; the second answer is\n%s", web.Calls(), again.Raw)
		}
		mobile := get(t, p, "/serpcheck/serps", "kw", "best pizza", "location_id", "4191124", "platform_id", "2").Want(t, 200)
		elsewhere := get(t, p, "/serpcheck/serps", "kw", "best pizza").Want(t, 200)
		if web.Calls() != 3 || mobile.Text("_id") == elsewhere.Text("_id") || elsewhere.Text("location.label") != "Anywhere" {
			t.Errorf("asked %d times for three searches", web.Calls())
		}
		now.Advance(24 * time.Hour)
		next := get(t, p, "/serpcheck/serps", "kw", "best pizza", "location_id", "4191124").Want(t, 200)
		if web.Calls() != 4 || next.Text("_id") == first.Text("_id") {
			t.Errorf("a day later: asked %d times", web.Calls())
		}
		get(t, p, "/serpcheck/serps/"+first.Text("_id")+"/snapshot").Want(t, 200)
	}, webs.setup)
}

func TestSerpBelongsToItsAccount(t *testing.T) {
	t.Parallel()
	webs := fleet(func() *providertest.Scripted { return scripted(wholePage()) })
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		mine := get(t, p, "/serpcheck/serps", "kw", "pizza").Want(t, 200)
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "pro")
		for _, accept := range []string{"application/json", "text/html"} {
			a := p.Do(t, apptest.Call{Method: "GET", Path: base + "/serpcheck/serps/" + mine.Text("_id") + "/snapshot", As: &stranger, Header: http.Header{"Accept": {accept}}})
			if a.Want(t, 404).Text("error.type") != "Error" {
				t.Errorf("%s", a.Raw)
			}
		}
		p.Clock.(*clock.Fake).Advance(time.Hour) // what is fresh for one account tells another nothing
		theirs := p.Do(t, apptest.Call{Method: "GET", Path: address("/serpcheck/serps", "kw", "pizza"), As: &stranger}).Want(t, 200)
		if theirs.Text("_id") == mine.Text("_id") || theirs.At("created_at") != float64(start.Add(time.Hour).Unix()) || webs.of(p).Calls() != 2 {
			t.Errorf("another account gets a page of %v after %d calls", theirs.At("created_at"), webs.of(p).Calls())
		}
		p.Do(t, apptest.Call{Method: "GET", Path: base + "/serpcheck/serps/" + theirs.Text("_id") + "/snapshot", As: &stranger}).Want(t, 200)
		for _, id := range []string{"x", strings.Repeat("0", 32), strings.Repeat("z", 5000), "%00", "a%2Fb"} {
			get(t, p, "/serpcheck/serps/"+id+"/snapshot").Want(t, 404)
		}
	}, webs.setup)
}

func TestSerpDifficulty(t *testing.T) {
	t.Parallel()
	webs := fleet(func() *providertest.Scripted {
		return scripted(organic("https://top.example/", "https://www.mid.example/x", "https://unknown.example/"))
	})
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		// Authorities: 100 for the first, 100*(1-3/7) for the thousandth, nothing known of the third.
		list := "1,top.example\n1000,mid.example\n"
		before := get(t, p, "/serpcheck/serps", "kw", "pizza").Want(t, 200)
		if before.At("rank") != nil {
			t.Errorf("rank %v", before.At("rank"))
		}
		importDomains(t, p, "tranco", list)
		after := get(t, p, "/serpcheck/serps", "kw", "pizza").Want(t, 200)
		// (2*57.142857 + 1*100)/3 = 71.43
		if after.At("rank") != 71.0 || after.At("rank_updated_at") != after.At("created_at") || after.At("items.0.m.tranco.v.rank") != 1.0 || after.At("items.2.m.tranco") != nil {
			t.Errorf("%s", after.Raw)
		}
		keyword := get(t, p, "/keywordtool/related-keywords", "kw", "pizza").Want(t, 200)
		if keyword.At("keywords.0.seo") != 71.0 || keyword.At("keywords.0.seo_ts") != after.At("created_at") {
			t.Errorf("%s", keyword.Raw)
		}
		p.Clock.(*clock.Fake).Advance(time.Hour)
		importDomains(t, p, "tranco", "1000000,top.example\n")
		if a := get(t, p, "/serpcheck/serps", "kw", "pizza").Want(t, 200); a.At("rank") != nil || a.At("items.1.m.tranco") != nil {
			t.Errorf("a list that was replaced still counts: %s", a.Raw)
		}
	}, webs.setup)
}

func TestProviderFailuresStoreNothing(t *testing.T) {
	t.Parallel()
	failures := map[string]error{
		"refused key":   provider.Errorf(provider.Unauthorized, "Scripted", "Scripted refused the API key."),
		"no credits":    provider.Errorf(provider.QuotaSpent, "Scripted", "The account at Scripted has no credits left."),
		"never answers": provider.Errorf(provider.BadQuery, "Scripted", "Scripted has no mobile ranks."),
		"pause":         &provider.Error{Kind: provider.RateLimited, Provider: "Scripted", Message: "Scripted asks for fewer requests.", RetryAfter: 5 * time.Minute},
	}
	for name, failure := range failures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			web := &providertest.Scripted{Web: func(context.Context, provider.WebQuery) (provider.WebPage, error) { return provider.WebPage{}, failure }}
			apptest.Each(t, func(t *testing.T, p *apptest.Program) {
				a := get(t, p, "/serpcheck/serps", "kw", "pizza").Want(t, 424)
				if a.Text("error.type") != "FailedDependency" || a.Text("error.message") == "" {
					t.Errorf("%s", a.Raw)
				}
				if n := lookups(t, p); n != 0 {
					t.Errorf("%d look-ups were taken", n)
				}
				if retry, _ := a.At("error.retry_after").(float64); (name == "pause") != (retry > 0) {
					t.Errorf("retry_after %v", a.At("error.retry_after"))
				}
				for _, table := range []string{"serps", "searches", "keyword_words", "keywords"} {
					if n := rows(t, p, table); n != 0 {
						t.Errorf("%d rows in %s", n, table)
					}
				}
			}, with(web, nil))
		})
	}
}

// Equal questions at the same time are asked once, and the page is kept though the first client leaves.
func TestEqualQuestionsAreAskedOnce(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}, 8), make(chan struct{})
	web := &providertest.Scripted{Web: func(ctx context.Context, _ provider.WebQuery) (provider.WebPage, error) {
		arrived <- struct{}{}
		select {
		case <-release:
			return organic("https://a.example/"), nil
		case <-ctx.Done():
			return provider.WebPage{}, ctx.Err()
		}
	}}
	var once sync.Once
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		if p.DB.Dialect != db.SQLite {
			t.Skip("the engine makes no difference")
		}
		ctx, leave := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+address("/serpcheck/serps", "kw", "pizza"), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Access-Token", p.Owner.Key)
		left := make(chan struct{})
		go func() {
			defer close(left)
			if res, err := http.DefaultClient.Do(req); err == nil {
				_ = res.Body.Close()
			}
		}()
		<-arrived
		leave()
		<-left
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() { get(t, p, "/serpcheck/serps", "kw", "Pizza").Want(t, 200) })
		}
		once.Do(func() { close(release) })
		wait.Wait()
		if web.Calls() != 1 || rows(t, p, "serps") != 1 || lookups(t, p) != 1 {
			t.Errorf("asked %d times for %d look-ups, %d pages kept", web.Calls(), lookups(t, p), rows(t, p, "serps"))
		}
	}, with(web, nil))
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	webs := fleet(func() *providertest.Scripted { return scripted(wholePage()) })
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		path := "/serpcheck/serps/" + get(t, p, "/serpcheck/serps", "kw", "pizza <b>", "location_id", "4191124").Want(t, 200).Text("_id") + "/snapshot"
		plain := get(t, p, path).Want(t, 200)
		raw, err := base64.StdEncoding.DecodeString(plain.Text("image"))
		if err != nil {
			t.Fatal(err)
		}
		if picture, err := png.Decode(bytes.NewReader(raw)); err != nil || picture.Bounds().Dx() < 600 || picture.Bounds().Dy() < 600 {
			t.Errorf("not a picture of the page: %v", err)
		}
		if marked := get(t, p, path, "domain", "joes.example").Want(t, 200); marked.Text("image") == plain.Text("image") {
			t.Error("a marked domain changes nothing")
		}
		html := p.Do(t, apptest.Call{Method: "GET", Path: base + path + "?domain=joes.example", Header: http.Header{"Accept": {"text/html,application/xhtml+xml;q=0.9"}}}).Want(t, 200)
		if !strings.HasPrefix(html.Header.Get("Content-Type"), "text/html") || html.Header.Get("Content-Security-Policy") != snapshot.Policy() {
			t.Errorf("headers %v", html.Header)
		}
		for _, part := range []string{"pizza &lt;b&gt;", "Decatur, Georgia", "Desktop", "4 March 2026", "A FEATURED_SNIPPET", "marked"} {
			if !strings.Contains(string(html.Raw), part) {
				t.Errorf("the page lacks %q", part)
			}
		}
		if a := p.Do(t, apptest.Call{Method: "GET", Path: base + path, Header: http.Header{"Accept": {"text/html;q=0.1, application/json"}}}).Want(t, 200); a.Text("image") == "" {
			t.Error("a client that prefers JSON gets none")
		}
		get(t, p, path, "domain", "not a domain").Want(t, 422)
	}, webs.setup)
}
