package result

import (
	"testing"

	"github.com/trigpoint/trigpoint/internal/placeid"
)

func TestIdentityOfABusiness(t *testing.T) {
	t.Parallel()
	place := placeid.New(9, 77)
	b := Business{CID: "77", PlaceIDs: []string{place}}
	for name, test := range map[string]struct {
		asked Identity
		is    bool
	}{
		"by cid":                   {Identity{CID: "77"}, true},
		"by place id":              {Identity{PlaceIDs: []string{"x", place}}, true},
		"by another id of its cid": {Identity{PlaceIDs: []string{placeid.New(10, 77)}}, true},
		"another cid":              {Identity{CID: "78"}, false},
		"another place":            {Identity{PlaceIDs: []string{placeid.New(9, 78)}}, false},
		"an empty place id":        {Identity{PlaceIDs: []string{""}}, false},
		"nothing":                  {Identity{}, false},
	} {
		if got := test.asked.Is(b); got != test.is {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (Identity{}).Is(Business{}) {
		t.Error("nothing is a business without ids")
	}
}
