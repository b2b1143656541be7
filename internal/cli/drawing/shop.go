package drawing

import "math"

// The colours of the demo's pictures.
const (
	cream, paper, sand     = 0xfdf3e1, 0xfffaf0, 0xf0d9b0
	teal, deepTeal, mint   = 0x0f766e, 0x0b4f4a, 0xbfe3dc
	rust, brick, blush     = 0xc2562d, 0x9c4a33, 0xf3c9ae
	mustard, butter, brown = 0xe9b44c, 0xf7d98b, 0x5b3a29
	leaf, dark, glass      = 0x6a9c52, 0x24312f, 0xffe6ad
	crust, crumb, white    = 0xc98a45, 0xf2d09a, 0xffffff
	ham, tomato, cloud     = 0xd9808a, 0xd1432f, 0xffffff
)

// House is how a house of the deli looks.
type House struct {
	sky, hill, wall, trim, awning uint32
	beams                         bool // timber-framed
	lit                           bool // in the evening
}

// The deli's houses.
var (
	Square   = House{sky: 0xcfe9f1, hill: 0xb5d6dc, wall: cream, trim: deepTeal, awning: teal}
	Oakhurst = House{sky: 0xf7c9a3, hill: 0xe3a98b, wall: brick, trim: dark, awning: rust, lit: true}
	Avondale = House{sky: 0xdcebd3, hill: 0xbdd5b0, wall: paper, trim: brown, awning: mustard, beams: true}
)

// Shop draws a house of the deli in its street, as a PNG in the shape of a cover.
func Shop(s House, sign string) ([]byte, error) {
	const w, h, ground = 1500.0, 500.0, 430.0
	c := newCanvas(w, h, s.sky)
	c.circle(butter, 1240, 110, 62)
	for _, at := range [][3]float64{{180, 90, 1}, {520, 60, 0.7}, {1020, 84, 0.9}} {
		for _, puff := range [][3]float64{{0, 0, 34}, {38, -14, 40}, {80, 0, 32}, {40, 10, 36}} {
			c.circle(cloud, at[0]+puff[0]*at[2], at[1]+puff[1]*at[2], puff[2]*at[2])
		}
	}
	for i := range 9 { // the town behind
		x := float64(i)*180 - 40
		tall := 120 + 70*math.Abs(math.Sin(float64(i)*2.3))
		c.rect(s.hill, x, ground-tall, 150, tall)
		c.polygon(s.hill, x-8, ground-tall, x+75, ground-tall-46, x+158, ground-tall)
	}
	for i := range 7 {
		x := 60 + float64(i)*240
		c.rect(brown, x-5, ground-70, 10, 70)
		c.circle(leaf, x, ground-104, 48)
	}
	c.rect(sand, 0, ground, w, h-ground)
	c.rect(0xd8bd8c, 0, ground, w, 8)

	const left, wide, top = 360.0, 780.0, 96.0
	c.rect(s.wall, left, top, wide, ground-top)
	c.rect(s.trim, left-16, top-22, wide+32, 26)
	if s.beams {
		c.polygon(s.trim, left-16, top-18, left+wide/2, 14, left+wide+16, top-18)
		c.polygon(s.wall, left+40, top-22, left+wide/2, 34, left+wide-40, top-22)
		for i := range 5 {
			c.rect(brown, left+float64(i)*(wide-14)/4, top, 14, 150)
		}
	}
	c.round(s.trim, left+150, top+18, wide-300, 74, 10)
	if err := c.write(cream, 46, left+wide/2, top+71, sign); err != nil {
		return nil, err
	}
	pane := uint32(glass)
	if !s.lit {
		pane = 0xdff1ee
	}
	for _, x := range []float64{left + 44, left + wide - 44 - 250} { // windows
		c.round(s.trim, x-8, 226, 266, 158, 6)
		c.rect(pane, x, 234, 250, 142)
		c.polygon(white, x+30, 376, x+110, 234, x+146, 234, x+66, 376)
		c.rect(brown, x, 344, 250, 10)
		for i := range 5 { // bread and jars
			at := x + 28 + float64(i)*46
			if i%2 == 0 {
				c.ellipse(crust, at, 338, 20, 13)
				c.ellipse(crumb, at-3, 335, 12, 6)
			} else {
				c.round(mint, at-11, 316, 22, 28, 5)
				c.rect(rust, at-11, 310, 22, 8)
			}
		}
		c.rect(s.trim, x+122, 234, 6, 110)
	}
	c.round(s.trim, left+wide/2-62, 222, 124, ground-222, 8, 8, 0, 0) // door
	c.rect(pane, left+wide/2-46, 240, 92, 110)
	c.circle(mustard, left+wide/2+46, 372, 6)
	const stripes = 20
	for i := range stripes { // awning
		colour := s.awning
		if i%2 == 1 {
			colour = paper
		}
		x := left - 20 + float64(i)*(wide+40)/stripes
		c.wave(colour, x, 196, (wide+40)/stripes, 30, 1, 18)
	}
	for _, x := range []float64{left + 20, left + wide - 74} { // planters
		c.circle(leaf, x+14, ground-50, 22)
		c.circle(leaf, x+40, ground-52, 24)
		c.polygon(rust, x, ground-36, x+54, ground-36, x+46, ground, x+8, ground)
	}
	for _, x := range []float64{210, 1290} { // a table under a parasol
		c.rect(brown, x-4, 250, 8, ground-250)
		c.polygon(s.awning, x-100, 276, x, 214, x+100, 276)
		c.polygon(paper, x-36, 276, x, 214, x+36, 276)
		c.round(brown, x-62, 366, 124, 10, 5)
		c.round(paper, x+16, 346, 22, 20, 3)
	}
	c.rect(dark, 1398, 190, 8, ground-190)
	c.circle(glass, 1402, 180, 20)
	return c.png()
}

// Logo draws the deli's sign, a sandwich in a surveyor's mark, as a PNG.
func Logo() ([]byte, error) {
	c := newCanvas(512, 512, white)
	c.circle(teal, 256, 256, 244)
	c.circle(cream, 256, 256, 222)
	c.circle(teal, 256, 256, 210)
	c.polygon(cream, 256, 92, 400, 336, 112, 336)
	c.polygon(teal, 256, 140, 362, 316, 150, 316)
	c.round(crust, 176, 240, 160, 44, 40, 40, 8, 8)
	c.wave(leaf, 170, 282, 172, 8, 5, 12)
	c.rect(tomato, 182, 296, 148, 10)
	c.round(crust, 176, 306, 160, 20, 4, 4, 14, 14)
	err := c.write(cream, 58, 256, 412, "DELI")
	if err != nil {
		return nil, err
	}
	return c.png()
}

// Mark draws the sign of the agency that looks after the deli, a surveyor's tripod, as a PNG.
func Mark() ([]byte, error) {
	c := newCanvas(256, 256, white)
	c.round(brick, 0, 0, 256, 256, 56)
	c.polygon(cream, 120, 96, 136, 96, 196, 214, 176, 214)
	c.polygon(cream, 120, 96, 136, 96, 80, 214, 60, 214)
	c.rect(cream, 121, 96, 14, 118)
	c.round(cream, 84, 50, 88, 40, 12)
	c.rect(cream, 104, 86, 48, 14)
	c.circle(brick, 128, 70, 11)
	return c.png()
}
