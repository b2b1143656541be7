package googleads

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/text/language"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// market is where and in which language people search, and the part of every request that says so.
type market struct {
	Language string   `json:"language,omitempty"`
	Geo      []string `json:"geoTargetConstants,omitempty"`
	Network  string   `json:"keywordPlanNetwork"`
	Options  struct {
		AverageCPC bool `json:"includeAverageCpc"`
	} `json:"historicalMetricsOptions"`
}

const searchOnly = "GOOGLE_SEARCH" // and not Google's partners

// market finds Google's constants. What it has none for is refused: figures of another market are wrong figures.
func (p *Provider) market(ctx context.Context, country, tongue, location string) (market, error) {
	m := market{Network: searchOnly}
	m.Options.AverageCPC = true
	refuse := func(format string, args ...any) (market, error) {
		return market{}, provider.Errorf(provider.BadQuery, "Google Ads", format, args...)
	}
	if country != "" {
		region, err := language.ParseRegion(country)
		if err != nil || region.M49() == 0 || !region.IsCountry() {
			return refuse("Google Ads knows no country %s.", strings.ToUpper(country))
		}
		m.Geo = []string{fmt.Sprintf("geoTargetConstants/%d", 2000+region.M49())} // 2000 and the number of ISO 3166-1
	}
	if tongue != "" {
		id := languageConstant(tongue)
		if id == 0 {
			return refuse("Google Ads knows no language %s.", tongue)
		}
		m.Language = fmt.Sprintf("languageConstants/%d", id)
	}
	if location != "" {
		target, err := p.geoTarget(ctx, location, country)
		if err != nil {
			return market{}, err
		}
		m.Geo = []string{target}
	}
	return m, nil
}

func languageConstant(tag string) int {
	tag = strings.ToLower(tag)
	bare, _, _ := strings.Cut(tag, "-")
	if id := languageConstants[tag]; id != 0 {
		return id
	}
	return languageConstants[bare]
}

// languageConstants are the numbers that Google Ads gives to languages.
var languageConstants = map[string]int{
	"en": 1000, "de": 1001, "fr": 1002, "es": 1003, "it": 1004, "ja": 1005, "da": 1009, "nl": 1010, "fi": 1011, "ko": 1012,
	"no": 1013, "nb": 1013, "nn": 1013, "pt": 1014, "sv": 1015,
	"zh": 1017, "zh-cn": 1017, "zh-hans": 1017, "zh-tw": 1018, "zh-hk": 1018, "zh-hant": 1018,
	"ar": 1019, "bg": 1020, "cs": 1021, "el": 1022, "hi": 1023, "hu": 1024, "id": 1025, "is": 1026, "he": 1027, "iw": 1027,
	"lv": 1028, "lt": 1029, "pl": 1030, "ru": 1031, "ro": 1032, "sk": 1033, "sl": 1034, "sr": 1035, "uk": 1036, "tr": 1037,
	"ca": 1038, "hr": 1039, "vi": 1040, "ur": 1041, "tl": 1042, "fil": 1042, "et": 1043, "th": 1044, "bn": 1056, "fa": 1064,
	"gu": 1072, "kn": 1086, "ml": 1098, "mr": 1101, "ms": 1102, "pa": 1110, "ta": 1130, "te": 1131,
}
