package research

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/research/planner"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/words"
)

// Keyword is what is known of a keyword. An unknown figure is null, never 0.
type Keyword struct {
	ID           string             `json:"_id" doc:"The same for the same keyword, location and language."`
	Text         string             `json:"kw"`
	LocationID   int                `json:"lid" doc:"Location that the figures are of: the one asked for, or the nearest around it that has figures; 0 is anywhere."`
	Volume       *int64             `json:"sv" doc:"Searches a month, mean of the last year."`
	VolumeSource int                `json:"svs" enum:"0,1,2" doc:"Where sv comes from: 0 unknown, 1 imported, 2 a data provider."`
	VolumeMean   *int64             `json:"svn" doc:"Mean of the last twelve known months."`
	CPC          *float64           `json:"cpc" doc:"Cost of a click, USD."`
	PPC          *float64           `json:"ppc" doc:"Competition in paid search, 0 to 100."`
	Bid          *float64           `json:"bid,omitempty" doc:"Cost of a click in bid_currency, where it was told in another currency than USD."`
	BidCurrency  string             `json:"bid_currency,omitempty" doc:"ISO 4217." example:"EUR"`
	Months       []serp.MonthDemand `json:"msv" nullable:"false" doc:"[year, month from 0, searches], oldest first; empty when unknown."`
	ToldAt       int64              `json:"ts" doc:"When the figures were told, Unix seconds; 0 when they never were."`
	Source       *string            `json:"source" doc:"Who told the figures, at ts: a data provider, planner, or the name of an import; null when nobody did."`
	Difficulty   *int64             `json:"seo" doc:"Difficulty of ranking, 0 to 100: from the newest result page or, where that tells too little, as a data provider says."`
	DifficultyAt *int64             `json:"seo_ts" doc:"When that page was fetched, or when the provider said so, Unix seconds."`
	DifficultyBy *string            `json:"seo_source" doc:"Where seo comes from: seen (a result page) or the name of the data provider; null when unknown."`
}

// figures is a row of the keyword store.
type figures struct {
	kw         string
	own        bool // brought by the account itself
	locationID int
	languageID int
	volume     *int64
	cpc, ppc   *float64
	bid        *float64 // in currency, when that is not USD
	currency   string
	difficulty *float64
	months     []serp.MonthDemand
	source     string
	toldAt     time.Time
}

func (f figures) keyword() string { return f.kw }

// isKnown tells whether anything is known of the keyword.
func (k Keyword) isKnown() bool { return k.Source != nil || k.Difficulty != nil }

// checkKeyword says what is wrong with a keyword of a request, if anything.
func checkKeyword(field, kw string) (errs.Detail, bool) {
	if !utf8.ValidString(kw) || strings.ContainsFunc(kw, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }) {
		return errs.Detail{Field: field, Status: errs.InvalidCharacters, Message: field + " contains characters that are not text."}, true
	}
	normal := serp.NormalKeyword(kw)
	if normal == "" {
		return errs.Detail{Field: field, Status: errs.NotSpecified, Message: field + " is not specified."}, true
	}
	if fault := planner.KeywordFault(normal); fault != "" {
		return errs.Detail{Field: field, Status: errs.KeywordInvalid, Message: field + ": " + fault + "."}, true
	}
	return errs.Detail{}, false
}

// Where the figures of a keyword come from. An import may have a name of its own.
const (
	sourcePlanner  = "planner"
	sourceAsked    = "asked"     // a keyword without figures, kept because it was asked for
	sourceProvider = "provider:" // followed by the name of the data provider
)

// sourceSeen names our own result pages as a source of anything else.
const sourceSeen = "seen"

func sourceNumber(source string) int {
	if strings.HasPrefix(source, sourceProvider) {
		return 2
	}
	return 1
}

// sourceName is how answers name a source.
func sourceName(source string) *string {
	name := strings.TrimPrefix(source, sourceProvider)
	return &name
}

// goodKeywords are those in normal form that can be kept, each once.
func goodKeywords(list []string) []string {
	var good []string
	seen := map[string]bool{}
	for _, kw := range list {
		if kw = serp.NormalKeyword(kw); !seen[kw] && planner.KeywordFault(kw) == "" {
			seen[kw] = true
			good = append(good, kw)
		}
	}
	return good
}

// tellingWords are those that a keyword is found by. A keyword without any word is its own only one.
func tellingWords(kw string) []string {
	if list := words.Telling(words.Distinct(kw), words.IsFiller); len(list) > 0 {
		return list
	}
	return []string{kw}
}

// describe makes the public keyword from the best row that is known of it and from its newest page.
func describe(kw string, asked market, known []figures, judged *judgement) Keyword {
	k := Keyword{ID: serp.KeywordID(kw, asked.location.ID, asked.languageID), Text: kw, LocationID: asked.location.ID, Months: []serp.MonthDemand{}}
	if judged == nil {
		judged = asked.judgedBy(known)
	}
	if judged != nil {
		at := judged.at.Unix()
		k.Difficulty, k.DifficultyAt, k.DifficultyBy = &judged.difficulty, &at, sourceName(judged.source)
	}
	best := asked.best(known)
	if best == nil {
		return k
	}
	k.LocationID, k.Volume, k.CPC, k.PPC, k.ToldAt = best.locationID, best.volume, best.cpc, best.ppc, best.toldAt.Unix()
	k.Bid, k.BidCurrency, k.Source = best.bid, best.currency, sourceName(best.source)
	if best.volume != nil {
		k.VolumeSource = sourceNumber(best.source)
	}
	if len(best.months) > 0 {
		k.Months = best.months
		lastYear := best.months[max(0, len(best.months)-12):]
		var sum int64
		for _, m := range lastYear {
			sum += m[2]
		}
		mean := int64(math.Round(float64(sum) / float64(len(lastYear))))
		k.VolumeMean = &mean
	}
	return k
}
