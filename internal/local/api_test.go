package local_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/local"
)

const base = local.Prefix

// someCategory is any category of the catalogue of the country.
func someCategory(t testing.TB, country string) string {
	t.Helper()
	page, _, ok := category.List(country, 1, 0)
	if !ok || len(page) == 0 {
		t.Fatalf("no categories in %s", country)
	}
	return page[0].ID
}

// valid is a body that a create accepts.
func valid(t testing.TB) map[string]any {
	return map[string]any{
		"business_name": "Decatur Deli", "phone_number": "+1 404-555-0123", "country": "US", "region": "GA",
		"city": "Decatur", "zip": "30030", "address_line_1": "1 Main Street", "category_ids": []string{someCategory(t, "US")},
	}
}

func with(body map[string]any, name string, value any) map[string]any {
	body[name] = value
	return body
}

func create(t testing.TB, p *apptest.Program, body map[string]any) string {
	t.Helper()
	return p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations", Body: body}).Want(t, 200).Text("data.location_id")
}

func published(t testing.TB, p *apptest.Program, id string) *apptest.Answer {
	t.Helper()
	return p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id}, func(a *apptest.Answer) bool {
		return a.Text("data.location_status") == "COMPLETED"
	})
}

func TestLifeOfALocation(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		made := p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations", Body: with(valid(t), "description", "")}).Want(t, 200)
		id := made.Text("data.location_id")
		if made.Text("data.location_status") != "PROCESSING" || made.At("meta.validate_only") != false || made.At("data.frozen") != false || len(id) != 32 {
			t.Fatalf("create answered %s", made.Raw)
		}
		if got := made.Text("data.submit_date"); got != "2026-03-03T11:44:43.19" {
			t.Errorf("submit_date %s", got)
		}
		if made.At("data.description") != nil || made.Len("data.errors") != 0 || made.At("data.suppress_address") != false {
			t.Errorf("fields without a value are not as the contract says: %s", made.Raw)
		}
		published(t, p, id)

		changed := p.Do(t, apptest.Call{
			Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=business_name,website_url,city,website_url&update_mask=city",
			Body: map[string]any{"business_name": "New Deli", "website_url": "www.test.com", "zip": "99999"},
		}).Want(t, 200)
		if changed.Text("data.business_name") != "New Deli" || changed.Text("data.website_url") != "www.test.com" ||
			changed.Text("data.zip") != "30030" || changed.Text("data.city") != "Decatur" || changed.Text("data.location_status") != "PROCESSING" || changed.Len("meta.update_mask") != 3 {
			t.Errorf("update answered %s", changed.Raw)
		}
		published(t, p, id)

		cleared := p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=website_url", Body: `{"website_url":null}`}).Want(t, 200)
		if cleared.At("data.website_url") != nil {
			t.Errorf("null did not clear: %s", cleared.Raw)
		}
		required := p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=business_name", Body: `{"business_name":null}`}).Want(t, 400)
		if required.Text("error.details.0.error_status") != "BUSINESS_NAME_NOT_SPECIFIED" {
			t.Errorf("clearing a required field answered %s", required.Raw)
		}

		list := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations?location_statuses=COMPLETED&location_statuses=PROCESSING&frozen=false"}).Want(t, 200)
		if list.Len("data") != 1 || list.At("meta.total") != 1.0 || list.At("meta.limit") != 50.0 || list.At("meta.offset") != 0.0 {
			t.Errorf("list answered %s", list.Raw)
		}
		if none := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations?frozen=true"}); none.Len("data") != 0 {
			t.Errorf("frozen=true answered %s", none.Raw)
		}

		gone := p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 200)
		if data, ok := gone.At("data").(map[string]any); !ok || len(data) != 0 {
			t.Errorf("delete answered %s", gone.Raw)
		}
		p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id}).Want(t, 404)
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 404)
	}, func(s *apptest.Setup) {
		s.Options.Clock = clock.NewFake(time.Date(2026, 3, 3, 11, 44, 43, 190_456_789, time.UTC))
	})
}

func TestCreateReportsEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		answer := p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations", Body: `{
			"business_name": 7, "phone_number": "12", "country": "US", "category_ids": ["nope"], "description": "short",
			"website_url": "not a url", "coordinates": {"latitude": 91, "longitude": 0}, "suppress_address": true,
			"business_hours": {"monday_hours": [{"from":"09:00","to":"12:00"},{"from":"11:00","to":"13:00"}], "sunday_hours": [{"from":"9","to":"10:00"}]},
			"special_hours": [{"type":"RANGE","day":"2026-02-30","times":[]}], "payment_options": ["BARTER"],
			"more_hours": [{"type":"NAP","hours":{}}], "reopen_date": "2001-01-01"}`}).Want(t, 400)
		want := map[string]string{
			"business_name": "INVALID_TYPE", "phone_number": "PHONE_INVALID", "region": "REGION_NOT_SPECIFIED", "city": "CITY_NOT_SPECIFIED",
			"zip": "ZIP_NOT_SPECIFIED", "address_line_1": "ADDRESS_NOT_SPECIFIED", "category_ids[0]": "CATEGORY_UNKNOWN", "description": "TOO_SHORT",
			"website_url": "URL_INVALID", "coordinates.latitude": "COORDINATES_INVALID", "suppress_address": "SERVICE_AREA_REQUIRED",
			"business_hours.monday_hours[1]": "HOURS_OVERLAP", "business_hours.sunday_hours[0]": "HOURS_INVALID",
			"special_hours[0].day": "SPECIAL_HOURS_INVALID", "special_hours[0].times": "SPECIAL_HOURS_INVALID",
			"payment_options[0]": "PAYMENT_OPTION_UNKNOWN", "more_hours[0].type": "MORE_HOURS_TYPE_UNKNOWN", "more_hours[0].hours": "NOT_SPECIFIED", "reopen_date": "REOPEN_DATE_INVALID",
		}
		got := problems(t, answer)
		for field, status := range want {
			if got[field] != status {
				t.Errorf("%s: %q, want %s", field, got[field], status)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d problems, want %d: %s", len(got), len(want), answer.Raw)
		}
		if list := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations"}); list.Len("data") != 0 {
			t.Errorf("a refused location was stored: %s", list.Raw)
		}
	})
}

func problems(t testing.TB, a *apptest.Answer) map[string]string {
	t.Helper()
	var body struct {
		Error struct {
			Details []struct {
				Field  string `json:"field"`
				Status string `json:"error_status"`
			} `json:"details"`
		} `json:"error"`
	}
	a.Into(t, &body)
	found := map[string]string{}
	for _, d := range body.Error.Details {
		found[d.Field] = d.Status
	}
	return found
}

func TestUpdateMask(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, valid(t))
		for query, status := range map[string]string{
			"": "UPDATE_MASK_NOT_SPECIFIED", "?update_mask=": "INVALID_PARAMETER", "?update_mask=,,": "UPDATE_MASK_NOT_SPECIFIED",
			"?update_mask=country": "UPDATE_MASK_INVALID", "?update_mask=city,nonsense": "UPDATE_MASK_INVALID", "?update_mask=location_id": "UPDATE_MASK_INVALID",
		} {
			answer := p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + query, Body: `{"city":"Atlanta"}`}).Want(t, 400)
			if got := answer.Text("error.details.0.error_status"); got != status {
				t.Errorf("%q: %s, want %s", query, got, status)
			}
		}
		rehearsed := p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=city&validate_only=true", Body: `{"city":"Atlanta"}`}).Want(t, 200)
		if rehearsed.Text("data.city") != "Atlanta" {
			t.Errorf("the rehearsal answered %s", rehearsed.Raw)
		}
		if kept := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id}); kept.Text("data.city") != "Decatur" {
			t.Errorf("validate_only stored the change: %s", kept.Raw)
		}
	})
}

func TestValidateOnlyStoresNothingAndTakesNoPlace(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for range 3 { // more than the plan has room for
			answer := p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations?validate_only=true", Body: valid(t), Header: http.Header{"Idempotency-Key": {"k"}}}).Want(t, 200)
			if answer.At("meta.validate_only") != true || answer.At("data.location_id") != nil || answer.At("data.location_status") != nil || answer.At("data.submit_date") != nil {
				t.Fatalf("rehearsal answered %s", answer.Raw)
			}
		}
		create(t, p, valid(t))
		full := p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations", Body: valid(t)}).Want(t, 403)
		if full.Text("error.details.0.error_status") != "LOCATION_LIMIT_REACHED" {
			t.Errorf("over the plan answered %s", full.Raw)
		}
		p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations?validate_only=true", Body: valid(t)}).Want(t, 403)
	}, func(s *apptest.Setup) { s.Config.Plans = `{"agency":{"locations":1,"rate":0}}` })
}

func TestListPagesInOrder(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		now := p.Clock.(*clock.Fake)
		var ids []string
		for range 7 {
			ids = append(ids, create(t, p, valid(t)))
			now.Advance(time.Second)
		}
		var seen []string
		for offset := 0; offset < 9; offset += 3 {
			page := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations?limit=3&offset=" + string(rune('0'+offset))}).Want(t, 200)
			for i := range page.Len("data") {
				seen = append(seen, page.Text("data."+string(rune('0'+i))+".location_id"))
			}
		}
		slices.Reverse(ids) // newest first
		if !slices.Equal(seen, ids) {
			t.Errorf("the pages have %v, want %v", seen, ids)
		}
		for _, query := range []string{"limit=0", "limit=51", "offset=-1", "limit=x", "location_statuses=NEW", "frozen=1", "frozen=", "offset=99999999999999999999"} {
			p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations?" + query}).Want(t, 400)
		}
		if far := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations?offset=9223372036854775807"}).Want(t, 200); far.Len("data") != 0 {
			t.Errorf("a huge offset answered %s", far.Raw)
		}
		both := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations?limit=0&offset=-1"}).Want(t, 400)
		if both.Len("error.details") != 2 {
			t.Errorf("two problems gave %s", both.Raw)
		}
	}, func(s *apptest.Setup) { s.Options.Clock = clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) })
}

func TestPlanDropFreezesTheOldestAndRaiseThaws(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		now := p.Clock.(*clock.Fake)
		var ids []string
		for range 7 {
			ids = append(ids, create(t, p, valid(t)))
			now.Advance(time.Second)
		}
		for _, id := range ids {
			published(t, p, id)
		}
		frozen := func() (n int) {
			for i, id := range ids {
				got := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id})
				if got.At("data.frozen") == true {
					n++
					if i >= n {
						t.Errorf("location %d is frozen before an older one", i)
					}
				}
			}
			return n
		}
		if err := p.SetPlan(t.Context(), p.Owner.ID, "free"); err != nil {
			t.Fatal(err)
		}
		if n := frozen(); n != 2 {
			t.Fatalf("%d frozen, want the 2 over the plan's 5", n)
		}
		if told := p.Told(t, "location.frozen", nil); told.Len("data") != 2 || told.Text("data.0.data.business_name") == "" {
			t.Errorf("told of the frozen: %s", told.Raw)
		}
		if told := p.Told(t, "account.changed", nil); told.Len("data") != 1 || told.Text("data.0.data.plan") != "free" {
			t.Errorf("told of the plan: %s", told.Raw)
		}
		answer := p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + ids[0] + "?update_mask=city", Body: `{"city":"Atlanta"}`}).Want(t, 409)
		if answer.Text("error.details.0.error_status") != "LOCATION_FROZEN" {
			t.Errorf("editing a frozen location answered %s", answer.Raw)
		}
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + ids[6]}).Want(t, 200)
		ids = ids[:6]
		if n := frozen(); n != 1 {
			t.Fatalf("%d frozen after a place became free, want 1", n)
		}
		if err := p.SetPlan(t.Context(), p.Owner.ID, "pro"); err != nil {
			t.Fatal(err)
		}
		if n := frozen(); n != 0 {
			t.Fatalf("%d frozen after the plan was raised", n)
		}
		if told := p.Told(t, "location.thawed", nil); told.Len("data") != 2 {
			t.Errorf("told of the thawed: %s", told.Raw)
		}
	}, func(s *apptest.Setup) {
		s.Options.Clock = clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		s.Plan = "pro"
	})
}

func TestIdempotencyKeyReturnsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		now := p.Clock.(*clock.Fake)
		key := http.Header{"Idempotency-Key": {"order-1"}}
		call := apptest.Call{Method: "POST", Path: base + "/locations", Body: valid(t), Header: key}
		first := p.Do(t, call).Want(t, 200)
		again := p.Do(t, call).Want(t, 200)
		if first.Text("data.location_id") != again.Text("data.location_id") {
			t.Fatalf("the same key made two locations")
		}
		call.Body = with(valid(t), "city", "Atlanta")
		if other := p.Do(t, call).Want(t, 409); other.Text("error.details.0.error_status") != "IDEMPOTENCY_KEY_REUSED" {
			t.Errorf("another body answered %s", other.Raw)
		}
		other := p.NewAccount(t, "other@trigpoint.example", "agency")
		call.As = &other
		p.Do(t, call).Want(t, 200) // another account's key is another key
		now.Advance(25 * time.Hour)
		call.As = nil
		p.Do(t, call).Want(t, 200) // after a day the key is free
		if list := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations"}); list.At("meta.total") != 2.0 {
			t.Errorf("stored %v", list.At("meta.total"))
		}
	}, func(s *apptest.Setup) { s.Options.Clock = clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) })
}

func TestCatalogues(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		all := p.Do(t, apptest.Call{Method: "GET", Path: base + "/categories?country=US"}).Want(t, 200)
		if all.Len("data") < 100 || all.At("meta.limit") != 1000.0 || all.At("meta.total").(float64) < 100 {
			t.Errorf("%d categories", all.Len("data"))
		}
		second := p.Do(t, apptest.Call{Method: "GET", Path: base + "/categories?country=US&limit=1&offset=1"}).Want(t, 200)
		if second.Text("data.0.id") != all.Text("data.1.id") || second.Len("data") != 1 {
			t.Errorf("offset answered %s", second.Raw)
		}
		for _, query := range []string{"", "?country=", "?country=XX", "?country=us", "?country=US&limit=1001", "?country=US&offset=-1"} {
			p.Do(t, apptest.Call{Method: "GET", Path: base + "/categories" + query}).Want(t, 400)
		}
		id := create(t, p, valid(t))
		hours := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/more-hour-types"}).Want(t, 200)
		if hours.Len("data.more_hour_types") != 12 || hours.Text("data.more_hour_types.0") != "SENIOR_HOURS" || hours.Text("data.more_hour_types.11") != "PRAYER_GENERAL" {
			t.Errorf("hour types %s", hours.Raw)
		}
		pay := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/payment-options"}).Want(t, 200)
		if !strings.Contains(string(pay.Raw), `["CASH","CREDIT_CARD","DEBIT_CARD","NFC_MOBILE_PAYMENTS"]`) {
			t.Errorf("payment options %s", pay.Raw)
		}
	})
}

func TestEmptyValuesClearFieldsOfEveryType(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		body := with(valid(t), "business_hours", map[string]any{"monday_hours": []map[string]string{{"from": "09:00", "to": "17:00"}}})
		body["coordinates"] = map[string]float64{"latitude": 1, "longitude": 2}
		id := create(t, p, body)
		for _, empty := range []string{`{"business_hours":[],"coordinates":""}`, `{"business_hours":null,"coordinates":null}`, `{"business_hours":{},"coordinates":{}}`} {
			cleared := p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=business_hours,coordinates", Body: empty}).Want(t, 200)
			if cleared.At("data.business_hours") != nil || cleared.At("data.coordinates") != nil {
				t.Errorf("%s left %s", empty, cleared.Raw)
			}
			p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=business_hours,coordinates", Body: body}).Want(t, 200)
		}
	})
}

// A fault of one field is not reported as faults of those that depend on it.
func TestFaultsThatOnlyFollowAreNotReported(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		body := with(valid(t), "country", "Atlantis")
		got := problems(t, p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations", Body: body}).Want(t, 400))
		if len(got) != 1 || got["country"] != "COUNTRY_UNKNOWN" {
			t.Errorf("an unknown country gave %v", got)
		}
		body = with(valid(t), "business_hours", 5)
		body["special_hours"] = []map[string]any{{"type": "CLOSED", "day": "2030-01-01"}}
		got = problems(t, p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations", Body: body}).Want(t, 400))
		if len(got) != 1 || got["business_hours"] != "INVALID_TYPE" {
			t.Errorf("mistyped hours gave %v", got)
		}
		got = problems(t, p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/x?update_mask=nonsense", Body: `{"city":5}`}).Want(t, 400))
		if got["city"] != "INVALID_TYPE" || got["update_mask"] != "UPDATE_MASK_INVALID" {
			t.Errorf("a bad mask hid %v", got)
		}
	})
}

func TestQueryThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for _, query := range []string{"validate_only=true%", "validate_only=%zz"} {
			p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations?" + query, Body: valid(t)}).Want(t, 400)
		}
		if list := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations"}); list.Len("data") != 0 {
			t.Errorf("stored %s", list.Raw)
		}
		both := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations?limit=0&frozen=maybe"}).Want(t, 400)
		if both.Len("error.details") != 2 {
			t.Errorf("two problems gave %s", both.Raw)
		}
	})
}
