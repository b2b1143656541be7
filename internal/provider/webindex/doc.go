// Package webindex is the built-in web search provider: a search engine in memory over pages that
// were imported or generated for the demo. It owns the index, its ranking, the readers of import files,
// the pages in the store (Library) and the demo's small web. It does not fetch pages.
//
// # Ranking
//
// Words of a query and of a page are folded (case, accents) and English plurals reduced. A page's
// score is BM25F over its fields:
//
//	tf(t)   = Σ over fields: weight · count / (1 - b + b · length / mean length)
//	text    = Σ over the query's words: idf(t) · tf(t) / (k1 + tf(t))
//	cover   = the share of the words, weighed by idf, that the page has
//	score   = text · cover² · (1 + PriorWeight · prior) · market
//
// with the weights and b of fields.go. prior, 0..1, is the standing of the page's domain, given by the
// caller from a list of domain ranks. market is OtherCountry and OtherLanguage for a page that says it
// is for another country or language than the query asks; a page that does not say is for all. The
// words of the query's place ("Decatur") add LocalWeight of their text score, but are not required.
// Pages with less than MinCover are no results. Equal scores are ordered by URL.
//
// # Host crowding
//
// Of any CrowdWindow results in a row at most CrowdLimit belong to one registrable domain; the
// surplus moves down until there is room, and follows at the end when nothing else is left. So a site
// with many good pages has two results on a page of ten, as on the engines that people know.
package webindex
