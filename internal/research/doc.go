// Package research owns keyword research and result pages: the keyword store and its imports,
// related and competing keywords, result pages with their pictures, difficulty, URL metrics and the
// search for locations. It does not search the web itself (provider) or track ranks (rankwatch).
package research
