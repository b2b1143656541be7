package rankwatch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

func (w *world) used(t testing.TB, q account.Quota) int64 {
	t.Helper()
	u, err := w.Accounts.Usage(t.Context(), w.DB, w.Owner.ID, q)
	if err != nil {
		t.Fatal(err)
	}
	return u.Used
}

func (w *world) deleteTracking(t testing.TB, path string) {
	t.Helper()
	w.Do(t, apptest.Call{Method: "DELETE", Path: path}).Want(t, 204)
}

// Making and deleting a tracking over and over asks the provider once a keyword and day.
func TestATrackingMadeAgainIsNotCheckedAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.set(map[string]int{"pizza": 3})
		path, _ := w.track(t, "pizza", "soup")
		w.checked(t, path)
		for range 5 {
			w.deleteTracking(t, path)
			made := w.post(t, trackings, map[string]any{"domain": "site.com", "location_id": london, "platform_id": 1, "keywords": []string{"Pizza", "soup"}}).Want(t, 201)
			path = trackings + "/" + made.Text("tracking._id")
			if made.At("postponed_keywords") != 2.0 || made.At("keywords.0.rank") != 3.0 || made.Text("keywords.0.url") != "https://www.site.com/pizza" || made.At("estimatedTimeProcessing") != 0.0 {
				t.Fatalf("made again: %s", made.Raw)
			}
		}
		if n := w.engine.searches("pizza") + w.engine.searches("Pizza") + w.engine.searches("soup"); n != 2 || w.used(t, account.Lookups) != 2 {
			t.Errorf("%d searches and %d look-ups for two keywords", n, w.used(t, account.Lookups))
		}
		if k := w.stats(t, path, "").Keywords[0]; *k.Rank.Last != 3 || *k.LastCrawledAt != "2026-03-10" {
			t.Errorf("what was found is lost: %+v", k)
		}
		// Another target is another question, and is paid for.
		other := w.post(t, trackings, map[string]any{"domain": "other.com", "location_id": london, "platform_id": 1, "keywords": []string{"soup"}}).Want(t, 201)
		w.checked(t, trackings+"/"+other.Text("tracking._id"))
		if w.used(t, account.Lookups) != 3 {
			t.Errorf("%d look-ups", w.used(t, account.Lookups))
		}
		w.tomorrow()
		w.checked(t, path)
		if w.engine.searches("soup") < 3 || w.used(t, account.Lookups) != 3 {
			t.Errorf("daily checks: %d searches, %d look-ups", w.engine.searches("soup"), w.used(t, account.Lookups))
		}
	})
}

func TestFirstChecksEndWithThePlansLookUps(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, ids := w.track(t, "one", "two", "three")
		w.checked(t, path)
		refused := w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"four", "five"}}).Want(t, 429)
		if refused.Text("error.type") != "CreditLimit" || !strings.Contains(refused.Text("error.message"), "look-ups") {
			t.Errorf("over the look-ups: %s", refused.Raw)
		}
		if held := w.used(t, account.Keywords); held != 3 || w.used(t, account.Lookups) != 3 {
			t.Errorf("a refused addition holds %d keywords, %d look-ups", held, w.used(t, account.Lookups))
		}
		// What was checked today returns for nothing; what was not takes the last.
		w.removeKeywords(t, path, ids[0]).Want(t, 204)
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"one"}}).Want(t, 201)
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"four"}}).Want(t, 201)
		body := map[string]any{"domain": "other.com", "location_id": 0, "platform_id": 1, "keywords": []string{"x"}}
		w.post(t, trackings, body).Want(t, 429)
		if w.used(t, account.Trackings) != 1 || w.engine.searches("x") != 0 {
			t.Errorf("a refused tracking is held or was checked")
		}
		w.clock.Set(time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC))
		w.post(t, trackings, body).Want(t, 201)
	}, func(s *apptest.Setup) { s.Config.Plans = `{"agency":{"rate":0,"lookups":4}}` })
}

// After a downgrade the plan's number of keywords is checked a day, the newest; a raise brings the others
// back.
func TestADowngradeBoundsDailyChecks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, ids := w.track(t, "oldest", "older", "newer")
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"newest"}}).Want(t, 201)
		w.checked(t, path)
		if err := w.SetPlan(t.Context(), w.Owner.ID, "small"); err != nil {
			t.Fatal(err)
		}
		w.tomorrow()
		for _, id := range ids[:2] {
			w.keyword(t, path, id, func(k rankwatch.TrackedKeyword) bool { return strings.Contains(k.CheckError, "plan allows 2") })
		}
		w.keyword(t, path, ids[2], func(k rankwatch.TrackedKeyword) bool { return *k.LastCheckedAt == w.clock.Now().Unix() })
		if n := w.engine.searches("oldest") + w.engine.searches("older"); n != 2 {
			t.Errorf("keywords beyond the plan were searched %d times in two days", n)
		}
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"more"}}).Want(t, 429)
		if err := w.SetPlan(t.Context(), w.Owner.ID, "agency"); err != nil {
			t.Fatal(err)
		}
		w.tomorrow()
		for _, k := range w.checked(t, path) {
			if k.CheckError != "" {
				t.Errorf("%s: %s", k.Text, k.CheckError)
			}
		}
	}, func(s *apptest.Setup) {
		s.Config.Plans = `{"agency":{"rate":0},"small":{"trackings":1,"keywords":2,"lookups":100}}`
	})
}

// The limits are those at the moment of the change, and what is given back is there at once.
func TestPlacesAreCountedInTheTransaction(t *testing.T) {
	t.Parallel()
	const places, tries = 10, 30
	each(t, func(t *testing.T, w *world) {
		path, _ := w.track(t, "first")
		statuses := w.together(t, tries, func(i int) apptest.Call {
			return apptest.Call{Method: "POST", Path: path + "/tracked-keywords", Body: map[string]any{"keywords": []string{fmt.Sprintf("keyword %d", i)}}}
		})
		if statuses[201] != places-1 || statuses[429] != tries-places+1 || w.used(t, account.Keywords) != places {
			t.Errorf("answers %v, %d held of %d", statuses, w.used(t, account.Keywords), places)
		}
		w.deleteTracking(t, path)
		if w.used(t, account.Keywords) != 0 || w.used(t, account.Trackings) != 0 {
			t.Errorf("a deleted tracking holds %d keywords", w.used(t, account.Keywords))
		}
	}, func(s *apptest.Setup) { s.Config.Plans = fmt.Sprintf(`{"agency":{"rate":0,"keywords":%d}}`, places) })
}

func TestAPlatformThatNobodyChecksIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		body := map[string]any{"domain": "site.com", "location_id": 0, "platform_id": 2, "keywords": []string{"pizza"}}
		refused := w.post(t, trackings, body).Want(t, 422)
		if refused.Text("error.type") != "ValidationError" || !strings.Contains(refused.Text("error.errors.0"), "platform_id") {
			t.Errorf("mobile answered %s", refused.Raw)
		}
		body["platform_id"], body["location_id"] = 1, 4191124 // a town
		if refused := w.post(t, trackings, body).Want(t, 422); !strings.Contains(refused.Text("error.errors.0"), "whole countries only") {
			t.Errorf("a town answered %s", refused.Raw)
		}
		body["location_id"] = 0
		w.post(t, trackings, body).Want(t, 201)
	}, func(s *apptest.Setup) {
		s.Options.Web = &providertest.Scripted{Devices: []provider.Device{provider.Desktop}, Whole: true, Web: newEngine().search}
		s.NoWorker = true
	})
}
