package httpapi

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
)

// ShareToken is the query parameter that opens a shared record.
const ShareToken = "share_token"

// NewShareToken makes a token that nobody guesses.
func NewShareToken() (string, error) {
	var random [32]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(random[:]), nil
}

// Opens tells whether a token is the one that a record is shared by; kept is nil when it is not shared.
func Opens(kept *string, token string) bool {
	return token != "" && kept != nil && subtle.ConstantTimeCompare([]byte(token), []byte(*kept)) == 1
}

// Reshare is the token of a record after it is to be shared or not; nil leaves it as it is. A token that was
// taken away never comes back.
func Reshare(kept *string, shared *bool) (*string, error) {
	switch {
	case shared == nil || *shared == (kept != nil):
		return kept, nil
	case !*shared:
		return nil, nil
	}
	token, err := NewShareToken()
	return &token, err
}
