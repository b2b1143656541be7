package document

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/trigpoint/trigpoint/internal/typeface"
)

var lastDay = time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)

// keyword is a section as a campaign has for each of its keywords, with all that may be in it.
func keyword() Section {
	s := Section{
		Title: "pizza", NewPage: true,
		Figures: []Figure{{Name: "Average position", Value: "12.3"}, {Name: "Share of voice", Value: "100%", Change: Change{Text: "34.0 pts", Way: -1}}},
		Tables: []Table{{
			Title: "Who is ahead", Columns: []Column{{Name: "Business", Share: 1}, {Name: "Average position", Share: 1, Numbers: true}}, Note: "40 businesses were found for this keyword.",
		}},
	}
	for range 2 {
		s.Maps = append(s.Maps, Map{Title: "27 October 2026", Width: 1, Height: 1, Points: []Point{{0, 0, 1}, {1, 1, 20}}})
		s.Charts = append(s.Charts, Chart{Title: "Average position", Points: []Dated{{lastDay, 1}, {lastDay.AddDate(0, 0, 1), 2}}})
	}
	for i := range 9 {
		s.Tables[0].Rows = append(s.Tables[0].Rows, []Cell{Plain(fmt.Sprintf("Rival %d, whose name is so long that it takes two lines of its column", i)), Plain("3.4")})
	}
	return s
}

func written(t *testing.T, r *Report, paper Paper) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := r.PDF(&file, paper, nil); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestAKeywordTakesOnePage(t *testing.T) {
	t.Parallel()
	for _, paper := range []Paper{A4, Letter} {
		file := written(t, &Report{Title: "Pizzeria", To: lastDay, Sections: []Section{{Title: "Summary"}, keyword(), keyword()}}, paper)
		if pages := bytes.Count(file, []byte("<</Type /Page\n")); pages != 3 {
			t.Errorf("on %s a summary and two keywords take %d pages", paper, pages)
		}
	}
}

// A long table never leaves a row or its note alone on a page.
func TestFewRowsStayTogether(t *testing.T) {
	t.Parallel()
	long := Table{Title: "Keywords", Columns: []Column{{Name: "Keyword", Share: 1}}, Note: "Some are left out."}
	for rows := range 60 {
		long.Rows = append(long.Rows, []Cell{Plain(fmt.Sprintf("keyword %d", rows))})
		r := &Report{Title: "example.com", To: lastDay, Sections: []Section{{Title: "Summary", Tables: []Table{long}}}}
		file := written(t, r, Letter)
		if pages := bytes.Count(file, []byte("<</Type /Page\n")); pages == 2 {
			if last := contents(t, file)[1]; bytes.Count(last, []byte("Tj")) < 1+3+1+2 {
				t.Errorf("of %d rows the second page has\n%s", len(long.Rows), last)
			}
			return
		}
	}
	t.Error("it never takes a second page")
}

// A heading stands above the first rows of its table, wherever on the page it comes.
func TestAHeadingIsNotAloneAtTheFootOfAPage(t *testing.T) {
	t.Parallel()
	r := &Report{Title: "example.com", To: lastDay}
	for i := range 40 {
		climbed := Table{Title: "Climbed", Columns: []Column{{Name: "Keyword", Share: 1}}}
		for row := range i + 1 {
			climbed.Rows = append(climbed.Rows, []Cell{Plain(fmt.Sprintf("row %d of %d", row, i))})
		}
		r.Sections = append(r.Sections, Section{Title: fmt.Sprintf("Winners %d", i), Lead: "They won.", Tables: []Table{climbed}})
	}
	pages := contents(t, written(t, r, A4))
	for i := range r.Sections {
		for _, page := range pages {
			if bytes.Contains(page, slices.Concat(inPDF(r.Sections[i].Title), []byte(")"))) && !bytes.Contains(page, inPDF(fmt.Sprintf("row %d of %d", min(i, 2), i))) {
				t.Errorf("%s stands without its rows", r.Sections[i].Title)
			}
		}
	}
}

// A column that needs more than its share has it from those that need less; what is too long all the same is broken where it may be.
func TestLongDomains(t *testing.T) {
	t.Parallel()
	domains := func(domain string) *Report {
		return &Report{Title: "Local search", To: lastDay, Sections: []Section{{Title: "Search ranks", Tables: []Table{{
			Columns: []Column{{Name: "Domain", Share: 3}, {Name: "Where", Share: 3}, {Name: "Keywords", Share: 1, Numbers: true}, {Name: "Visibility", Share: 1, Numbers: true}},
			Rows:    [][]Cell{{Plain(domain), Plain("London, desktop"), Plain("12"), Plain("34.5")}},
		}}}}}
	}
	for domain, lines := range map[string][]string{
		"the-very-best-bakery-of-shoreditch.example":                                          {"the-very-best-bakery-of-shoreditch.example"},
		"www.theverybestbakeryofallshoreditchsincetheyearof1897.breadandbutterandjam.example": {"www.theverybestbakeryofallshoreditchsincetheyearof1897.breadandbutterandjam.", "example"},
	} {
		page := contents(t, written(t, domains(domain), A4))[0]
		for _, line := range lines {
			if !bytes.Contains(page, slices.Concat([]byte("("), inPDF(line), []byte(")"))) {
				t.Errorf("%s has no line %q", domain, line)
			}
		}
	}
}

var stream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)

// contents are the pages of a PDF, in its language.
func contents(t *testing.T, file []byte) (pages [][]byte) {
	t.Helper()
	for _, packed := range stream.FindAllSubmatch(file, -1) {
		r, err := zlib.NewReader(bytes.NewReader(packed[1]))
		if err != nil {
			continue // a font or a picture
		}
		if content, err := io.ReadAll(r); err == nil && bytes.Contains(content, []byte(" Tj")) {
			pages = append(pages, content)
		}
	}
	return pages
}

func TestABrandIsNamedInFull(t *testing.T) {
	t.Parallel()
	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewGray(image.Rect(0, 0, 320, 80))); err != nil {
		t.Fatal(err)
	}
	r := &Report{Title: "Pizzeria", From: lastDay.AddDate(0, 0, -29), To: lastDay, Brand: Brand{Name: "Spółka z ograniczoną odpowiedzialnością Łódź", Logo: logo.Bytes()}}
	if page := contents(t, written(t, r, A4))[0]; !bytes.Contains(page, inPDF("odpowiedzialnością Łódź")) {
		t.Error("the name of the brand is cut")
	}
}

// inPDF is a text as a PDF has it.
func inPDF(text string) (units []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		units = append(units, byte(unit>>8), byte(unit))
	}
	return units
}

// What no font has is told, and an ellipsis stands for it.
func TestWhatNoFontHasIsLeftOut(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	left, err := (&Report{Title: "(דמשק) Łódź", To: lastDay}).PDF(&file, A4, typeface.NewFolder("", slog.New(slog.DiscardHandler)))
	if err != nil || string(left) != "דמקש" {
		t.Errorf("left out: %q, %v", string(left), err)
	}
	if page := contents(t, file.Bytes())[0]; !bytes.Contains(page, inPDF("…")) {
		t.Error("nothing stands for it")
	}
}
