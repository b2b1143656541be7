package result

import (
	"slices"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/placeid"
)

// Business is a business of a map as the API shows it.
type Business struct {
	CID          string           `json:"cid" doc:"Unsigned decimal; empty when it is not known."`
	PlaceIDs     []string         `json:"placeIds" nullable:"false"`
	Name         string           `json:"name"`
	Address      string           `json:"address"`
	Rating       float64          `json:"rating,omitempty" doc:"1 to 5; absent when the provider does not tell it."`
	ReviewNumber int              `json:"reviewNumber,omitempty" doc:"Absent when the provider does not tell it."`
	Coordinates  grid.Coordinates `json:"coordinates"`
}

// Identity says which business is meant: by its cid, by its place ids, or by both.
type Identity struct {
	CID      string
	PlaceIDs []string
}

// Identity is what the business is told from others by.
func (b Business) Identity() Identity { return Identity{b.CID, b.PlaceIDs} }

// cids are the cid and those that the place ids carry.
func (i Identity) cids() []string {
	var all []string
	if i.CID != "" {
		all = append(all, i.CID)
	}
	for _, p := range i.PlaceIDs {
		if cid, ok := placeid.CID(p); ok && !slices.Contains(all, cid) {
			all = append(all, cid)
		}
	}
	return all
}

// Is tells whether the business is the one that is meant.
func (i Identity) Is(b Business) bool {
	if b.CID != "" && slices.Contains(i.cids(), b.CID) {
		return true
	}
	return slices.ContainsFunc(i.PlaceIDs, func(p string) bool { return slices.Contains(b.PlaceIDs, p) })
}

// Keys are the names of a business in a dictionary. One without any id is known by its name and address.
func (b Business) Keys() []uint64 {
	keys := b.Identity().Keys()
	if len(keys) == 0 {
		keys = append(keys, hashKey('n', b.Name+"\n"+b.Address))
	}
	return keys
}

// Keys are the names under which a dictionary finds a business.
func (i Identity) Keys() []uint64 {
	var keys []uint64
	for _, cid := range i.cids() {
		keys = append(keys, hashKey('c', cid))
	}
	for _, p := range i.PlaceIDs {
		keys = append(keys, hashKey('p', p))
	}
	return keys
}

// hashKey is FNV-1a. Two of the few thousand names of a report never meet in 64 bits.
func hashKey(kind byte, name string) uint64 {
	const prime = 1099511628211
	h := (uint64(14695981039346656037) ^ uint64(kind)) * prime
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * prime
	}
	return h
}
