package provider

import (
	"testing"
	"time"
	"unicode/utf8"
)

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"", "0", "120", "-5", "1e9", "99999999999999999999", "Mon, 02 Mar 2026 10:00:30 GMT", "Monday, 02-Mar-26 10:00:30 GMT", "Mon Mar  2 10:00:30 2026"} {
		f.Add(seed)
	}
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, header string) {
		if d := parseRetryAfter(header, now); d < 0 || d > maxRetryAfter {
			t.Errorf("%q asks for %s", header, d)
		}
	})
}

func FuzzClip(f *testing.F) {
	f.Add("two\nlines and \x00 more")
	f.Fuzz(func(t *testing.T, words string) {
		got := clip(words)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 201 {
			t.Errorf("%q", got)
		}
		for _, r := range got {
			if r < ' ' {
				t.Errorf("%q has a control character", got)
			}
		}
	})
}
