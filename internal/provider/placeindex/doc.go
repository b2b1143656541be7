// Package placeindex is the built-in place provider: a search engine in memory over places that were
// imported from open data, generated for the demo, or entered as locations. It owns the index, its
// ranking, the readers of import files and the demo market. It does not own the store that the places
// come from, nor the category catalogue, which it is given as Categories.
//
// # Ranking
//
// A search has words and a point. Every place within MaxKm that matches the words has a score; nothing beyond is
// found:
//
//	score = text^TextPower * decay(km) * prominence(rating, reviews)
//
// text, 0..1, tells how well the place matches. The query is folded (case, accents), its plurals are
// reduced, filler such as "near me" and "best" is dropped, and it is cut into parts: the longest runs of words
// that are a term of a category ("coffee shop"), then single words. A part is worth, for a place:
//
//	WeightTitle       it is the name of the place's own category
//	WeightTerm        it is a synonym of that category, or a telling word of its name
//	WeightParentTerm  it is a name or synonym of an ancestor
//	WeightWord        it is a word inside a synonym, or a synonym that many categories have
//	WeightParentWord  it is such a word of an ancestor
//	WeightName        it is in the place's name: this share of what the category leaves of 1 is added
//
// text is the mean over the parts, rare words weighing more; parts that name a kind of place weigh at
// least KindShare together, and a place that is not of that kind must be matched by its name instead.
// A phrase that is no term of a category in English stands for the category that it names in another language. A word
// of at least five letters that no place knows is taken for the nearest one that is a slip of the pen away, if there
// is one; others are ignored. Words that are found in addresses rather than in names
// ("Decatur", "30030") say where: text is multiplied by OtherTown when the address has none of them.
//
//	decay(km)                   = 1 / (1 + km/HalfKm)
//	prominence(rating, reviews) = 1 + ReviewWeight * log10(1+reviews) * (rating/5)^2
//
// All other things equal, the nearer, the better matching and the better known place comes first.
// Equal scores are ordered by place id, so an answer never depends on the order of import.
package placeindex
