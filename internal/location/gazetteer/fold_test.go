package gazetteer_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"London":           "london",
		"MÜNCHEN":          "munchen",
		"Mu\u0308nchen":    "munchen",
		"Saint-Étienne":    "saint etienne",
		"St. John's":       "st johns",
		"Saint John’s":     "saint johns",
		"Washington, D.C.": "washington dc",
		"  a  --  b  ":     "a b",
		"Łódź":             "lodz",
		"Ærøskøbing":       "aeroskobing",
		"Gießen":           "giessen",
		"GIESSEN":          "giessen",
		"İstanbul":         "istanbul",
		"Diyarbakır":       "diyarbakir",
		"Đà Nẵng":          "da nang",
		"Hawaiʻi":          "hawaii",
		"Ta‘izz":           "taizz",
		"Þórshöfn":         "thorshofn",
		"Москва":           "москва",
		"Йошкар-Ола":       "иошкар ола",
		"東京":               "東京",
		"サッポロ":             "サッホロ",
		"서울":               "서울",
		"القاهرة":          "القاهرة",
		"Ⅳ ﬁ":              "iv fi",
		"５ｔｈ":              "5th",
		"zero\u200bwidth":  "zerowidth",
		"":                 "",
		"-.'":              "",
	} {
		if got := gazetteer.Fold(name); got != want {
			t.Errorf("Fold(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"London", "İßæŁ", "a\u0300", "\xff\x00", "ǅ", "ﷺ", "각", "ᄀ\u1161", "ΐ", "ﬃ", "º", "ſ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := gazetteer.Fold(s)
		if twice := gazetteer.Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, again %q", s, once, twice)
		}
		if !utf8.ValidString(once) || strings.Contains(once, "  ") || strings.TrimSpace(once) != once {
			t.Errorf("Fold(%q) = %q", s, once)
		}
	})
}
