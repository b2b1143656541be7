package provider

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"
)

// CIDOf reads the cid that a "ChIJ…" place id carries, as unsigned decimal. Other ids carry none.
func CIDOf(placeID string) (string, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(placeID, "="))
	if err != nil || len(raw) != 20 {
		return "", false
	}
	// A protobuf message of two fixed64 fields: the feature's cell and its cid.
	if raw[0] != 0x0a || raw[1] != 0x12 || raw[2] != 0x09 || raw[11] != 0x11 {
		return "", false
	}
	return strconv.FormatUint(binary.LittleEndian.Uint64(raw[12:]), 10), true
}

// ParseCID brings a vendor's spelling of a cid to unsigned decimal. Vendors write it in decimal, as a
// signed number that overflowed, in hex, and as the second half of a feature id ("0x…:0x…").
func ParseCID(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if _, half, isFeature := strings.Cut(s, ":"); isFeature {
		s = half
	}
	var cid uint64
	var err error
	switch digits, isHex := strings.CutPrefix(s, "0x"); {
	case isHex:
		cid, err = strconv.ParseUint(digits, 16, 64)
	case strings.HasPrefix(s, "-"):
		var signed int64
		signed, err = strconv.ParseInt(s, 10, 64)
		cid = uint64(signed)
	default:
		cid, err = strconv.ParseUint(s, 10, 64)
	}
	if err != nil || cid == 0 {
		return "", false
	}
	return strconv.FormatUint(cid, 10), true
}
