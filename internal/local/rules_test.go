package local

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
)

var testDay = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestPhonesOfTheWorld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number, country string
		want            bool
	}{
		{"+1 404-555-0123", "US", true},
		{"(404) 555-0123", "US", true},
		{"404.555.0123 ext. 7", "US", true},
		{"020 7946 0018", "GB", true},
		{"+49 30 901820", "DE", true},
		{"030 901820", "DE", true},
		{"+44 20 7946 0018", "US", true}, // a number of another country, written out
		{"12", "US", false},
		{"phone", "US", false},
		{"", "US", false},
		{"+1 404-555-01234567890", "US", false},
		{strings.Repeat("1", 300), "US", false},
		{"555-0123", "", false},
	} {
		if got := possiblePhone(c.number, c.country); got != c.want {
			t.Errorf("%q in %s: %v", c.number, c.country, got)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]bool{
		"www.test.com": true, "test.com/menu?x=1": true, "http://test.com": true, "https://tëst.com/": true, "HTTPS://TEST.com": true,
		"javascript:alert(1)": false, "ftp://test.com": false, "localhost": false, "two words.com": false, "http://": false, "https://user:pw@test.com": false, "//test.com": false, ".": false,
	} {
		if got := validLink(link); got != want {
			t.Errorf("%q: %v", link, got)
		}
	}
}

func TestAddressRulesByCountry(t *testing.T) {
	t.Parallel()
	page, _, _ := category.List("AE", 1, 0)
	for country, want := range map[string]string{"US": "region zip", "AE": "", "HK": "", "DE": "zip", "IN": "region zip"} {
		p := directory.Profile{BusinessName: "A", PhoneNumber: "+1 404-555-0123", Country: country, City: "C", AddressLine1: "1", CategoryIDs: []string{page[0].ID}}
		var fields []string
		for _, d := range check(&p, nil, HourTypes, testDay) {
			fields = append(fields, d.Field)
		}
		if got := strings.Join(fields, " "); got != want {
			t.Errorf("%s misses %q, want %q", country, got, want)
		}
	}
}

// A stored date that has passed since must not stop an update of something else.
func TestReopenDateIsCheckedWhenItIsSet(t *testing.T) {
	t.Parallel()
	p := directory.Profile{ReopenDate: "2026-03-02"}
	has := func(changed bool) bool {
		for _, d := range check(&p, map[string]bool{"reopen_date": changed}, HourTypes, testDay) {
			if d.Field == "reopen_date" {
				return true
			}
		}
		return false
	}
	if !has(true) || has(false) {
		t.Error("today is not in the future, and matters only when it is set")
	}
}

func clockTime(minutes int) string {
	minutes %= dayMinutes
	return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60)
}

func TestMinutesReadWhatTheClockPrints(t *testing.T) {
	t.Parallel()
	for m := range dayMinutes {
		if got, ok := parseMinutes(clockTime(m)); !ok || got != m {
			t.Fatalf("%s: %d %v", clockTime(m), got, ok)
		}
	}
	for _, bad := range []string{"", "9:00", "24:00", "12:60", "12:0a", "１２:00", "12-00", "12:000", "-1:00"} {
		if _, ok := parseMinutes(bad); ok {
			t.Errorf("%q was read", bad)
		}
	}
}

// Two ranges of a day overlap exactly when some minute belongs to both, counted one by one.
func TestOverlapIsWhatCountingMinutesSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		minute := rapid.IntRange(0, dayMinutes-1)
		ranges := make(directory.Ranges, 2)
		open := map[int]int{}
		for i := range ranges {
			from, to := minute.Draw(t, "from"), minute.Draw(t, "to")
			ranges[i] = directory.Range{From: clockTime(from), To: clockTime(to)}
			for m := from; ; m++ {
				open[m]++
				if (m+1)%dayMinutes == to {
					break
				}
			}
		}
		want := false
		for _, n := range open {
			want = want || n > 1
		}
		var problems errs.Problems
		checkRanges(&problems, "day", ranges)
		if got := len(problems) > 0; got != want {
			t.Fatalf("%v: overlap %v, want %v", ranges, got, want)
		}
	})
}

// Whatever week passes the rules survives its JSON, with all seven days there.
func TestWeekRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var w directory.Week
		if err := json.Unmarshal(fmt.Appendf(nil, `{"monday_hours":[{"from":%q,"to":%q}]}`, clockTime(rapid.IntRange(0, 1439).Draw(t, "f")), clockTime(rapid.IntRange(0, 1439).Draw(t, "t"))), &w); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(w)
		if err != nil || strings.Count(string(text), "_hours") != 7 || strings.Contains(string(text), "null") {
			t.Fatalf("%s %v", text, err)
		}
	})
}

func FuzzHours(f *testing.F) {
	f.Add("09:00", "17:00")
	f.Add("22:00", "02:00")
	f.Add("", ":")
	f.Fuzz(func(t *testing.T, from, to string) {
		s, ok := parseSpan(directory.Range{From: from, To: to})
		if ok && (s.from < 0 || s.from >= dayMinutes || s.to <= s.from || s.to > s.from+dayMinutes) {
			t.Fatalf("%q to %q is %v", from, to, s)
		}
	})
}

func FuzzMask(f *testing.F) {
	f.Add("business_name,city")
	f.Add(",, city , city")
	f.Fuzz(func(t *testing.T, mask string) {
		names, problems := ParseMask(mask)
		if len(names) == 0 && len(problems) == 0 {
			t.Fatal("neither a name nor a problem")
		}
		if again, more := ParseMask(strings.Join(names, ",")); len(names) > 0 && (len(more) > 0 || len(again) != len(names)) {
			t.Fatalf("%q is not stable", mask)
		}
	})
}

func FuzzPhone(f *testing.F) {
	f.Add("+1 404-555-0123", "US")
	f.Add("٠١٢٣٤٥٦٧٨٩", "EG")
	f.Fuzz(func(_ *testing.T, number, country string) { possiblePhone(number, country) })
}

func FuzzPicture(f *testing.F) {
	f.Add("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", "PHOTO")
	f.Add("/9j/4AAQSkZJRgABAQEAYABgAAD/2Q==", "COVER")
	f.Fuzz(func(t *testing.T, content, kind string) {
		var problems errs.Problems
		if pic := readPicture(&problems, content, kind); (pic == nil) == (len(problems) == 0) {
			t.Fatal("either a picture or a problem")
		}
	})
}
