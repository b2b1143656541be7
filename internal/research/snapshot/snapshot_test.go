package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func samplePage(results int) Page {
	page := Page{
		Query: "best pizza", Location: "Decatur, Georgia", Device: "Desktop", Taken: time.Date(2026, 3, 4, 9, 12, 0, 0, time.UTC),
		Items: []Item{
			{Type: "ADV_TOP", URL: "https://ad.example/", Title: "An advertisement", Description: "Buy now."},
			{Type: "FEATURED_SNIPPET", URL: "https://guide.example/", Title: "Guide", Description: "The answer."},
			{Type: "LOCAL_PACK", Items: []Item{{URL: "https://ours.example/", Title: "Ours"}, {Title: "Theirs"}}},
			{Type: "SIMILAR_QUESTIONS", Items: []Item{{Title: "Who bakes?"}}},
			{Type: "KNO_GRAPH", Title: "Pizza", Description: "A dish."},
			{Type: "AI_OVERVIEW", Description: "Generated."},
			{Type: "HOLOGRAM", Title: "From the future"},
		},
	}
	for i := range results {
		page.Items = append(page.Items, Item{
			Type: "ORGANIC", Rank: i + 1, URL: fmt.Sprintf("https://site%d.example/page", i+1),
			Title: fmt.Sprintf("Result %d", i+1), Description: "Words about it. " + strings.Repeat("More words. ", i%30),
		})
	}
	return page
}

func ours(url string) bool { return strings.Contains(url, "ours.example") }

func draw(t testing.TB, page Page, marked func(string) bool) *image.Paletted {
	t.Helper()
	img, err := render(page, marked)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// pixels counts those of one colour.
func pixels(img *image.Paletted, want color.RGBA) int {
	n := 0
	for i, c := range img.Palette {
		if c == want {
			n += bytes.Count(img.Pix, []byte{byte(i)})
		}
	}
	return n
}

func TestDrawWritesPNG(t *testing.T) {
	t.Parallel()
	page := samplePage(2)
	var buf bytes.Buffer
	if err := Draw(&buf, page, ours); err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(&buf)
	if err != nil {
		t.Fatal(err)
	}
	want := draw(t, page, ours)
	if got, ok := got.(*image.Paletted); !ok || got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		t.Errorf("the picture written is %T of %v, not what was drawn", got, got.Bounds())
	}
}

func TestDrawMarksTheTrackedDomain(t *testing.T) {
	t.Parallel()
	page := samplePage(3)
	plain := draw(t, page, nil)
	if n := pixels(plain, markBg) + pixels(plain, mark); n != 0 {
		t.Errorf("%d marked pixels on a page without the domain", n)
	}
	inPack := pixels(draw(t, page, ours), markBg)
	page.Items = append(page.Items, Item{Type: "ORGANIC", Rank: 4, URL: "https://ours.example/menu", Title: "Our menu"})
	withResult := pixels(draw(t, page, ours), markBg)
	if inPack == 0 || withResult <= inPack {
		t.Errorf("marked pixels: %d in the map pack, %d with a result as well", inPack, withResult)
	}
	if pixels(plain, adBadge) == 0 {
		t.Error("the ad carries no badge")
	}
}

func TestEverythingMarkedStillFitsThePalette(t *testing.T) {
	t.Parallel()
	if n := pixels(draw(t, samplePage(30), func(string) bool { return true }), markBg); n == 0 {
		t.Error("nothing marked")
	}
}

func TestDrawIsBounded(t *testing.T) {
	t.Parallel()
	short := draw(t, samplePage(1), nil).Bounds()
	long := draw(t, samplePage(100), nil).Bounds()
	if short.Dx() != pageWidth || long.Dx() != pageWidth || short.Dy() >= long.Dy() || long.Dy() > maxHeight {
		t.Errorf("sizes %v and %v", short, long)
	}
	var tall Page
	for range 5000 {
		tall.Items = append(tall.Items, Item{
			Type: "OTHER", Title: strings.Repeat("W", 5000), Description: strings.Repeat("word ", 5000), Items: make([]Item, 500),
		})
	}
	if got := draw(t, tall, nil).Bounds(); got.Dy() > maxHeight {
		t.Errorf("height %d", got.Dy())
	}
	if got := draw(t, Page{}, nil).Bounds(); got.Dy() < 100 {
		t.Errorf("an empty page is %v", got)
	}
}

func TestViewCountsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	v := newView(samplePage(maxItems), nil)
	if len(v.Blocks) != maxItems || v.Left != 7 {
		t.Errorf("%d blocks, %d left", len(v.Blocks), v.Left)
	}
	full := 0
	for _, b := range v.Blocks {
		if b.Kind == resultKind {
			full++
		}
	}
	if full != fullResults {
		t.Errorf("%d results in full, want %d", full, fullResults)
	}
	if want := "Decatur, Georgia  ·  Desktop  ·  4 March 2026, 09:12 UTC  ·  250 results"; v.Meta != want {
		t.Errorf("meta %q, want %q", v.Meta, want)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		" a\n\tb\x00c ":          "a b c",
		"bad \xff bytes":         "bad bytes",
		"over\u202eride":         "override",
		"می\u200cخواهم":          "می\u200cخواهم",
		strings.Repeat("é", 700): strings.Repeat("é", maxText) + "…",
		strings.Repeat("é", 600): strings.Repeat("é", maxText),
		"":                       "",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%.20q) = %.40q, want %.40q", in, got, want)
		}
	}
}

func TestHTMLShowsEverythingAndEscapesIt(t *testing.T) {
	t.Parallel()
	const evil = `<script>alert("x")</script>`
	page := samplePage(25)
	page.Query = evil
	page.Items = append(page.Items,
		Item{Type: "ORGANIC", Rank: 26, URL: "javascript:alert(1)", Title: evil, Description: evil},
		Item{Type: "ORGANIC", Rank: 27, URL: "https://ours.example/menu", Title: "Our menu"},
	)
	var buf bytes.Buffer
	if err := WriteHTML(&buf, page, ours); err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(bytes.NewReader(buf.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	marked := 0
	for n := range doc.Descendants() {
		switch {
		case n.Type == html.TextNode:
			text.WriteString(n.Data + "\n")
		case n.Data == "script":
			t.Error("a script element")
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.Contains(a.Val, "javascript") {
				t.Errorf("attribute %s=%q", a.Key, a.Val)
			}
			if a.Key == "class" && strings.Contains(a.Val, "marked") {
				marked++
			}
		}
	}
	for _, want := range []string{
		evil, "Featured snippet", "The answer.", "Map results", "People also ask", "Who bakes?", "Knowledge panel", "AI overview",
		"Other", "From the future", "An advertisement", "Result 25", "site25.example/page", "Our menu",
	} {
		if !strings.Contains(text.String(), want+"\n") {
			t.Errorf("page lacks %q", want)
		}
	}
	if marked != 2 {
		t.Errorf("%d marked elements, want the map entry and the result", marked)
	}
}

func TestPolicyAllowsThePagesOwnStyle(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	if err := WriteHTML(&buf, samplePage(1), nil); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(buf.String(), "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	if hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(Policy(), hash) {
		t.Errorf("%s does not allow %s", Policy(), hash)
	}
}

func FuzzSnapshot(f *testing.F) {
	f.Add("pizza", "ORGANIC", "https://site.example/", "Title", "Text", 1)
	f.Add("\xff\x00", "LOCAL_PACK", "javascript:x", "漢字 🍕 ★", "שלום עולם", -5)
	f.Add("", "", "//", "", "", 1<<40)
	f.Fuzz(func(t *testing.T, query, kind, url, title, text string, rank int) {
		item := Item{Type: provider.ItemType(kind), Rank: rank, URL: url, Title: title, Description: text}
		item.Items = []Item{item}
		page := Page{Query: query, Items: []Item{item}}
		if _, err := render(page, func(string) bool { return rank%2 == 0 }); err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		if err := WriteHTML(&buf, page, nil); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	page := samplePage(100)
	b.ReportAllocs()
	for b.Loop() {
		var buf bytes.Buffer
		if err := Draw(&buf, page, ours); err != nil {
			b.Fatal(err)
		}
	}
}
