// Package series keeps a tracked keyword's ranks by day in few bytes: an observation for each day that was
// checked, packed into a chunk for a month and years of such chunks, and read back for a range of days. It
// does no I/O.
package series
