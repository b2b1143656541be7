package research

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/serp"
)

func TestTellingWords(t *testing.T) {
	t.Parallel()
	for kw, want := range map[string]string{
		"the best pizzas near me": "best pizza", "joe's café": "joe cafe", "near me": "near me", "???": "???", "pizza pizza": "pizza", "grass": "grass", "24/7 gym": "24 7 gym",
	} {
		if got := strings.Join(tellingWords(kw), " "); got != want {
			t.Errorf("words of %q: %q, want %q", kw, got, want)
		}
	}
}

func number(n int64) *int64 { return &n }

// The row to show has a volume, is of the nearest place, in the right language, one's own, the newest: in this order.
func TestBestFigures(t *testing.T) {
	t.Parallel()
	m, problems := newMarket(4191124, 1000) // Decatur, in Georgia, in the United States
	if len(problems) > 0 || !slices.Equal(m.around, []int{4191124, 4197000, 6252001, 0}) {
		t.Fatalf("%v %v", m.around, problems)
	}
	row := func(source string, place, language int, volume *int64, own bool, age int) figures {
		return figures{source: source, locationID: place, languageID: language, volume: volume, own: own, toldAt: today.Add(-time.Duration(age) * time.Hour)}
	}
	ordered := []figures{
		row("here", 4191124, 1000, number(1), true, 5),
		row("here, older", 4191124, 1000, number(1), true, 6),
		row("here, the operator's", 4191124, 1000, number(1), false, 1),
		row("here, any language", 4191124, 0, number(1), true, 1),
		row("state", 4197000, 1000, number(1), true, 1),
		row("country", 6252001, 1000, number(1), true, 1),
		row("anywhere", 0, 1000, number(1), true, 1),
		row("here, without a volume", 4191124, 1000, nil, true, 0),
	}
	foreign := []figures{row("another language", 4191124, 1001, number(9), true, 0), row("another place", 2643743, 1000, number(9), true, 0)}
	for i, want := range ordered {
		known := append(slices.Clone(foreign), ordered[i:]...)
		slices.Reverse(known)
		if best := m.best(known); best == nil || best.source != want.source {
			t.Errorf("best is %+v, want %s", best, want.source)
		}
	}
	if best := m.best(foreign); best != nil {
		t.Errorf("best of none is %+v", best)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	m, _ := newMarket(0, 0)
	k := describe("pizza", m, nil, nil)
	if k.Volume != nil || k.VolumeSource != 0 || k.VolumeMean != nil || k.CPC != nil || k.PPC != nil || len(k.Months) != 0 || k.Months == nil || k.ToldAt != 0 || k.Difficulty != nil || k.DifficultyAt != nil {
		t.Errorf("an unknown keyword has figures: %+v", k)
	}
	var months []serp.MonthDemand
	for i := range 14 {
		months = append(months, serp.MonthDemand{2025 + int64(i)/12, int64(i) % 12, int64(i)})
	}
	k = describe("pizza", m, []figures{{months: months, toldAt: today}}, &judgement{difficulty: 40, source: sourceSeen, at: today})
	if *k.VolumeMean != 8 || k.VolumeSource != 0 || k.ToldAt != today.Unix() || k.Volume != nil || *k.Difficulty != 40 || *k.DifficultyAt != today.Unix() {
		t.Errorf("%+v", k)
	}
}

func TestRelatedness(t *testing.T) {
	t.Parallel()
	r := newRelatives("best pizza decatur")
	r.addByWords("pizza decatur")                           // 2 of 3
	r.addByWords("pizza oven repair")                       // 1 of 5
	r.addByWords("shoes")                                   // nothing
	r.addByWords("best pizza decatur")                      // the seed itself
	r.addProposed([]string{"pizza oven repair", "calzone"}) // + 0.5
	seed := pageOf("best pizza decatur", "a.com", "b.com", "c.com", "d.com")
	r.addByResults(seed, []serp.Search{
		pageOf("same results", "d.com", "c.com", "b.com", "b.com", "z.com"), pageOf("same results", "a.com", "b.com", "c.com", "d.com"),
		pageOf("two shared", "a.com", "b.com", "a.com"), seed,
	})
	want := map[string]float64{"pizza decatur": 2.0 / 3, "pizza oven repair": 1.0/5 + 0.5, "calzone": 0.5, "same results": 0.4}
	for kw, score := range r.scores {
		if diff := score - want[kw]; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s: %v, want %v", kw, score, want[kw])
		}
	}
	if got := strings.Join(r.ordered(), ", "); got != "pizza oven repair, pizza decatur, calzone, same results" {
		t.Errorf("order %s", got)
	}
}

func FuzzTellingWords(f *testing.F) {
	for _, s := range []string{"best pizza", "joe's", "", "???", "ピザ", "a\xffb", "İstanbul"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range tellingWords(serp.NormalKeyword(s)) {
			if utf8.ValidString(s) && !utf8.ValidString(w) {
				t.Errorf("%q has the word %q", s, w)
			}
		}
	})
}
