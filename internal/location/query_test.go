package location

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]*query{
		"London":                  {words: []string{"london"}},
		" Saint-Étienne ,  FR":    {words: []string{"saint", "etienne"}, places: [][]string{{"fr"}}},
		"st. john's, nl, canada":  {words: []string{"st", "johns"}, places: [][]string{{"nl"}, {"canada"}}},
		", london , , uk,":        {words: []string{"london"}, places: [][]string{{"uk"}}},
		"東京、日本":                   {words: []string{"東京"}, places: [][]string{{"日本"}}},
		"x":                       nil,
		"--":                      nil,
		strings.Repeat("a", 101):  nil,
		strings.Repeat("é", 100):  {words: []string{strings.Repeat("e", 100)}},
		strings.Repeat("ab ", 12): {words: strings.Fields(strings.Repeat("ab ", 12))},
		strings.Repeat("ab ", 13): nil,
	} {
		got, ok := parse(text)
		if ok != (want != nil) || ok && !reflect.DeepEqual(got, *want) {
			t.Errorf("parse(%q) = %+v, %v; want %+v", text, got, ok, want)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	q, _ := parse("san jose california, usa")
	if name, where := q.split(2); name != "san jose" || !reflect.DeepEqual(where, [][]string{{"california"}, {"usa"}}) {
		t.Errorf("split = %q, %v", name, where)
	}
	if name, where := q.split(3); name != "san jose california" || !reflect.DeepEqual(where, [][]string{{"usa"}}) {
		t.Errorf("split = %q, %v", name, where)
	}
	if where, name := q.splitReversed(1); name != "jose california" || !reflect.DeepEqual(where, [][]string{{"san"}, {"usa"}}) {
		t.Errorf("splitReversed = %v, %q", where, name)
	}
	if whole := q.whole(); whole != "san jose california usa" || len(q.words) != 3 {
		t.Errorf("whole = %q, and left %v", whole, q.words)
	}
}

// Every word of a parsed query is folded text, and the parts hold all of the words in order.
func FuzzParse(f *testing.F) {
	f.Add("london, gb")
	f.Add(",;|，、،")
	f.Add("İß ﬁ'’ \u200b\xff")
	f.Fuzz(func(t *testing.T, text string) {
		q, ok := parse(text)
		if !ok {
			return
		}
		total := len(q.words)
		for _, words := range q.places {
			if len(words) == 0 {
				t.Errorf("%q has an empty part: %q", text, q.places)
			}
			total += len(words)
		}
		whole := q.whole()
		if len(q.words) == 0 || total > maxWords || len(strings.Fields(whole)) != total || !utf8.ValidString(whole) {
			t.Errorf("parse(%q) = %q, %q", text, q.words, q.places)
		}
	})
}
