package drawing

import "math"

const dishW, dishH = 960.0, 720.0

// table is the ground of a dish.
func table(colour, stripe uint32) canvas {
	c := newCanvas(dishW, dishH, colour)
	for i := range 6 {
		c.rect(stripe, 0, float64(i)*130, dishW, 8)
	}
	return c
}

// Sandwich draws a pastrami sandwich, as a PNG.
func Sandwich() ([]byte, error) {
	c := newCanvas(dishW, dishH, mint)
	c.rect(teal, 0, 560, dishW, 160)
	c.ellipse(deepTeal, 480, 600, 400, 50)
	c.ellipse(paper, 480, 584, 390, 50)
	c.ellipse(cream, 480, 578, 320, 34)
	c.round(crust, 240, 500, 480, 76, 10, 10, 36, 36)
	c.round(crumb, 240, 492, 480, 26, 10)
	for i := range 4 { // pastrami in folds
		c.wave(uint32([]int{ham, 0xc4616d, 0xe59aa2, 0xb9515f}[i]), 224, 404+float64(i)*22, 512, 14, 9-i%2, 26)
	}
	c.polygon(mustard, 230, 392, 730, 392, 700, 408, 560, 408, 490, 452, 420, 408, 260, 408)
	for i := range 4 {
		c.round(tomato, 236+float64(i)*124, 362, 116, 28, 12)
		c.round(0xe0644f, 244+float64(i)*124, 368, 100, 8, 4)
	}
	c.wave(leaf, 214, 340, 532, 16, 8, 34)
	c.wave(0x86b86a, 222, 332, 516, 10, 7, 28)
	c.round(crust, 236, 196, 488, 150, 150, 150, 14, 14)
	c.round(0xdca25c, 262, 208, 420, 60, 120, 120, 30, 30)
	for i := range 12 {
		x := 310 + float64(i%6)*66 + float64(i/6)*30
		c.ellipse(crumb, x, 232+float64(i/6)*38, 13, 7)
	}
	c.rect(brown, 476, 96, 8, 120)
	c.ellipse(leaf, 480, 120, 34, 26)
	c.circle(0x4f7d3c, 470, 114, 5)
	c.circle(0x4f7d3c, 492, 126, 5)
	c.round(leaf, 750, 520, 130, 46, 23)
	c.round(0x86b86a, 764, 528, 96, 12, 6)
	return c.png()
}

// Coffee draws a cup of coffee from above, as a PNG.
func Coffee() ([]byte, error) {
	c := table(blush, 0xeebb9c)
	c.circle(0xdba88a, 500, 390, 296)
	c.circle(paper, 490, 376, 292)
	c.circle(0xece2d0, 490, 376, 214)
	c.ellipse(paper, 712, 470, 92, 48)
	c.ellipse(0xece2d0, 712, 470, 58, 24)
	c.circle(paper, 490, 376, 196)
	c.circle(brown, 490, 376, 172)
	c.circle(0xa86b3c, 490, 376, 160)
	for i := range 4 { // a leaf of milk
		y := 300 + float64(i)*44
		half := 92 - float64(i)*14
		var o outline
		o.to(490, y+60)
		o.curve(490-half, y+30, 490-half, y-20, 490, y+10)
		o.curve(490+half, y-20, 490+half, y+30, 490, y+60)
		c.fill(cream, o)
		var in outline
		in.to(490, y+44)
		in.curve(490-half*0.6, y+26, 490-half*0.6, y, 490, y+22)
		in.curve(490+half*0.6, y, 490+half*0.6, y+26, 490, y+44)
		c.fill(0xa86b3c, in)
	}
	c.round(0xd5dbd9, 130, 160, 18, 420, 9)
	c.ellipse(0xd5dbd9, 139, 160, 34, 56)
	for _, at := range [][2]float64{{836, 140}, {880, 190}, {820, 216}} {
		c.ellipse(brown, at[0], at[1], 26, 18)
		c.ellipse(0x7a5138, at[0], at[1]-3, 20, 4)
	}
	return c.png()
}

// Bagels draws a board of bagels, as a PNG.
func Bagels() ([]byte, error) {
	c := newCanvas(dishW, dishH, teal)
	c.round(0xb98553, 70, 70, 820, 580, 46)
	c.round(0xc99764, 70, 70, 820, 566, 46)
	for i := range 4 {
		c.rect(0xba8858, 90, 190+float64(i)*120, 780, 5)
	}
	for i := range 6 {
		x, y := 224+float64(i%3)*256, 226+float64(i/3)*268
		c.circle(0xa97843, x+6, y+12, 112)
		c.circle(crust, x, y, 112)
		c.circle(0xdca25c, x-6, y-8, 94)
		c.circle(0xb57a3b, x, y, 40)
		c.circle(0xc08e5b, x, y+4, 34)
		for n := range 34 { // seeds
			turn := float64(n) * 2.39996
			far := 52 + 46*math.Abs(math.Sin(float64(n)*1.7+float64(i)))
			colour := uint32([]int{crumb, dark, paper}[i%3])
			c.ellipse(colour, x+far*math.Cos(turn), y+far*math.Sin(turn), 6, 4)
		}
	}
	return c.png()
}

// Soup draws a bowl of matzo ball soup, as a PNG.
func Soup() ([]byte, error) {
	c := table(butter, 0xf1cd74)
	c.ellipse(0xdcb85f, 480, 610, 330, 40)
	c.ellipse(paper, 480, 596, 330, 40)
	var bowl outline
	bowl.to(180, 380)
	bowl.curve(190, 540, 320, 600, 480, 600)
	bowl.curve(640, 600, 770, 540, 780, 380)
	c.fill(rust, bowl)
	c.rect(brick, 214, 458, 532, 16)
	c.ellipse(brick, 480, 380, 300, 84)
	c.ellipse(0xf0b54a, 480, 378, 274, 68)
	for _, at := range [][3]float64{{380, 366, 62}, {520, 352, 70}, {610, 392, 52}} {
		c.circle(0xd9a768, at[0]+4, at[1]+6, at[2])
		c.circle(crumb, at[0], at[1], at[2])
		c.circle(cream, at[0]-at[2]/4, at[1]-at[2]/4, at[2]/2)
	}
	for i := range 7 {
		x, y := 300+float64(i)*62, 400+18*math.Sin(float64(i)*2)
		c.ellipse(uint32([]int{leaf, tomato, leaf}[i%3]), x, y, 15, 7)
	}
	for i := range 3 { // steam
		x := 380 + float64(i)*100
		var o outline
		o.to(x, 250)
		o.curve(x-44, 210, x+44, 160, x, 90)
		o.curve(x+62, 160, x-24, 210, x+14, 250)
		c.fill(paper, o)
	}
	return c.png()
}

// Counter draws the counter with its jars and sausages, as a PNG.
func Counter() ([]byte, error) {
	c := newCanvas(dishW, dishH, 0xf6e3c4)
	for i := range 12 { // tiles
		for j := range 5 {
			c.round(paper, float64(i)*82+6, float64(j)*60+6, 72, 50, 4)
		}
	}
	for row := range 2 {
		y := 180 + float64(row)*130
		c.rect(brown, 60, y, 560, 14)
		for i := range 8 {
			x := 78 + float64(i)*66
			fill := uint32([]int{leaf, tomato, mustard, rust}[(i+row)%4])
			c.round(0xdff1ee, x, y-78, 50, 78, 10, 10, 4, 4)
			c.round(fill, x+4, y-58, 42, 54, 6)
			c.rect(dark, x+4, y-88, 42, 14)
		}
	}
	c.rect(dark, 660, 40, 260, 8)
	for i := range 4 { // sausages on hooks
		x := 690 + float64(i)*64
		c.rect(dark, x+16, 44, 4, 30)
		c.round(uint32([]int{brick, ham, rust, 0xb9515f}[i]), x, 70, 38, 150+30*float64(i%2), 19)
		c.rect(cream, x, 110, 38, 6)
		c.rect(cream, x, 160, 38, 6)
	}
	c.rect(deepTeal, 0, 560, dishW, 160)
	c.rect(teal, 0, 540, dishW, 40)
	c.round(0xcfe8e3, 90, 380, 780, 168, 40, 40, 0, 0)
	c.round(0xe7f5f2, 110, 396, 740, 150, 30, 30, 0, 0)
	for i := range 6 {
		x := 140 + float64(i)*118
		if i%2 == 0 { // cheese
			c.polygon(mustard, x, 536, x+96, 536, x+96, 474, x+10, 506)
			c.polygon(butter, x+10, 506, x+96, 474, x+70, 462)
			c.circle(0xd19a35, x+60, 514, 9)
			c.circle(0xd19a35, x+30, 522, 6)
		} else {
			c.ellipse(crust, x+46, 506, 50, 30)
			for n := range 3 {
				c.round(crumb, x+18+float64(n)*22, 488, 8, 26, 4)
			}
		}
	}
	c.polygon(white, 180, 546, 260, 396, 300, 396, 220, 546)
	return c.png()
}
