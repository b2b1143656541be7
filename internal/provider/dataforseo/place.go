package dataforseo

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// placePrice is that of a live look-up, in US dollars.
const placePrice = 0.0054

// place is a row of a map search, or the profile of a business.
type place struct {
	Type          string    `json:"type"`
	Title         wire.Text `json:"title"`
	OriginalTitle wire.Text `json:"original_title"` // null where Google has not translated the name
	Address       wire.Text `json:"address"`
	AddressInfo   *struct {
		CountryCode wire.Text `json:"country_code"`
	} `json:"address_info"`
	PlaceID    wire.Text   `json:"place_id"`
	CID        wire.Text   `json:"cid"`
	FeatureID  wire.Text   `json:"feature_id"`
	Latitude   wire.Number `json:"latitude"`
	Longitude  wire.Number `json:"longitude"`
	Phone      wire.Text   `json:"phone"`
	URL        wire.Text   `json:"url"`
	Category   wire.Text   `json:"category"`
	Categories []wire.Text `json:"additional_categories"`
	Rating     *struct {
		Value wire.Number `json:"value"`
		Votes wire.Number `json:"votes_count"`
	} `json:"rating"`
	WorkHours *workHours `json:"work_hours"` // in a map search
	WorkTime  *struct {
		WorkHours *workHours `json:"work_hours"`
	} `json:"work_time"` // in a profile
}

// workHours are the spans of each day by its name, null on a day off.
type workHours struct {
	Timetable map[string][]struct {
		Open  *timeOfDay `json:"open"`
		Close *timeOfDay `json:"close"`
	} `json:"timetable"`
	CurrentStatus string `json:"current_status"`
}

type timeOfDay struct {
	Hour   int `json:"hour"`
	Minute int `json:"minute"`
}

// placeTask looks a business up by an id, which is written where its name could be.
type placeTask struct {
	Keyword      string `json:"keyword"`
	LocationCode int    `json:"location_code"`
	LanguageCode string `json:"language_code"`
}

// FindPlace asks for the profile of a business, whatever the mode. The location and the language must be given, and do not
// matter to an id.
func (p *Provider) FindPlace(ctx context.Context, placeID string) (provider.Business, error) {
	if err := provider.CheckPlaceID(placeID); err != nil {
		return provider.Business{}, err
	}
	keyword := "place_id:" + placeID
	wantCID, isCID := provider.ParseCID(placeID)
	if isCID {
		keyword = "cid:" + wantCID
	} else {
		wantCID, _ = provider.CIDOf(placeID)
	}
	rows, err := post[listing[place]](ctx, p, "/v3/business_data/google/my_business_info/live", placeTask{Keyword: escaped(keyword), LocationCode: defaultCountry, LanguageCode: defaultLanguage}, placePrice)
	if err != nil {
		return provider.Business{}, err
	}
	list, err := listed(p, rows)
	if err != nil {
		return provider.Business{}, err
	}
	for _, row := range list.Items {
		b := row.business()
		if b.PlaceID == placeID || (wantCID != "" && b.CID == wantCID) {
			if b.PlaceID == "" && !isCID {
				b.PlaceID = placeID
			}
			return b, nil
		}
	}
	return provider.Business{}, provider.Errorf(provider.NotFound, title, "DataForSEO knows no place with the id %s.", placeID)
}

func (r place) business() provider.Business {
	b := provider.Business{
		PlaceID: string(r.PlaceID),
		CID:     r.cid(),
		Name:    string(cmp.Or(r.OriginalTitle, r.Title)),
		Address: string(r.Address),
		Lat:     float64(r.Latitude),
		Lng:     float64(r.Longitude),
		Phone:   string(r.Phone),
		Website: string(r.URL),
	}
	if r.AddressInfo != nil && len(r.AddressInfo.CountryCode) == 2 {
		b.CountryCode = strings.ToUpper(string(r.AddressInfo.CountryCode))
	}
	if r.Rating != nil {
		b.Rating = float64(r.Rating.Value)
		b.Reviews = r.Rating.Votes.Count()
	}
	for _, category := range append([]wire.Text{r.Category}, r.Categories...) {
		if category != "" {
			b.Categories = append(b.Categories, string(category))
		}
	}
	hours := r.WorkHours
	if r.WorkTime != nil && r.WorkTime.WorkHours != nil {
		hours = r.WorkTime.WorkHours
	}
	if hours != nil {
		b.Hours, b.Closed = hours.week(), hours.closed()
	}
	return b
}

// cid is the row's own, or what its other ids say.
func (r place) cid() string {
	for _, id := range []wire.Text{r.CID, r.FeatureID} {
		if cid, ok := provider.ParseCID(string(id)); ok {
			return cid
		}
	}
	cid, _ := provider.CIDOf(string(r.PlaceID))
	return cid
}

func (h workHours) closed() provider.Closed {
	switch h.CurrentStatus {
	case "temporarily_closed":
		return provider.ClosedTemporarily
	case "closed_forever":
		return provider.ClosedForGood
	default:
		return "" // whether it is open at this moment
	}
}

// week is nil where no day has hours, which says that they are unknown, and where one cannot be read.
func (h workHours) week() *provider.Hours {
	var week provider.Hours
	known := false
	for day := range time.Weekday(7) {
		for _, span := range h.Timetable[strings.ToLower(day.String())] {
			from, ok := span.Open.minutes()
			to, also := span.Close.minutes()
			if !ok || !also {
				return nil
			}
			if to <= from {
				to += 24 * 60 // it closes after midnight, or never
			}
			week[day] = append(week[day], provider.Span{From: from, To: to})
			known = true
		}
	}
	if !known {
		return nil
	}
	return &week
}

func (t *timeOfDay) minutes() (int, bool) {
	if t == nil || t.Hour < 0 || t.Hour > 24 || t.Minute < 0 || t.Minute > 59 {
		return 0, false
	}
	return t.Hour*60 + t.Minute, true
}
