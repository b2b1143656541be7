package placeindex

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Joe's Pizza":               "joe pizza",
		"JOES PIZZAS":               "joe pizza",
		"Joe’s":                     "joe",
		"O'Brien's Pub":             "obrien pub",
		"L'Étoile d'Or":             "l etoile d or",
		"Café Zürich":               "cafe zurich",
		"Cafe\u0301":                "cafe",
		"Smørrebrød Straße":         "smorrebrod strasse",
		"Łódź":                      "lodz",
		"bakeries dishes boxes":     "bakery dish box",
		"glass campus tennis":       "glass campus tennis",
		"ties gas bus":              "tie gas bus",
		"churches classes":          "church class",
		"7-Eleven & Co. (24/7)":     "7 eleven co 24 7",
		"Ｆｕｌｌ width":                "full width",
		"寿司屋":                       "寿司 司屋",
		"茶 bar":                     "茶 bar",
		"":                          "",
		" \t'’ ":                    "",
		strings.Repeat("a", 100):    strings.Repeat("a", maxToken),
		"पिज़्ज़ा":                  "पिज़्ज़ा",
		"coffee\x00shop\xff":        "coffee shop",
		strings.Repeat("word ", 90): strings.TrimSpace(strings.Repeat("word ", maxTokens)),
	} {
		if got := phrase(tokens(text)); got != want {
			t.Errorf("tokens(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMeaningfulDropsFillerUnlessItIsAll(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"best pizza near me":         "pizza",
		"places to eat in Decatur":   "eat decatur",
		"the bed and breakfast":      "bed breakfast",
		"The Best":                   "the best",
		"open now":                   "open now",
		"closest local coffee shops": "coffee shop",
	} {
		if got := phrase(meaningful(tokens(query))); got != want {
			t.Errorf("%q means %q, want %q", query, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"Joe's Pizza", "寿司屋さん", "Straße ’s", "\xff\x00'", "o'o'o", "ies sses", "ﷺ", "İıſK"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := tokens(text)
		if len(got) > maxTokens {
			t.Fatalf("%d tokens", len(got))
		}
		for _, w := range got {
			if w == "" || len(w) > maxToken || !utf8.ValidString(w) || strings.ContainsAny(w, " '’ABC") {
				t.Fatalf("token %q of %q", w, text)
			}
		}
		// What is indexed must be found by the same words, whatever their case.
		if upper := tokens(strings.ToUpper(text)); isASCII(text) && !slices.Equal(upper, got) {
			t.Fatalf("%q: %q in upper case, %q as it is", text, upper, got)
		}
	})
}
