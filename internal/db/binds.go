package db

import "strings"

// sqliteBinds writes $1, $2, $3 … as ? when they come in order and once each, as those of a wide insert
// do. SQLite looks a named bind up among all before it, which makes thousands of them slow.
func sqliteBinds(text string) string {
	var b strings.Builder
	last, next := 0, 1
	for i := 0; i < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		number, end := 0, i+1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			number = number*10 + int(text[end]-'0')
			end++
		}
		if number != next {
			return text
		}
		next++
		b.WriteString(text[last:i])
		b.WriteByte('?')
		last, i = end, end-1
	}
	b.WriteString(text[last:])
	return b.String()
}
