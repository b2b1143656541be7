package dataforseo

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// maxRows is how many rows one question gets, and how many keywords one may name.
const maxRows = 1000

// labsPrice is what a question that is answered with so many rows costs, in US dollars.
func labsPrice(rows int) float64 { return 0.01 + 0.0001*float64(rows) }

// market is the part of a question that says where, as DataForSEO's own database (Labs) takes it: a country, and a language without
// its variant.
type market struct {
	LocationCode int    `json:"location_code,omitempty"`
	LanguageCode string `json:"language_code,omitempty"`
}

func marketOf(country, language string) (market, error) {
	code, err := countryCode(country)
	return market{LocationCode: code, LanguageCode: baseLanguage(language)}, err
}

// filled has what may not be left out of some questions.
func (m market) filled() market {
	return market{LocationCode: cmp.Or(m.LocationCode, defaultCountry), LanguageCode: cmp.Or(m.LanguageCode, defaultLanguage)}
}

// baseLanguage is the language without its variant, except for Chinese, which is two: zh-CN and zh-TW.
func baseLanguage(language string) string {
	base, _, _ := strings.Cut(language, "-")
	if strings.EqualFold(base, "zh") {
		return language
	}
	return strings.ToLower(base)
}

// labs asks DataForSEO's own database.
func labs[Item any](ctx context.Context, p *Provider, question string, in any, limit int) (listing[Item], error) {
	rows, err := post[listing[Item]](ctx, p, "/v3/dataforseo_labs/google/"+question+"/live", in, labsPrice(limit))
	if err != nil {
		return listing[Item]{}, err
	}
	return listed(p, rows)
}

// rowLimit is how many rows are asked for.
func rowLimit(wanted int) int {
	if wanted <= 0 {
		return 100
	}
	return min(wanted, maxRows)
}

// keywordData is what the database tells of a keyword.
type keywordData struct {
	Keyword wire.Text `json:"keyword"`
	Info    *struct {
		Volume      *float64      `json:"search_volume"`
		CPC         *float64      `json:"cpc"`
		Competition *float64      `json:"competition"` // 0 to 1, unlike that of Google Ads
		Monthly     []monthVolume `json:"monthly_searches"`
	} `json:"keyword_info"`
	Properties *struct {
		Difficulty *float64 `json:"keyword_difficulty"`
	} `json:"keyword_properties"`
}

func (k keywordData) figures() provider.KeywordFigures {
	f := provider.KeywordFigures{Keyword: string(k.Keyword)}
	if k.Info != nil {
		f.Volume, f.CPC, f.Monthly = count(k.Info.Volume), k.Info.CPC, oldestFirst(k.Info.Monthly)
		if k.Info.Competition != nil {
			percent := *k.Info.Competition * 100
			f.Competition = &percent
		}
	}
	if k.Properties != nil {
		f.Difficulty = k.Properties.Difficulty
	}
	return f
}

type monthVolume struct {
	Year   int      `json:"year"`
	Month  int      `json:"month"` // 1 is January
	Volume *float64 `json:"search_volume"`
}

// oldestFirst turns around what DataForSEO tells newest first, and leaves out months of which nothing is known.
func oldestFirst(months []monthVolume) []provider.MonthVolume {
	var all []provider.MonthVolume
	for _, m := range slices.Backward(months) {
		if volume := count(m.Volume); volume != nil && m.Month >= 1 && m.Month <= 12 {
			all = append(all, provider.MonthVolume{Year: m.Year, Month: m.Month - 1, Volume: *volume})
		}
	}
	return all
}

// count is a number of things as such; nil is unknown.
func count(f *float64) *int {
	if f == nil || *f < 0 || *f > 1e12 {
		return nil
	}
	n := int(*f)
	return &n
}
