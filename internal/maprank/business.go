package maprank

import (
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Business is a business of a map as the API shows it.
type Business struct {
	CID          string      `json:"cid" doc:"Unsigned decimal; empty when it is not known."`
	PlaceIDs     []string    `json:"placeIds" nullable:"false"`
	Name         string      `json:"name"`
	Address      string      `json:"address"`
	Rating       float64     `json:"rating,omitempty" doc:"1 to 5; absent when the provider does not tell it."`
	ReviewNumber int         `json:"reviewNumber,omitempty" doc:"Absent when the provider does not tell it."`
	Coordinates  Coordinates `json:"coordinates"`
}

// Bounds of what a provider says, in bytes.
const (
	maxBusinessName    = 300
	maxBusinessAddress = 500
)

// newBusiness takes what a provider knows of a business; its place id may tell the cid.
func newBusiness(b provider.Business) Business {
	own := Business{
		CID: b.CID, PlaceIDs: []string{}, Name: cut(b.Name, maxBusinessName), Address: cut(b.Address, maxBusinessAddress),
		Rating: b.Rating, ReviewNumber: max(0, b.Reviews), Coordinates: Coordinates{Lat: b.Lat, Lng: b.Lng},
	}
	if b.PlaceID != "" && len(b.PlaceID) <= maxPlaceID {
		own.PlaceIDs = append(own.PlaceIDs, b.PlaceID)
		if own.CID == "" {
			own.CID, _ = placeid.CID(b.PlaceID)
		}
	}
	return own
}

func cut(s string, most int) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}

// identity says which business is asked for: by cid first, then by place ids.
type identity struct {
	cid      string
	placeIDs []string
}

func (b Business) identity() identity { return identity{b.CID, b.PlaceIDs} }

// cids are the cid and those that the place ids carry.
func (i identity) cids() []string {
	var all []string
	if i.cid != "" {
		all = append(all, i.cid)
	}
	for _, p := range i.placeIDs {
		if cid, ok := placeid.CID(p); ok && !slices.Contains(all, cid) {
			all = append(all, cid)
		}
	}
	return all
}

// is tells whether the business is the one asked for.
func (i identity) is(b Business) bool {
	if b.CID != "" && slices.Contains(i.cids(), b.CID) {
		return true
	}
	return slices.ContainsFunc(i.placeIDs, func(p string) bool { return slices.Contains(b.PlaceIDs, p) })
}

// keys are the names under which a dictionary finds a business. One without any id is known by its name
// and address.
func (b Business) keys() []uint64 {
	keys := b.identity().keys()
	if len(keys) == 0 {
		keys = append(keys, hashKey('n', b.Name+"\n"+b.Address))
	}
	return keys
}

func (i identity) keys() []uint64 {
	var keys []uint64
	for _, cid := range i.cids() {
		keys = append(keys, hashKey('c', cid))
	}
	for _, p := range i.placeIDs {
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
