package placeindex

import "math"

// The weights of the ranking; the package comment says how they combine.
const (
	WeightTitle      = 0.85
	WeightTerm       = 0.75
	WeightParentTerm = 0.65
	WeightWord       = 0.5
	WeightParentWord = 0.3
	WeightName       = 0.6

	// TextPower makes a better match outweigh a moderate difference in distance or fame.
	TextPower = 3
	// KindShare is the least that a kind of place ("plumber") weighs beside other words ("emergency").
	KindShare = 0.5
	// MinCoverage is the share of the query that a place must match when it is not of the kind named.
	MinCoverage = 0.5
	// OtherTown is what remains of text when the query names a town and the place's address does not.
	OtherTown = 0.5

	// HalfKm is the distance at which a place counts half.
	HalfKm = 1.5
	// MaxKm is how far a place may be and still be found.
	MaxKm = 50

	// ReviewWeight is what ten times as many reviews add to the prominence of a perfectly rated place.
	ReviewWeight = 0.6
	// NeutralRating stands in for an unknown rating.
	NeutralRating = 3.5
)

func decay(km float64) float64 { return 1 / (1 + km/HalfKm) }

func prominence(rating float64, reviews int) float64 {
	if rating == 0 {
		rating = NeutralRating
	}
	share := rating / 5
	return 1 + ReviewWeight*math.Log10(1+float64(reviews))*share*share
}

func score(text, km, prominence float64) float64 {
	power := text
	for range TextPower - 1 {
		power *= text
	}
	return power * decay(km) * prominence
}

// field says in which parts of a place a word or phrase was found.
type field uint8

const (
	inAddress    field = 1 << iota
	inParentWord       // inside a term of an ancestor of the category
	inWord             // inside a term of the category, or a term that many categories have
	inParentTerm       // is a name or synonym of an ancestor
	inTerm             // is a synonym of the category, or a telling word of its name
	inTitle            // is the name of the category
	inName
	fieldSets // number of combinations

	kindFields = inTitle | inTerm | inParentTerm
	whatFields = inName | kindFields | inWord | inParentWord
)

// weightTable holds the worth of a part for every combination of fields it is found in.
type weightTable [fieldSets]float64

// weights is the table of a query that says what is wanted; addressWeights is that of one made of
// place words alone, which has nothing but addresses to go by.
var (
	weights        = makeWeights(0)
	addressWeights = makeWeights(WeightParentWord)
)

func makeWeights(address float64) *weightTable {
	worth := map[field]float64{
		inTitle: WeightTitle, inTerm: WeightTerm, inParentTerm: WeightParentTerm,
		inWord: WeightWord, inParentWord: WeightParentWord, inAddress: address,
	}
	var t weightTable
	for in := range fieldSets {
		for f, w := range worth {
			if in&f != 0 {
				t[in] = max(t[in], w)
			}
		}
		if in&inName != 0 {
			t[in] += (1 - t[in]) * WeightName
		}
	}
	return &t
}
