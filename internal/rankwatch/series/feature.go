package series

import (
	"math/bits"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Feature is a set of the kinds of items, other than plain results, that stood on a result page.
// Its bits are stored: a bit never changes its meaning. What comes and goes most has the low bits,
// which cost one byte less when they flip.
type Feature uint16

// One feature for each item type; their order is that of featureTypes.
const (
	AdsTop Feature = 1 << iota
	AdsBottom
	SimilarQuestions
	SimilarQueries
	LocalPack
	FeaturedSnippet
	ImagePack
	VideoPack
	TopStories
	ShopResults
	AIOverview
	KnowledgeGraph
	OtherFeature
)

var featureTypes = [...]provider.ItemType{
	provider.AdTop, provider.AdBottom, provider.SimilarQuestions, provider.SimilarQueries, provider.LocalPack,
	provider.FeaturedSnippet, provider.ImagePack, provider.VideoPack, provider.TopStories, provider.ShopResults,
	provider.AIOverview, provider.KnowledgeGraph, provider.Other,
}

// FeatureOf is the feature of an item type; a plain result (ORGANIC) is none, an unknown type is
// OtherFeature.
func FeatureOf(item provider.ItemType) Feature {
	if item == provider.Organic {
		return 0
	}
	for i, known := range featureTypes {
		if known == item {
			return 1 << i
		}
	}
	return OtherFeature
}

// mapPack is how the stats name a page's LocalPack.
const mapPack = "MAP_PACK"

// Names lists the set as the stats name it, in bit order: an item type by its public name, but for the
// map pack. Never nil.
func (f Feature) Names() []string {
	names := make([]string, 0, bits.OnesCount16(uint16(f)))
	for i, known := range featureTypes {
		switch {
		case f&(1<<i) == 0:
		case known == provider.LocalPack:
			names = append(names, mapPack)
		default:
			names = append(names, string(known))
		}
	}
	return names
}
