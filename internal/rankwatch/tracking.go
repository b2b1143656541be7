package rankwatch

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/source"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Tracking is a domain watched in one market, as the API shows it.
type Tracking struct {
	ID            string           `json:"_id"`
	Domain        string           `json:"domain" doc:"Without scheme and www.; with a path it stands for the URLs below that path."`
	Location      TrackingLocation `json:"location"`
	PlatformID    int              `json:"platform_id" enum:"1,2" doc:"1 desktop, 2 mobile."`
	Count         int              `json:"count" doc:"Tracked keywords."`
	KeywordIDs    []string         `json:"tracked_keyword_ids" nullable:"false"`
	Config        Config           `json:"tracking_config"`
	ShareToken    *string          `json:"share_token" doc:"Reads detail and stats without a key; null when the tracking is not shared."`
	CreatedAt     int64            `json:"created_at" doc:"Unix seconds."`
	IsDeleted     bool             `json:"is_deleted"`
	ReportsActive []int            `json:"reports_active" nullable:"false" doc:"Kinds of alerts that are switched on for it: 1 places lost, 2 places won, 3 out of and 4 into the top, 5 not found, 6 snippet won, 7 snippet lost, 8 a rival passes."`
	Stats         *TrackingStats   `json:"stats,omitempty" doc:"In the list of trackings only."`
}

// TrackingStats is the state of a tracking on each day of a range.
type TrackingStats struct {
	Timeframes map[string]formula.StatsItem `json:"timeframes" doc:"By day, YYYY-MM-DD."`
}

// TrackingLocation is the place that a tracking searches from.
type TrackingLocation struct {
	ID    int     `json:"_id" doc:"0 is anywhere."`
	Label string  `json:"label"`
	Code  *string `json:"code" doc:"ISO 3166-1 alpha-2 in lower case; null for anywhere."`
}

// Config is how a tracking is checked. Null stands for nothing said.
type Config struct {
	PlaceID *string `json:"place_id" doc:"Place id of the business."`
	LudoCID *string `json:"ludocid" doc:"CID of the business."`
	Name    *string `json:"name" doc:"Name of the business: an entry of the map pack with this name counts as the target's, beside those with its website."`
	Address *string `json:"address" doc:"Address of the business."`
	Depth   *int    `json:"depth" doc:"Organic results to look at; null is the default of the service."`
}

// tracking is a stored tracking.
type tracking struct {
	id, accountID string
	target        webtarget.Target
	locationID    int
	platformID    int
	config        Config
	shareToken    *string
	createdAt     time.Time
	deleted       bool
}

const (
	desktop = 1
	mobile  = 2
)

func (t *tracking) device() provider.Device {
	if t.platformID == mobile {
		return provider.Mobile
	}
	return provider.Desktop
}

// name tells the tracking apart from others of the same domain.
func (t *tracking) name() string {
	return alertrule.TrackingName(t.target.String(), t.locationID, t.platformID)
}

// sharedBy tells whether a token opens the tracking.
func (t *tracking) sharedBy(token string) bool {
	return !t.deleted && httpapi.Opens(t.shareToken, token)
}

// show is the tracking as the API shows it.
func (t *tracking) show(keywordIDs []string) Tracking {
	if keywordIDs == nil {
		keywordIDs = []string{}
	}
	shown := Tracking{
		ID: t.id, Domain: t.target.Display(), PlatformID: t.platformID, Count: len(keywordIDs), KeywordIDs: keywordIDs,
		Config: t.config, ShareToken: t.shareToken, CreatedAt: t.createdAt.Unix(), IsDeleted: t.deleted,
		Location: TrackingLocation{ID: t.locationID}, ReportsActive: []int{},
	}
	if l, ok := location.Get(t.locationID); ok {
		shown.Location.Label = l.Label
		if l.Code != "" {
			shown.Location.Code = &l.Code
		}
	}
	return shown
}

func noTracking(id string) error { return errs.New(errs.NotFound, "There is no tracking %.64q.", id) }

// readTarget reads the domain or URL prefix of a request.
func readTarget(problems *errs.Problems, domain string) webtarget.Target {
	t, err := webtarget.Parse(domain)
	var e *errs.Error
	if errors.As(err, &e) {
		for _, d := range e.Details {
			problems.Add("domain", d.Status, "domain: %s", d.Message)
		}
	} else if err != nil {
		problems.Add("domain", errs.InvalidValue, "domain: it cannot be read.")
	}
	return t
}

// at is keywords where the tracking looks for them.
func (t *tracking) at(keywords []string) []serp.KeywordAt {
	list := make([]serp.KeywordAt, len(keywords))
	for i, kw := range keywords {
		list[i] = serp.KeywordAt{Keyword: kw, LocationID: t.locationID}
	}
	return list
}

// checkMarket refuses a platform that does not exist, or that no provider can search as, or not from the tracking's place.
func checkMarket(problems *errs.Problems, t *tracking, sources source.Chain[WebProvider]) {
	place, _ := location.Get(t.locationID)
	able := sources.As(t.device(), place.Locality())[0].Describe() // the first of all of them where none is able
	switch {
	case t.platformID != desktop && t.platformID != mobile:
		problems.Add("platform_id", errs.InvalidValue, "platform_id must be 1 (desktop) or 2 (mobile), not %d.", t.platformID)
	case !able.SearchesAs(t.device()):
		problems.Add("platform_id", errs.InvalidValue, "platform_id %d cannot be checked: %s does not search as a %s device.", t.platformID, sources.Titles(), t.device())
	case !able.SearchesFrom(place.Locality()):
		problems.Add("location_id", errs.InvalidValue, "location_id: %s cannot be checked: %s searches from whole countries only.", place.Label, sources.Titles())
	}
}

// Bounds of the texts of a config.
const (
	maxConfigText = 255
	minDepth      = 10
)

// ConfigInput changes a config: what is null is cleared, what is absent stays.
type ConfigInput struct {
	PlaceID httpapi.Field[string] `json:"place_id" required:"false" doc:"At most 255 characters."`
	LudoCID httpapi.Field[string] `json:"ludocid" required:"false" doc:"At most 255 characters."`
	Name    httpapi.Field[string] `json:"name" required:"false" doc:"At most 255 characters."`
	Address httpapi.Field[string] `json:"address" required:"false" doc:"At most 255 characters."`
	Depth   httpapi.Field[int]    `json:"depth" required:"false" doc:"10 to 200."`
}

func (in *ConfigInput) check(problems *errs.Problems) {
	for name, f := range map[string]*httpapi.Field[string]{"place_id": &in.PlaceID, "ludocid": &in.LudoCID, "name": &in.Name, "address": &in.Address} {
		field := "tracking_config." + name
		if !f.Given(problems, field) {
			continue
		}
		if n := utf8.RuneCountInString(f.Value); n > maxConfigText {
			problems.Add(field, errs.TooLong, "%s has %d characters; at most %d are allowed.", field, n, maxConfigText)
		}
	}
	if in.Depth.Given(problems, "tracking_config.depth") && (in.Depth.Value < minDepth || in.Depth.Value > provider.MaxWebDepth) {
		problems.Add("tracking_config.depth", errs.InvalidValue, "tracking_config.depth must be %d to %d, not %d.", minDepth, provider.MaxWebDepth, in.Depth.Value)
	}
}

func (in *ConfigInput) apply(c *Config) {
	set := func(to **string, f httpapi.Field[string]) {
		if !f.Set {
			return
		}
		*to = nil
		if text := strings.TrimSpace(f.Value); text != "" {
			*to = &text
		}
	}
	set(&c.PlaceID, in.PlaceID)
	set(&c.LudoCID, in.LudoCID)
	set(&c.Name, in.Name)
	set(&c.Address, in.Address)
	if in.Depth.Set {
		c.Depth = nil
		if !in.Depth.Null {
			c.Depth = &in.Depth.Value
		}
	}
}
