package provider_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestEnglishHours(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []provider.Span
		ok   bool
	}{
		{"Closed", nil, true},
		{"Open 24 hours", []provider.Span{{From: 0, To: 1440}}, true},
		{"7 AM–6 PM", []provider.Span{{From: 420, To: 1080}}, true},
		{"7\u202fAM–6\u202fPM", []provider.Span{{From: 420, To: 1080}}, true},
		{"9 AM to 4:30 PM", []provider.Span{{From: 540, To: 990}}, true},
		{"11:30 AM–2 PM, 5–10 PM", []provider.Span{{From: 690, To: 840}, {From: 1020, To: 1320}}, true},
		{"8 PM–2 AM", []provider.Span{{From: 1200, To: 1560}}, true},
		{"12 AM–12 PM", []provider.Span{{From: 0, To: 720}}, true},
		{"12 PM–12 AM", []provider.Span{{From: 720, To: 1440}}, true},
		{"09:00–17:30", []provider.Span{{From: 540, To: 1050}}, true},
		{"Mở cửa cả ngày", nil, false},
		{"Geschlossen", nil, false},
		{"7 AM", nil, false},
		{"25:00–26:00", nil, false},
		{"13 PM–14 PM", nil, false},
		{"7 AM–6 PM,", nil, false},
		{"", nil, false},
	} {
		week := map[string]string{}
		for day := range time.Weekday(7) {
			week[day.String()] = "Closed"
		}
		week["Thursday"] = c.text
		got := provider.EnglishHours(week)
		if (got != nil) != c.ok || (c.ok && !reflect.DeepEqual(got[time.Thursday], c.want)) {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestHoursOfAnUncertainWeekAreUnknown(t *testing.T) {
	t.Parallel()
	week := map[string]string{
		"wednesday": "Closed", "thursday (Thanksgiving)": "8 AM–1 PM", "friday": "Closed", "saturday": "Closed", "sunday": "Closed",
		"monday": "Closed", "tuesday": "Closed",
	}
	if h := provider.EnglishHours(week); h == nil || len(h[time.Thursday]) != 1 {
		t.Errorf("a day with a remark: %v", h)
	}
	delete(week, "monday")
	if h := provider.EnglishHours(week); h != nil {
		t.Errorf("six days: %v", h)
	}
	week["Montag"] = "Closed"
	if h := provider.EnglishHours(week); h != nil {
		t.Errorf("a day in another language: %v", h)
	}
}

func TestLongSpansAreCutIntoDays(t *testing.T) {
	t.Parallel()
	var h provider.Hours
	h.Add(time.Friday, 1200, 1560)         // into Saturday morning
	h.Add(time.Saturday, 1200, 1200+48*60) // until Monday evening
	want := provider.Hours{
		time.Sunday:   {{From: 0, To: 1440 + 1200}},
		time.Friday:   {{From: 1200, To: 1560}},
		time.Saturday: {{From: 1200, To: 1440}},
	}
	if !reflect.DeepEqual(h, want) {
		t.Errorf("%v, want %v", h, want)
	}
}
