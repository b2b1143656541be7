// Package serp keeps result pages: what is kept of one, how it is packed and found again, who ranks on
// the newest of each search, and which pages are thinned out with time. It neither searches the web
// (provider) nor judges what it keeps (research, rankwatch). An account sees only what it asked for.
package serp
