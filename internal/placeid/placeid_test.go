package placeid_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/placeid"
	"pgregory.net/rapid"
)

func TestCID(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, placeID, cid string
	}{
		{"a published example", "ChIJN1t_tDeuEmsRUsoyG83frY4", "10281119596374313554"},
		{"the smallest", placeid.New(0, 0), "0"},
		{"the largest", placeid.New(math.MaxUint64, math.MaxUint64), "18446744073709551615"},
		{"empty", "", ""},
		{"another form of place id", "EicxMyBNYXJrZXQgU3QsIFNhbiBGcmFuY2lzY28sIENBLCBVU0E", ""},
		{"cut short", "ChIJN1t_tDeuEmsRUsoyG83frY", ""},
		{"too long", "ChIJN1t_tDeuEmsRUsoyG83frY4A", ""},
		{"the plain base64 alphabet", "ChIJN1t/tDeuEmsRUsoyG83frY4", ""},
		{"a line break inside", "ChIJN1t_tDeuEm\nRUsoyG83frY4", ""},
		{"stray low bits in the last character", "ChIJN1t_tDeuEmsRUsoyG83frY5", ""},
		{"wrong marker before the cid", "ChIJN1t_tDeuEmsSUsoyG83frY4", ""},
		{"wrong first bytes", "ChMJN1t_tDeuEmsRUsoyG83frY4", ""},
		{"not ASCII", "ChIJN1t_tDeuEmsRUsoyG83frÿ", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			cid, ok := placeid.CID(tc.placeID)
			if cid != tc.cid || ok != (tc.cid != "") {
				t.Errorf("CID(%q) = %q, %v, want %q", tc.placeID, cid, ok, tc.cid)
			}
		})
	}
}

func TestNewAndParseAreInverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		feature, cid := rapid.Uint64().Draw(t, "feature"), rapid.Uint64().Draw(t, "cid")
		made := placeid.New(feature, cid)
		if !strings.HasPrefix(made, "ChIJ") {
			t.Fatalf("%q does not look like a place id", made)
		}
		gotFeature, gotCID, ok := placeid.Parse(made)
		if !ok || gotFeature != feature || gotCID != cid {
			t.Fatalf("Parse(%q) = %d, %d, %v", made, gotFeature, gotCID, ok)
		}
	})
}

func FuzzCID(f *testing.F) {
	f.Add("ChIJN1t_tDeuEmsRUsoyG83frY4")
	f.Add("")
	f.Add("ChIJ")
	f.Add("ChIJ======================= ")
	f.Add("ChIJN1t_tDeuEmsRUsoyG83frY5")
	f.Fuzz(func(t *testing.T, placeID string) {
		cid, ok := placeid.CID(placeID)
		if !ok {
			if cid != "" {
				t.Errorf("a cid %q of a place id that has none", cid)
			}
			return
		}
		number, err := strconv.ParseUint(cid, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		feature, _, _ := placeid.Parse(placeID)
		if again := placeid.New(feature, number); again != placeID {
			t.Errorf("%q has the ids of %q", placeID, again)
		}
	})
}
