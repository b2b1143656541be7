package snapshot

import (
	"image"
	"image/color"
	"strconv"
)

// box is any item that is neither a result nor an ad: a label, its own text, and its parts.
func (p *painter) box(b block, y int) int {
	bottom := p.measure(func() int { return p.boxContent(b, y) })
	frame := image.Rect(margin, y, pageWidth-margin, bottom)
	p.border(frame, 18, panel)
	if b.Marked {
		p.fill(image.Rect(frame.Min.X, frame.Min.Y+18, frame.Min.X+8, frame.Max.Y-18), mark)
	}
	return p.boxContent(b, y)
}

func (p *painter) boxContent(b block, y int) int {
	x, right := margin+pad, pageWidth-margin-pad
	y += pad + 22
	p.text(p.badge, x, y, b.Label, muted, panel)
	if b.Marked {
		p.tracked(right, y-25, panel)
	}
	y += 4
	if b.Answer {
		y = p.paragraph(b.Text, x, right, y, 4, ink, panel)
	}
	if b.Title != "" {
		colour := ink
		if b.Href != "" {
			colour = blue
		}
		y += 40
		p.text(p.strong, x, y, p.strong.Clip(b.Title, right-x), colour, panel)
	}
	if b.URL != "" && b.URL != b.Title {
		y += 36
		p.text(p.small, x, y, p.small.Clip(b.URL, right-x), muted, panel)
	}
	if !b.Answer {
		y = p.paragraph(b.Text, x, right, y, 4, ink, panel)
	}
	for i, r := range b.Rows {
		y = p.row(b, r, i, x, right, y)
	}
	return y + pad
}

func (p *painter) row(b block, r row, i, x, right, y int) int {
	if b.Short {
		if i > 0 {
			p.fill(image.Rect(x, y+18, right, y+20), line)
		}
		y += 52
		p.text(p.body, x, y, p.body.Clip(r.Title, right-x), ink, panel)
		return y + 2
	}
	paper := panel
	y += 20
	if r.Marked {
		paper = markBg
		bottom := p.measure(func() int { return p.rowContent(b, r, x, right, y, paper) })
		p.round(image.Rect(x-14, y-2, right+14, bottom+14), 12, markBg, panel)
		p.tracked(right, y+12, paper)
	}
	return p.rowContent(b, r, x, right, y, paper)
}

func (p *painter) rowContent(b block, r row, x, right, y int, paper color.RGBA) int {
	if b.Numbered {
		colour := muted
		if r.Marked {
			colour = mark
		}
		p.text(p.strong, x, y+36, strconv.Itoa(r.Number), colour, paper)
		x += 44
	}
	end := right
	if r.Marked {
		end -= p.badge.Width("Tracked") + 56
	}
	y += 36
	p.text(p.strong, x, y, p.strong.Clip(r.Title, end-x), ink, paper)
	if r.Text != "" {
		y += 36
		p.text(p.body, x, y, p.body.Clip(r.Text, right-x), ink, paper)
	}
	if r.URL != "" && r.URL != r.Title {
		y += 34
		p.text(p.small, x, y, p.small.Clip(r.URL, right-x), muted, paper)
	}
	return y
}
