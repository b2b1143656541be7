package document

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/typeface"
)

// Stretches stand as a browser puts them into a page that runs from left to right.
func TestStretchesInOrder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Café شاورما 24/7":      "Café |24/7|<شاورما ",
		"שלום 24 Pizza (בית)":   "24|<שלום | Pizza (|<בית|)",
		"مطعم 24 ساعة (وسط) ٢٤": "٢٤|< ساعة (وسط) |24|<مطعم ",
		"מסעדת ranks 3.2":       "<מסעדת| ranks 3.2",
		"plain":                 "plain",
		"":                      "",
	} {
		var all []string
		for _, s := range inOrder(text) {
			s.text = strings.ReplaceAll(s.text, leftToRight, "")
			switch {
			case s.leftwards:
				all = append(all, "<"+s.text)
			case s.text != "":
				all = append(all, s.text)
			}
		}
		if got := strings.Join(all, "|"); got != want {
			t.Errorf("%s stands as %s, want %s", text, got, want)
		}
	}
}

// Letters of a script that has to be laid out are drawn by others, from left to right, and are copied as they were.
func TestScriptsAreLaidOut(t *testing.T) {
	t.Parallel()
	fonts := typeface.NewFolder("../../typeface/testdata", slog.New(slog.DiscardHandler))
	var file bytes.Buffer
	left, err := (&Report{Title: "(شاورما) ★", To: lastDay, Sections: []Section{{Title: "चाट"}}}).PDF(&file, A4, fonts)
	if err != nil || string(left) != "★" {
		t.Fatalf("left out: %q, %v", string(left), err)
	}
	page := contents(t, file.Bytes())[0]
	as := func(letter string) []byte { return fmt.Appendf(nil, "<FEFF%s>", inUTF16(letter)) }
	at := 0 // some letters are drawn as they stand alone
	for _, letter := range [][]byte{as("ا"), as("م"), inPDF("ر"), inPDF("و"), as("ا"), as("ش"), as("चा"), inPDF("ट")} {
		next := bytes.Index(page[at:], letter)
		if next < 0 {
			t.Fatalf("%q does not follow in\n%q", letter, page[at:])
		}
		at += next + len(letter)
	}
	if !bytes.Contains(page, inPDF("…")) || bytes.Contains(page, inPDF("شا")) {
		t.Error("what no font has is drawn, or letters are not joined")
	}
}

// A text is cut behind a whole letter, and goes on where its letters run to.
func TestCutText(t *testing.T) {
	t.Parallel()
	if got := letterEnds("भंडा"); !slices.Equal(got, []int{len("भं"), len("भंडा")}) {
		t.Errorf("letters end at %v", got)
	}
	for text, want := range map[string]string{"شاور": "شاور…" + rightToLeft, "שלום 24": "שלום 24…" + rightToLeft, "Pizza": "Pizza…", "24": "24…"} {
		if got := withEllipsis(text); got != want {
			t.Errorf("%q goes on as %q", text, got)
		}
	}
}
