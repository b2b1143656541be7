package webindex

import "math"

// field is a part of a page in which words are found.
type field int

const (
	titleField field = iota
	descriptionField
	urlField
	bodyField
	fieldCount
)

// What a word is worth in a field, and how much a long field dilutes it. A title is written to say
// what the page is about and is always short, so its length matters little.
var (
	fieldWeight = [fieldCount]float64{titleField: 4, descriptionField: 1.5, urlField: 2, bodyField: 1}
	fieldB      = [fieldCount]float64{titleField: 0.3, descriptionField: 0.4, urlField: 0.3, bodyField: 0.75}
)

// The other constants of the ranking; doc.go says what they do.
const (
	k1            = 1.2
	PriorWeight   = 1.5
	OtherCountry  = 0.5
	OtherLanguage = 0.3
	LocalWeight   = 0.35
	MinCover      = 0.45
	CrowdWindow   = 10
	CrowdLimit    = 2
)

// counts of one word in each field; a count beyond 255 adds nothing to a saturated score.
type counts [fieldCount]uint8

// impact is tf/(k1+tf) in steps of 1/255, the part of a word's score that a page decides.
func impact(c counts, length *[fieldCount]uint32, mean *[fieldCount]float64) uint8 {
	tf := 0.0
	for f := range fieldCount {
		if c[f] > 0 {
			b := fieldB[f]
			tf += fieldWeight[f] * float64(c[f]) / (1 - b + b*float64(length[f])/mean[f])
		}
	}
	return uint8(max(1, math.Round(255*tf/(k1+tf))))
}

// idf is the weight of a word that is in n of total pages; never negative.
func idf(n, total int) float32 {
	return float32(math.Log(1 + (float64(total-n)+0.5)/(float64(n)+0.5)))
}
