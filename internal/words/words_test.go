package words_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/words"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Joe's Pizza":                    "joe pizza",
		"JOES PIZZAS":                    "joe pizza",
		"Joe’s":                          "joe",
		"O'Brien's Pub":                  "obrien pub",
		"L'Étoile d'Or":                  "l etoile d or",
		"Café Zürich":                    "cafe zurich",
		"Cafe\u0301":                     "cafe",
		"Smørrebrød Straße":              "smorrebrod strasse",
		"Łódź Ħamrun":                    "lodz hamrun",
		"bakeries dishes boxes":          "bakery dish box",
		"glass campus tennis":            "glass campus tennis",
		"ties gas bus":                   "tie gas bus",
		"churches classes":               "church class",
		"7-Eleven & Co. (24/7)":          "7 eleven co 24 7",
		"Ｆｕｌｌ width":                     "full width",
		"寿司屋":                            "寿司 司屋",
		"茶 bar":                          "茶 bar",
		"寿司bar24時":                       "寿司 bar24 時",
		"\u0623\u064e\u062d\u0645\u062f": "\u0627\u062d\u0645\u062f",
		"\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd": "\u05e9\u05dc\u05d5\u05dd",
		"":                       "",
		" \t'’ ":                 "",
		strings.Repeat("a", 100): strings.Repeat("a", words.MaxBytes),
		strings.Repeat("é", 100): strings.Repeat("e", words.MaxBytes),
		strings.Repeat("я", 100): strings.Repeat("я", words.MaxBytes/2),
		"पिज़्ज़ा":               "पिज़्ज़ा",
		"coffee\x00shop\xff":     "coffee shop",
	} {
		if got := strings.Join(slices.Collect(words.Of(text)), " "); got != want {
			t.Errorf("the words of %q are %q, want %q", text, got, want)
		}
	}
}

func TestTellingDropsFillerUnlessItIsAll(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"pizza near me":              "pizza",
		"the bed and breakfast":      "bed breakfast",
		"pizza Pizzas pizza":         "pizza",
		"near me":                    "near me",
		"what is the nearest bakery": "bakery",
		"":                           "",
	} {
		if got := strings.Join(words.Telling(words.Distinct(query), words.IsFiller), " "); got != want {
			t.Errorf("%q is told by %q, want %q", query, got, want)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, seed := range []string{"Joe's Pizza", "寿司屋さん", "Straße ’s", "\xff\x00'", "o'o'o", "ies sses", "ﷺ", "İıſK", "ピザbar"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := slices.Collect(words.Of(text))
		for _, w := range got {
			if w == "" || len(w) > words.MaxBytes || !utf8.ValidString(w) || strings.ContainsAny(w, " '’ABC") {
				t.Fatalf("word %q of %q", w, text)
			}
		}
		// What is stored must be found by the same words, whatever their case.
		ascii := !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
		if upper := slices.Collect(words.Of(strings.ToUpper(text))); ascii && !slices.Equal(upper, got) {
			t.Fatalf("%q: %q in upper case, %q as it is", text, upper, got)
		}
	})
}
