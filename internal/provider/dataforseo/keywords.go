package dataforseo

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// volumePrice is that of a question about up to a thousand keywords, in US dollars.
const volumePrice = 0.075

// What Google Ads takes as a keyword. One that it does not take spoils the whole question.
const (
	maxAdsKeyword = 80 // characters
	maxAdsWords   = 10
	maxLookUp     = 20 * maxRows
)

// volumeTask asks Google Ads, which knows cities too; without a location it answers for the whole world.
type volumeTask struct {
	Keywords       []string `json:"keywords"`
	LocationName   string   `json:"location_name,omitempty"`
	LocationCode   int      `json:"location_code,omitempty"`
	LanguageCode   string   `json:"language_code,omitempty"`
	SearchPartners bool     `json:"search_partners"`
}

// volumeRow is what Google Ads tells of a keyword; all is null of one that it does not know.
type volumeRow struct {
	Keyword     wire.Text     `json:"keyword"`
	Volume      *float64      `json:"search_volume"`
	CPC         *float64      `json:"cpc"`
	Competition *float64      `json:"competition_index"` // 0 to 100
	Monthly     []monthVolume `json:"monthly_searches"`
}

// difficultyTask asks DataForSEO's own database.
type difficultyTask struct {
	Keywords []string `json:"keywords"`
	market
}

type difficultyRow struct {
	Keyword    wire.Text `json:"keyword"`
	Difficulty *float64  `json:"keyword_difficulty"`
}

// LookUpKeywords asks for search volume, and for difficulty where that is set, a thousand keywords at a time. Similar keywords
// share one volume.
func (p *Provider) LookUpKeywords(ctx context.Context, q provider.KeywordQuery) ([]provider.KeywordFigures, error) {
	if len(q.Keywords) > maxLookUp {
		return nil, provider.Errorf(provider.BadQuery, title, "At most %d keywords are looked up at once, not %d.", maxLookUp, len(q.Keywords))
	}
	in, err := marketOf(q.Country, q.Language)
	if err != nil {
		return nil, err
	}
	spellings, asked := forAds(q.Keywords)
	known := map[string]provider.KeywordFigures{}
	first := true
	for batch := range slices.Chunk(asked, maxRows) {
		if err := p.addVolumes(ctx, q, in, batch, known, first); err != nil {
			return nil, err
		}
		first = false
		if !p.opts.Difficulty {
			continue
		}
		if err := p.addDifficulty(ctx, in, batch, known); err != nil {
			return nil, err
		}
	}
	var found []provider.KeywordFigures
	for _, keyword := range asked {
		if f, ok := known[keyword]; ok {
			for _, spelling := range spellings[keyword] {
				f.Keyword = spelling
				found = append(found, f)
			}
		}
	}
	return found, nil
}

func (p *Provider) addVolumes(ctx context.Context, q provider.KeywordQuery, in market, batch []string, known map[string]provider.KeywordFigures, first bool) error {
	if err := p.volumes.wait(ctx, p.clock.Now()); err != nil {
		return err
	}
	if !first {
		if err := provider.Turn(ctx); err != nil {
			return err
		}
	}
	task := volumeTask{Keywords: batch, LocationName: q.Location, LanguageCode: adsLanguage(in.LanguageCode)}
	if q.Location == "" {
		task.LocationCode = in.LocationCode
	}
	rows, err := post[volumeRow](ctx, p, "/v3/keywords_data/google_ads/search_volume/live", task, volumePrice)
	if err != nil {
		return err
	}
	for _, row := range rows {
		f := provider.KeywordFigures{Volume: count(row.Volume), CPC: row.CPC, Competition: row.Competition, Monthly: oldestFirst(row.Monthly)}
		if f.Volume != nil || f.CPC != nil || f.Competition != nil || f.Monthly != nil {
			known[string(row.Keyword)] = f
		}
	}
	return nil
}

// addDifficulty leaves it unknown in a market that the database does not have, where Google Ads may.
func (p *Provider) addDifficulty(ctx context.Context, in market, batch []string, known map[string]provider.KeywordFigures) error {
	if err := provider.Turn(ctx); err != nil {
		return err
	}
	list, err := labs[difficultyRow](ctx, p, "bulk_keyword_difficulty", difficultyTask{Keywords: batch, market: in.filled()}, len(batch))
	if provider.KindOf(err) == provider.BadQuery {
		return nil
	}
	for _, row := range list.Items {
		if row.Difficulty != nil {
			f := known[string(row.Keyword)]
			f.Difficulty = row.Difficulty
			known[string(row.Keyword)] = f
		}
	}
	return err
}

// adsLanguage writes the two that are Chinese as Google Ads does.
func adsLanguage(language string) string { return strings.ReplaceAll(language, "-", "_") }

// forAds brings keywords into the form that Google Ads takes and answers with, and keeps how each was spelled. Those that have
// none are left out: nobody knows them.
func forAds(keywords []string) (spellings map[string][]string, asked []string) {
	spellings = map[string][]string{}
	for _, keyword := range keywords {
		words := strings.Fields(strings.Map(adsRune, strings.ToLower(keyword)))
		plain := strings.Join(words, " ")
		if plain == "" || len(words) > maxAdsWords || utf8.RuneCountInString(plain) > maxAdsKeyword {
			continue
		}
		if spellings[plain] == nil {
			asked = append(asked, plain)
		}
		if !slices.Contains(spellings[plain], keyword) {
			spellings[plain] = append(spellings[plain], keyword)
		}
	}
	return spellings, asked
}

// adsRune turns symbols, which Google Ads refuses and does not tell keywords apart by, into spaces.
func adsRune(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || strings.ContainsRune("&'+-./#$:_", r) {
		return r
	}
	return ' '
}
