package app_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

var market = providertest.Market(providertest.Decatur, 3)

func withMarket(s *apptest.Setup) {
	s.Options.Map.Provider = &providertest.Scripted{Place: providertest.Known(market), Map: providertest.NearestFirst(market)}
}

// fill gives an account records in every area and returns the URL of an image.
func fill(t *testing.T, p *apptest.Program, who *apptest.Account, side int) (location, picture string) {
	t.Helper()
	made := p.Do(t, apptest.Call{Method: "POST", Path: local.Prefix + "/locations", As: who, Body: map[string]any{
		"business_name": "Decatur Deli", "phone_number": "+1 404-555-0123", "country": "US", "region": "GA", "city": "Decatur", "zip": "30030",
		"address_line_1": "1 Main Street", "category_ids": []string{"amenity.fast_food.sandwich"},
	}}).Want(t, 200)
	location = local.Prefix + "/locations/" + made.Text("data.location_id")
	picture = p.Do(t, apptest.Call{Method: "POST", Path: location + "/images", As: who, Body: map[string]any{
		"type": "PHOTO", "content": drawn(t, side),
	}}).Want(t, 200).Text("data.url")
	p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", As: who, Body: map[string]any{"placeId": market[0].PlaceID, "keywords": []string{"pizza"}}}).Want(t, 200)
	p.Do(t, apptest.Call{Method: "POST", Path: rankwatch.Prefix + "/rankwatch/trackings", As: who, Body: map[string]any{
		"domain": "example.com", "location_id": 0, "platform_id": 1, "keywords": []string{"pizza"},
	}}).Want(t, 201)
	p.Do(t, apptest.Call{
		Method: "POST", Path: rankwatch.Prefix + "/keywordtool/keyword-imports?location_id=0&language_id=0", As: who,
		Header: http.Header{"Content-Type": {"text/csv"}}, Body: "Keyword,Avg. monthly searches\npizza,100\n",
	}).Want(t, 200)
	return location, picture
}

// drawn is a picture of a size, as it is sent.
func drawn(t *testing.T, side int) string {
	t.Helper()
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, image.NewGray(image.Rect(0, 0, side, side))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(encoded.Bytes())
}

func TestDeletedAccountLeavesNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		other := p.NewAccount(t, "other@trigpoint.example", "agency")
		_, mine := fill(t, p, &p.Owner, 720)
		otherLocation, others := fill(t, p, &other, 800)
		if err := p.DeleteAccount(t.Context(), p.Owner.ID); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{
			"credentials", "logins", "sessions", "one_time_links", "idempotency", "quota_months", "locations", "listings", "images", "campaigns", "campaign_access", "campaign_counts",
			"trackings", "tracked_keywords", "tags", "annotations", "keywords", "keyword_words", "serps", "searches", "provider_answers",
		} {
			if n, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT count(*) FROM "+table+" WHERE account_id = $1", p.Owner.ID); err != nil || n != 0 {
				t.Errorf("%s has %d rows of the deleted account, %v", table, n, err)
			}
		}
		for url, status := range map[string]int{mine: 404, others: 200} {
			res, err := http.Get(url)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if res.StatusCode != status {
				t.Errorf("the image %s answers %d, want %d", url, res.StatusCode, status)
			}
		}
		p.Do(t, apptest.Call{Method: "GET", Path: local.Prefix + "/locations"}).Want(t, 401)
		p.Do(t, apptest.Call{Method: "GET", Path: otherLocation, As: &other}).Want(t, 200)
		if err := p.DeleteAccount(t.Context(), p.Owner.ID); err == nil {
			t.Error("it was deleted twice")
		}
	}, withMarket)
}

func TestRotatedFeed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		location, _ := fill(t, p, &p.Owner, 720)
		feed := func() (url string) {
			p.Eventually(t, apptest.Call{Method: "GET", Path: location + "/listings"}, func(a *apptest.Answer) bool {
				for i := range a.Len("data") {
					at := a.Text("data." + string(rune('0'+i)) + ".url")
					if strings.Contains(at, "/feeds/") {
						url = at
					}
				}
				return url != ""
			})
			return url
		}
		get := func(url string) int {
			res, err := http.Get(url)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			return res.StatusCode
		}
		before := feed()
		if status := get(before); status != 200 {
			t.Fatalf("the feed answers %d", status)
		}
		if _, err := p.Accounts.RotateFeed(t.Context(), p.Owner.ID, p.Local.MoveFeed); err != nil {
			t.Fatal(err)
		}
		after := feed()
		if after == before || get(before) != 404 || get(after) != 200 {
			t.Errorf("%s answers %d, then %s %d", before, get(before), after, get(after))
		}
	}, withMarket)
}
