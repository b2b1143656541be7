// Package id makes and parses record identifiers. Inside the program and in the store an id is the
// 32-digit hex of a UUIDv7, so ids sort by creation; area B prints the dashed form.
package id

import (
	"encoding/hex"
	"strings"

	"github.com/google/uuid"
)

// New returns a fresh id as 32 lower-case hex digits.
func New() string {
	u := uuid.Must(uuid.NewV7())
	return hex.EncodeToString(u[:])
}

// Dashed prints an id in UUID form.
func Dashed(id string) string {
	if len(id) != 32 {
		return id
	}
	return id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
}

// Parse accepts both printed forms and tells whether s is an id at all.
func Parse(s string) (string, bool) {
	if len(s) == 36 {
		if s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
			return "", false
		}
		s = strings.ReplaceAll(s, "-", "")
	}
	if len(s) != 32 {
		return "", false
	}
	s = strings.ToLower(s)
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", false
		}
	}
	return s, true
}
