package serp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// NormalKeyword is how a keyword is kept and compared: composed characters, lower case, single spaces.
func NormalKeyword(s string) string {
	return strings.ToLower(norm.NFC.String(strings.Join(strings.Fields(s), " ")))
}

// KeywordID names a keyword in a market. It is made from these alone, so that the same keyword has the
// same id wherever it is shown, stored or not.
func KeywordID(kw string, locationID, languageID int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%d", NormalKeyword(kw), locationID, languageID))
	return hex.EncodeToString(sum[:16])
}

// KeywordAt is a keyword in a place.
type KeywordAt struct {
	Keyword    string
	LocationID int
}

// Demand is how often a keyword is searched for; what is unknown is nil.
type Demand struct {
	Volume *int64 // searches a month
	Months []MonthDemand
}

// MonthDemand is [year, month from 0, searches]; lists run oldest first.
type MonthDemand [3]int64
