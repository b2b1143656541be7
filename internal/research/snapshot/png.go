package snapshot

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strconv"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/trigpoint/trigpoint/internal/typeface"
)

// Lengths are pixels of a picture at twice the usual density.
const (
	pageWidth = 1520
	maxHeight = 12_000
	margin    = 72
	gutter    = 76 // left of a result, for its rank
	pad       = 28 // inside boxes
	gap       = 44 // between items
	tight     = 14 // between compact lines
)

var (
	white   = color.RGBA{255, 255, 255, 255}
	panel   = color.RGBA{246, 248, 251, 255}
	line    = color.RGBA{217, 223, 231, 255}
	ink     = color.RGBA{38, 45, 54, 255}
	muted   = color.RGBA{98, 109, 122, 255}
	blue    = color.RGBA{26, 63, 178, 255}
	mark    = color.RGBA{14, 122, 83, 255}
	markBg  = color.RGBA{231, 246, 239, 255}
	adBadge = color.RGBA{154, 91, 0, 255}
)

// Draw writes a PNG of the page in which every URL that marked says yes to stands out. Results after
// the twentieth take one line each, and what does not fit in the height is counted at the end. The
// built-in fonts draw Latin, Greek and Cyrillic; other scripts, such as Chinese, show as boxes and
// right-to-left text is not reordered: WriteHTML shows those as they are.
func Draw(w io.Writer, page Page, marked func(url string) bool) error {
	img, err := render(page, marked)
	if err != nil {
		return err
	}
	if err := png.Encode(w, img); err != nil {
		return fmt.Errorf("writing the snapshot: %w", err)
	}
	return nil
}

func render(page Page, marked func(url string) bool) (*image.Paletted, error) {
	c := newCanvas(pageWidth)
	p, err := newPainter(c)
	if err != nil {
		return nil, err
	}
	v := newView(page, marked)
	height := p.page(v)
	c.start(height, white)
	p.page(v)
	return c.image(), c.err
}

// painter lays the page out. Its methods draw at a height and return where they ended; run while the
// canvas measures, they only tell the height.
type painter struct {
	*canvas
	query, title, strong, body, small, badge *typeface.Face
}

func newPainter(c *canvas) (*painter, error) {
	p := &painter{canvas: c}
	for _, f := range []struct {
		to   **typeface.Face
		ttf  []byte
		size float64
	}{
		{&p.query, goregular.TTF, 36},
		{&p.title, goregular.TTF, 36},
		{&p.strong, gobold.TTF, 28},
		{&p.body, goregular.TTF, 28},
		{&p.small, goregular.TTF, 25},
		{&p.badge, gobold.TTF, 22},
	} {
		var err error
		if *f.to, err = typeface.New(f.ttf, f.size); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *painter) page(v view) int {
	y := p.header(v, 52)
	for i, b := range v.Blocks {
		space := gap
		if b.Kind == compactKind && i > 0 && v.Blocks[i-1].Kind == compactKind {
			space = tight
		}
		bottom := p.measure(func() int { return p.block(b, y+space) })
		if bottom > maxHeight-160 { // room for the footer
			return p.footer(len(v.Blocks)-i+v.Left, y+gap)
		}
		y = p.block(b, y+space)
	}
	return p.footer(v.Left, y+gap)
}

func (p *painter) header(v view, y int) int {
	box := image.Rect(margin, y, pageWidth-margin, y+96)
	p.border(box, 48, white)
	p.lens(image.Pt(box.Min.X+58, box.Min.Y+44))
	p.text(p.query, box.Min.X+104, y+61, p.query.Clip(v.Query, box.Dx()-160), ink, white)
	y = box.Max.Y + 50
	p.text(p.small, margin+4, y, p.small.Clip(v.Meta, pageWidth-2*margin), muted, white)
	y += 30
	p.fill(image.Rect(margin, y, pageWidth-margin, y+2), line)
	return y
}

// lens draws the sign of a search box.
func (p *painter) lens(at image.Point) {
	p.round(image.Rect(at.X-16, at.Y-16, at.X+16, at.Y+16), 16, muted, white)
	p.round(image.Rect(at.X-11, at.Y-11, at.X+11, at.Y+11), 11, white, muted)
	for i := range 14 {
		p.fill(image.Rect(at.X+9+i, at.Y+9+i, at.X+14+i, at.Y+14+i), muted)
	}
}

func (p *painter) footer(left, y int) int {
	p.fill(image.Rect(margin, y, pageWidth-margin, y+2), line)
	note := "Drawn from the stored result page."
	if left > 0 {
		note = count(left, "more item") + " on this page not drawn.  " + note
	}
	p.text(p.small, margin+4, y+50, note, muted, white)
	return y + 92
}

func (p *painter) block(b block, y int) int {
	paper := white
	if b.Marked && b.Kind != boxKind {
		paper = markBg
		bottom := p.measure(func() int { return p.result(b, y, paper) })
		card := image.Rect(margin-28, y-18, pageWidth-margin+28, bottom+20)
		if b.Kind == compactKind {
			card.Min.Y, card.Max.Y = y-6, bottom+6
		}
		p.round(card, 12, markBg, white)
		p.fill(image.Rect(card.Min.X, card.Min.Y+12, card.Min.X+8, card.Max.Y-12), mark)
	}
	switch b.Kind {
	case compactKind:
		return p.compact(b, y, paper)
	case boxKind:
		return p.box(b, y)
	default:
		return p.result(b, y, paper)
	}
}

// result is an organic result or an ad.
func (p *painter) result(b block, y int, paper color.RGBA) int {
	if b.Kind == compactKind {
		return p.compact(b, y, paper)
	}
	x, right := margin+gutter, pageWidth-margin
	if b.Kind == adKind {
		p.chip("Ad", margin, y, adBadge, paper)
	} else {
		p.rank(b.Rank, y+26, b.Marked, paper)
	}
	urlRight := right
	if b.Marked {
		urlRight = p.tracked(right, y, paper)
	}
	p.text(p.small, x, y+26, p.small.Clip(b.URL, urlRight-x), muted, paper)
	y += 26
	for _, s := range p.title.Wrap(b.Title, right-x, 2) {
		y += 46
		p.text(p.title, x, y, s, blue, paper)
	}
	y += 4
	return p.paragraph(b.Text, x, right, y, 3, ink, paper)
}

// compact is an organic result in one line.
func (p *painter) compact(b block, y int, paper color.RGBA) int {
	x, right := margin+gutter, pageWidth-margin
	p.rank(b.Rank, y+26, b.Marked, paper)
	if b.Marked {
		right = p.tracked(right, y, paper)
	}
	urls := x + (pageWidth-margin-x)*11/20 // one column for all lines
	p.text(p.body, x, y+27, p.body.Clip(b.Title, urls-x-24), blue, paper)
	p.text(p.small, urls, y+26, p.small.Clip(b.URL, right-urls), muted, paper)
	return y + 34
}

// paragraph draws body text below y.
func (p *painter) paragraph(s string, x, right, y, lines int, ink, paper color.RGBA) int {
	wrapped := p.body.Wrap(s, right-x, lines)
	for _, s := range wrapped {
		y += 39
		p.text(p.body, x, y, s, ink, paper)
	}
	if len(wrapped) > 0 {
		y += 6
	}
	return y
}

func (p *painter) rank(rank, baseline int, marked bool, paper color.RGBA) {
	if rank < 1 {
		return
	}
	colour := muted
	if marked {
		colour = mark
	}
	s := strconv.Itoa(rank)
	p.text(p.strong, margin+gutter-28-p.strong.Width(s), baseline, s, colour, paper)
}

// tracked puts the chip of a marked result at the right and returns where the text must end.
func (p *painter) tracked(right, y int, paper color.RGBA) int {
	w := p.badge.Width("Tracked") + 32
	p.chip("Tracked", right-w, y, mark, paper)
	return right - w - 24
}

func (p *painter) chip(s string, x, y int, colour, paper color.RGBA) {
	p.round(image.Rect(x, y-3, x+p.badge.Width(s)+32, y+35), 10, colour, paper)
	p.text(p.badge, x+16, y+24, s, white, colour)
}

func (p *painter) border(r image.Rectangle, radius int, paper color.RGBA) {
	p.round(r, radius, line, white)
	p.round(r.Inset(2), radius-2, paper, line)
}
