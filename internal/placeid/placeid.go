// Package placeid reads and makes map place ids of the `ChIJ…` form, which carry the ids that map
// providers use elsewhere. It does not resolve a place id to a business.
package placeid

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"
)

// A place id is base64url, without padding, of a fixed little message: 0a 12, then 09 and the feature
// id, then 11 and the cid, both as 8 bytes little-endian. The first three bytes give the `ChIJ`.
const (
	size      = 20
	featureAt = 3
	cidAt     = 12
	printed   = 27 // characters of size bytes
)

// encoding is strict, so that one pair of ids has exactly one place id.
var encoding = base64.RawURLEncoding.Strict()

// New makes the place id of a feature id and a cid.
func New(feature, cid uint64) string {
	raw := [size]byte{0: 0x0a, 1: 0x12, 2: 0x09, cidAt - 1: 0x11}
	binary.LittleEndian.PutUint64(raw[featureAt:], feature)
	binary.LittleEndian.PutUint64(raw[cidAt:], cid)
	return encoding.EncodeToString(raw[:])
}

// CID is the cid that a place id carries, as an unsigned decimal. Place ids of other forms are valid
// too but carry none: not ok.
func CID(placeID string) (cid string, ok bool) {
	_, number, ok := Parse(placeID)
	if !ok {
		return "", false
	}
	return strconv.FormatUint(number, 10), true
}

// Parse is the inverse of New.
func Parse(placeID string) (feature, cid uint64, ok bool) {
	if len(placeID) != printed {
		return 0, 0, false
	}
	var raw [size]byte
	n, err := encoding.Decode(raw[:], []byte(placeID))
	if err != nil || n != size || raw[0] != 0x0a || raw[1] != 0x12 || raw[2] != 0x09 || raw[cidAt-1] != 0x11 {
		return 0, 0, false
	}
	return binary.LittleEndian.Uint64(raw[featureAt:]), binary.LittleEndian.Uint64(raw[cidAt:]), true
}
