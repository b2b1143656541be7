package placeindex

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/trigpoint/trigpoint/internal/placeid"
)

// Identify makes the place id and cid of something that has an identity of its own in its source, such
// as "osm:node/42". The same identity always gives the same ids, so an import repeated makes no duplicates.
func Identify(identity string) (id, cid string) {
	sum := sha256.Sum256([]byte(identity))
	feature, number := binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:])
	return placeid.New(feature, number), strconv.FormatUint(number, 10)
}

// identifyCID makes the place id of something that is known by its cid alone.
func identifyCID(cid uint64) string {
	sum := sha256.Sum256([]byte("cid:" + strconv.FormatUint(cid, 10)))
	return placeid.New(binary.BigEndian.Uint64(sum[:8]), cid)
}
