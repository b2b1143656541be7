package maprank

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestInstants(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-03-03T11:44:43.66Z": "2026-03-03T11:44:43.66Z", "2026-03-03T11:44:43Z": "2026-03-03T11:44:43Z",
		"2026-03-03T11:44:43.123456+01:00": "2026-03-03T10:44:43.123456Z", "2026-03-03T11:44:43 01:00": "2026-03-03T10:44:43Z",
		"2026-03-03": "", "2026-03-03T11:44": "", "now": "", "": "", "0001-01-01T00:00:00Z": "", "9999-12-31T00:00:00Z": "",
	} {
		got, ok := parseInstant(text)
		if ok != (want != "") || ok && (Instant{got}).String() != want {
			t.Errorf("%q is %v %v, want %q", text, got, ok, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMicro(rapid.Int64Range(0, 4_000_000_000_000_000).Draw(t, "at"))
		if got, ok := parseInstant(Instant{at}.String()); !ok || !got.Equal(at) {
			t.Fatalf("%v came back as %v", at, got)
		}
	})
}

func FuzzParseInstant(f *testing.F) {
	f.Add("2026-03-03T11:44:43.66Z")
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := parseInstant(text); ok {
			if again, ok := parseInstant(Instant{got}.String()); !ok || !again.Equal(got) {
				t.Fatalf("%q is %v, printed and read again %v", text, got, again)
			}
		}
	})
}
