package local_test

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/connection"
	"github.com/trigpoint/trigpoint/internal/connection/connectiontest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/directory/businessprofile/profiletest"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// profileWorld is the program beside a fake Google.
type profileWorld struct {
	*apptest.Program
	google   *profiletest.Google
	consents *connectiontest.Google
	onMap    *worldMap
	clock    *clock.Fake
}

func eachWithProfiles(t *testing.T, test func(t *testing.T, w *profileWorld)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := &profileWorld{
			google: profiletest.Start(t), consents: connectiontest.Start(t), onMap: newWorldMap(),
			clock: clock.NewFake(time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)),
		}
		w.google.Admits = func(r *http.Request) bool { return w.consents.Admits(r, profiletest.Scope) }
		w.Program = apptest.Start(t, d, func(s *apptest.Setup) {
			w.consents.Configure(&s.Config)
			s.Config.BusinessProfileURL = w.google.URL
			s.Options.Clock, s.Options.Map.Provider = w.clock, w.onMap
		})
		test(t, w)
		w.wantNoSecrets(t)
	})
}

// wantNoSecrets looks for tokens in all that is kept of profiles.
func (w *profileWorld) wantNoSecrets(t *testing.T) {
	t.Helper()
	for _, query := range []string{
		"SELECT name || sent || media FROM business_profiles", "SELECT status || url || detail FROM listings",
		"SELECT CAST(args AS TEXT) FROM river_job",
	} {
		rows, err := db.All(t.Context(), w.DB, db.Value[string], query)
		if err != nil {
			t.Fatal(err)
		}
		for _, hidden := range w.consents.Secrets() {
			if slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, hidden) }) {
				t.Errorf("%s: a row holds a secret", query)
			}
		}
	}
}

func (w *profileWorld) connect(t *testing.T) {
	t.Helper()
	credential, err := connection.NewRefreshToken(w.consents.Grant(profiletest.Scope))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Connections.Connect(t.Context(), w.Owner.ID, connection.BusinessProfile, credential); err != nil {
		t.Fatal(err)
	}
}

func (w *profileWorld) await(t *testing.T, id string, holds func(listing) bool) listing {
	t.Helper()
	var last listing
	w.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/listings"}, func(*apptest.Answer) bool {
		last = listings(t, w.Program, id)["Google Business Profile"]
		return holds(last)
	})
	return last
}

func (w *profileWorld) patch(t *testing.T, id, mask string, body any) {
	t.Helper()
	w.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=" + mask, Body: body}).Want(t, 200)
}

// only is the one profile at Google.
func (w *profileWorld) only(t *testing.T) string {
	t.Helper()
	names := w.google.Profiles()
	if len(names) != 1 {
		t.Fatalf("profiles at Google: %v", names)
	}
	return names[0]
}

func cafe(t testing.TB) map[string]any {
	body := with(valid(t), "category_ids", []string{"amenity.cafe.coffee_shop"})
	body["business_hours"] = map[string]any{
		"monday_hours": []any{map[string]any{"from": "07:00", "to": "18:00"}}, "tuesday_hours": []any{map[string]any{"from": "00:00", "to": "00:00"}},
		"saturday_hours": []any{map[string]any{"from": "20:00", "to": "02:30"}},
	}
	return body
}

func TestBusinessProfileIsCreatedChangedAndLetGo(t *testing.T) {
	t.Parallel()
	eachWithProfiles(t, func(t *testing.T, w *profileWorld) {
		id := create(t, w.Program, cafe(t))
		l := w.await(t, id, isStatus("UNAVAILABLE"))
		if !strings.Contains(l.Detail, "is not connected with Google Business Profile") || !strings.Contains(l.Detail, "trigpoint google connect --service business-profile") {
			t.Errorf("before the account is connected: %+v", l)
		}
		if status := w.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id}).Text("data.location_status"); status != "COMPLETED" {
			t.Errorf("the location is %s", status)
		}

		w.connect(t)
		l = w.await(t, id, isStatus("SUBMITTED"))
		name := w.only(t)
		if !strings.Contains(l.Detail, "must verify the business") {
			t.Errorf("a profile that nobody has verified: %+v", l)
		}
		made := w.google.Profile(name)
		for _, part := range []string{
			`"storeCode":"` + id + `"`, `"name":"categories/gcid:coffee_shop"`, `"primaryPhone":"+1 404-555-0123"`, `"openInfo":{"status":"OPEN"}`,
			`{"closeDay":"SUNDAY","closeTime":{"hours":2,"minutes":30},"openDay":"SATURDAY","openTime":{"hours":20}}`,
			`{"closeDay":"TUESDAY","closeTime":{"hours":24},"openDay":"TUESDAY","openTime":{}}`,
		} {
			if !strings.Contains(made, part) {
				t.Errorf("the profile lacks %s: %s", part, made)
			}
		}
		if made := w.google.Log("POST /v1/accounts/"); len(made) != 1 || !strings.Contains(made[0], "accounts/1230000000000000002/") {
			t.Errorf("made by %v", made)
		}

		types := w.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/more-hour-types"})
		if types.Len("data.more_hour_types") != 3 || types.Text("data.more_hour_types.0") != "ACCESS" {
			t.Errorf("the types of hours of its category: %s", types.Raw)
		}
		w.patch(t, id, "more_hours,phone_number,payment_options", `{"phone_number":"+1 404-555-0199","payment_options":["DEBIT_CARD","CASH"],
			"more_hours":[{"type":"ACCESS","hours":{"monday_hours":[{"from":"06:00","to":"07:00"}]}}]}`)
		w.await(t, id, func(listing) bool { return strings.Contains(w.google.Payments(name), "pay_debit_card") })
		w.await(t, id, isStatus("SUBMITTED"))
		want := []string{
			"PATCH /v1/" + name + " moreHours,phoneNumbers.primaryPhone (validate)", "PATCH /v1/" + name + " moreHours,phoneNumbers.primaryPhone", "PATCH /v1/" + name + "/attributes",
		}
		if got := w.google.Log("PATCH"); !slices.Equal(got, want) {
			t.Errorf("changed by %q, want %q", got, want)
		}
		if paid := w.google.Payments(name); paid != `{"attributes/pay_debit_card":true,"attributes/pay_mobile_nfc":false}` {
			t.Errorf("payment attributes %s", paid)
		}

		w.google.Verify(name, "ChIJ-of-google")
		w.onMap.show("ChIJ-of-google", func(b *provider.Business) { b.Phone = "+1 404-555-0199" })
		w.clock.Advance(25 * time.Hour)
		if l = w.await(t, id, isStatus("CONNECTED")); l.URL != "https://maps.google.com/maps?cid=1111111111111111111" {
			t.Errorf("a verified profile: %+v", l)
		}
		awaitMap(t, w.Program, id, isStatus("CONNECTED")) // watched by the place id that Google told

		w.patch(t, id, "reopen_date", `{"reopen_date":"2026-03-10"}`)
		w.await(t, id, func(listing) bool { return strings.Contains(w.google.Profile(name), "CLOSED_TEMPORARILY") })
		w.await(t, id, isStatus("CONNECTED"))
		w.clock.Advance(6 * 24 * time.Hour)
		w.await(t, id, func(listing) bool { return strings.Contains(w.google.Profile(name), `"status":"OPEN"`) })
		l = w.await(t, id, isStatus("CONNECTED"))

		switchTo(t, w.Program, l, "disable", 200)
		w.await(t, id, isStatus("DISCONNECTED"))
		w.patch(t, id, "description", `{"description":"Nobody at Google reads this."}`)
		published(t, w.Program, id)
		switchTo(t, w.Program, l, "enable", 200)
		w.await(t, id, isStatus("CONNECTED"))
		w.only(t)

		w.consents.RevokeAll()
		w.patch(t, id, "city", `{"city":"Atlanta"}`)
		if l = w.await(t, id, isStatus("UNAVAILABLE")); !strings.Contains(l.Detail, "has ended") || !strings.Contains(l.Detail, "Connect it") {
			t.Errorf("after the owner has taken the access back: %+v", l)
		}
		w.connect(t)
		w.await(t, id, isStatus("CONNECTED"))
		if now := w.google.Profile(name); !strings.Contains(now, "Atlanta") {
			t.Errorf("what changed meanwhile was not told: %s", now)
		}

		w.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 200)
		w.awaitForgotten(t)
		w.only(t) // a verified profile stays with its owner
	})
}

// awaitForgotten waits until no profile is remembered.
func (w *profileWorld) awaitForgotten(t *testing.T) {
	t.Helper()
	w.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations"}, func(*apptest.Answer) bool {
		n, err := db.One(t.Context(), w.DB, db.Value[int64], "SELECT count(*) FROM business_profiles")
		if err != nil {
			t.Fatal(err)
		}
		return n == 0
	})
}

func TestBusinessProfileRefusesTheData(t *testing.T) {
	t.Parallel()
	eachWithProfiles(t, func(t *testing.T, w *profileWorld) {
		w.connect(t)
		w.google.Forbid("Best", "Must not advertise")
		id := create(t, w.Program, cafe(t))
		w.await(t, id, isStatus("SUBMITTED"))
		w.patch(t, id, "business_name", `{"business_name":"Best Deli"}`)
		l := w.await(t, id, isStatus("UNAVAILABLE"))
		if !strings.Contains(l.Detail, "title: Must not advertise") {
			t.Errorf("the listing says %q", l.Detail)
		}
		failed := w.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id})
		if failed.Text("data.location_status") != "FAILED" || !strings.Contains(failed.Text("data.errors.0.message"), "title: Must not advertise") {
			t.Errorf("the location: %s", failed.Raw)
		}
		if got := w.google.Log("PATCH"); len(got) != 1 || !strings.Contains(got[0], "(validate) refused") {
			t.Errorf("changed by %q", got)
		}
		w.consents.EndAccess() // before its time; another token is asked for
		w.patch(t, id, "business_name", `{"business_name":"Better Deli"}`)
		w.await(t, id, isStatus("SUBMITTED"))

		w.patch(t, id, "category_ids", `{"category_ids":["amenity.planetarium"]}`)
		if l = w.await(t, id, isStatus("UNAVAILABLE")); !strings.Contains(l.Detail, "Google has no category for Planetarium") {
			t.Errorf("a category that Google lacks: %q", l.Detail)
		}
		w.google.SetVoice(w.only(t), profiletest.Object{"complyWithGuidelines": profiletest.Object{"recommendationReason": "BUSINESS_LOCATION_SUSPENDED"}})
		w.patch(t, id, "category_ids", `{"category_ids":["amenity.cafe.coffee_shop"]}`)
		w.await(t, id, func(l listing) bool { return l.Status == "UNAVAILABLE" && strings.Contains(l.Detail, "suspended") })

		w.google.Fail("GET /v1/locations", 403, `{"error":{"code":403,"message":"The caller does not have permission","status":"PERMISSION_DENIED"}}`)
		w.google.Fail("GET /v1/locations", 403, `{"error":{"code":403,"message":"The caller does not have permission","status":"PERMISSION_DENIED"}}`)
		w.patch(t, id, "city", `{"city":"Atlanta"}`)
		w.await(t, id, func(l listing) bool {
			return l.Status == "UNAVAILABLE" && strings.Contains(l.Detail, "must be an owner or manager")
		})

		w.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 200)
		w.awaitForgotten(t)
		if left := w.google.Profiles(); len(left) != 0 {
			t.Errorf("the profile that we made and nobody verified is still there: %v", left)
		}
	})
}

func TestBusinessProfileIsMatchedAndNotDoubled(t *testing.T) {
	t.Parallel()
	eachWithProfiles(t, func(t *testing.T, w *profileWorld) {
		name := w.google.Add(profiletest.Object{
			"title": "DECATUR DELI", "phoneNumbers": profiletest.Object{"primaryPhone": "(404) 555-0123", "additionalPhones": []any{"(404) 555-0009"}}, "websiteUri": "https://owner.example/",
			"categories":        profiletest.Object{"primaryCategory": profiletest.Object{"name": "categories/gcid:coffee_shop", "displayName": "Coffee shop"}},
			"storefrontAddress": profiletest.Object{"regionCode": "US", "languageCode": "en", "postalCode": "30030", "administrativeArea": "GA", "locality": "Decatur", "addressLines": []any{"1 Main Street"}},
			"openInfo":          profiletest.Object{"status": "OPEN", "canReopen": true},
		})
		w.google.Add(profiletest.Object{"title": "Decatur Deli", "storeCode": "another", "phoneNumbers": profiletest.Object{"primaryPhone": "(404) 555-0123"}})
		w.connect(t)
		id := create(t, w.Program, cafe(t))
		w.await(t, id, isStatus("SUBMITTED"))
		if made := w.google.Log("POST /v1/accounts/"); len(made) != 0 {
			t.Errorf("a profile was made: %q", made)
		}
		want := "PATCH /v1/" + name + " regularHours,storeCode,title"
		if got := w.google.Log("PATCH"); len(got) != 2 || got[1] != want {
			t.Errorf("changed by %q, want %q", got, want)
		}
		if kept := w.google.Profile(name); !strings.Contains(kept, "owner.example") || !strings.Contains(kept, "555-0009") {
			t.Errorf("what the owner had written is gone: %s", kept)
		}
		w.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 200)
		w.awaitForgotten(t)
		if left := w.google.Profiles(); len(left) != 2 {
			t.Errorf("profiles that we did not make: %v", left)
		}

		w.google.Owned(profiletest.Object{"title": "Taken Deli", "phoneNumbers": profiletest.Object{"primaryPhone": "(404) 555-0123"}}, "https://business.google.com/arc/p/1")
		taken := create(t, w.Program, with(cafe(t), "business_name", "Taken Deli"))
		if l := w.await(t, taken, isStatus("UNAVAILABLE")); !strings.Contains(l.Detail, "https://business.google.com/arc/p/1") {
			t.Errorf("a business that somebody else manages: %+v", l)
		}
	})
}

func TestBusinessProfileIsMadeOnceThoughTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	eachWithProfiles(t, func(t *testing.T, w *profileWorld) {
		w.connect(t)
		for range 4 { // as often as one call tries
			w.google.Drop("POST /v1/accounts/1230000000000000002/locations")
		}
		id := create(t, w.Program, cafe(t))
		w.await(t, id, isStatus("SUBMITTED"))
		name := w.only(t)

		w.google.Drop("POST /v4/")
		add := func(seed uint64) string {
			return w.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/images", Body: map[string]any{"type": "PHOTO", "content": noise(t, seed)}}).Want(t, 200).Text("data.id")
		}
		first := add(1)
		w.await(t, id, func(listing) bool { return len(w.google.Pictures(name)) == 1 })
		w.await(t, id, isStatus("SUBMITTED"))
		add(2)
		w.await(t, id, func(listing) bool { return len(w.google.Pictures(name)) == 2 })
		w.await(t, id, isStatus("SUBMITTED"))
		small := w.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/images", Body: map[string]any{"type": "PHOTO", "content": b64(pngOf(t, 300, 300))}}).Want(t, 200)
		w.await(t, id, func(l listing) bool { return strings.Contains(l.Detail, "images not sent: 1") })
		w.Do(t, apptest.Call{Method: "DELETE", Path: base + "/images/" + small.Text("data.id")}).Want(t, 200)
		w.Do(t, apptest.Call{Method: "DELETE", Path: base + "/images/" + first}).Want(t, 200)
		w.await(t, id, func(listing) bool { return len(w.google.Pictures(name)) == 1 })
		if n := len(w.google.Log("POST /v4/")); n != 2 {
			t.Errorf("two pictures were sent %d times", n)
		}
	})
}

func TestBusinessProfileTakesTenEditsAMinute(t *testing.T) {
	t.Parallel()
	eachWithProfiles(t, func(t *testing.T, w *profileWorld) {
		id := create(t, w.Program, cafe(t))
		w.await(t, id, isStatus("UNAVAILABLE"))
		for seed := range uint64(11) {
			w.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/images", Body: map[string]any{"type": "PHOTO", "content": noise(t, seed)}}).Want(t, 200)
		}
		w.await(t, id, isStatus("UNAVAILABLE"))
		w.connect(t)
		w.await(t, id, func(listing) bool { return len(w.google.Log("POST /v4/")) == 9 }) // making the profile was the first
		if l := listings(t, w.Program, id)["Google Business Profile"]; l.Status != "PROCESSING" {
			t.Errorf("with pictures left to send: %+v", l)
		}
		w.clock.Advance(time.Minute)
		w.await(t, id, isStatus("SUBMITTED"))
		if n := len(w.google.Pictures(w.only(t))); n != 11 {
			t.Errorf("%d pictures arrived", n)
		}
	})
}

func TestBusinessProfileIsNotOfferedUnlessConfigured(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, cafe(t))
		published(t, p, id)
		if l, ok := listings(t, p, id)["Google Business Profile"]; ok {
			t.Errorf("listed as %+v", l)
		}
		types := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/more-hour-types"})
		if types.Len("data.more_hour_types") != 12 {
			t.Errorf("types of hours %s", types.Raw)
		}
	})
}

// noise is a picture that does not pack.
func noise(t testing.TB, seed uint64) string {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a picture, not a secret
	img := image.NewGray(image.Rect(0, 0, 300, 300))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32())
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, img); err != nil {
		t.Fatal(err)
	}
	return b64(encoded.Bytes())
}
