package rankwatch

import (
	"context"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Prefix is the base path of the area.
const Prefix = "/_api/v3"

// Scheme is how the area's requests are signed: X-Access-Token: <API_KEY>.
var Scheme = httpapi.Scheme{Header: "X-Access-Token", Kind: account.Key}

// Mount registers every operation of rank tracking.
func (s *Service) Mount(a *httpapi.Area) {
	const (
		trackings   = "/rankwatch/trackings"
		tracking    = trackings + "/{tracking_id}"
		keywords    = tracking + "/tracked-keywords"
		tags        = tracking + "/tags"
		annotations = tracking + "/annotations"
	)
	op := func(id, method, path, tag, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: tag, Summary: summary, Help: help}
	}
	made := func(o httpapi.Op) httpapi.Op { o.Status = http.StatusCreated; return o }
	open := func(o httpapi.Op) httpapi.Op { o.Shared = s.sharedBy; return o }

	httpapi.ChangePlain(a, made(op("create-tracking", http.MethodPost, trackings, "Trackings", "Track a domain", "Its keywords are checked at once and then every day (UTC).").Requires("domain", "location_id", "platform_id", "keywords")), s.createTracking)
	httpapi.ReadPlain(a, op("list-trackings", http.MethodGet, trackings, "Trackings", "List trackings", "Newest first, each with its stats for the days asked for."), s.listTrackings)
	httpapi.ChangePlain(a, op("update-tracking", http.MethodPatch, tracking, "Trackings", "Change a tracking", "Its domain, how it is checked, or whether it is shared. Only what is sent changes.").Fails(errs.Conflict), s.updateTracking)
	httpapi.ChangeSilent(a, op("delete-tracking", http.MethodDelete, tracking, "Trackings", "Delete a tracking", "It is no longer checked and gives its places in the plan back; lists show it with is_with_deleted."), s.deleteTracking)
	httpapi.ReadPlain(a, open(op("get-tracking", http.MethodGet, tracking+"/detail", "Trackings", "Get a tracking and its keywords", "With a share_token no key is needed.")), s.getTracking)
	httpapi.ReadPlain(a, open(op("get-stats", http.MethodPost, tracking+"/stats", "Trackings", "Get ranking stats", "The last 30 days when nothing else is asked for, at most 400. With a share_token no key is needed.")), s.getStats)

	httpapi.ReadPlain(a, op("list-tracked-keywords", http.MethodGet, keywords, "Tracked keywords", "List tracked keywords", "In the order in which they were added."), s.listKeywords)
	httpapi.ChangePlain(a, made(op("add-tracked-keywords", http.MethodPost, keywords, "Tracked keywords", "Track further keywords", "Those that are tracked already are not added again, but get the tags. Those that were once tracked return with their history.").Requires("keywords")), s.addKeywords)
	httpapi.ChangeSilent(a, op("remove-tracked-keywords", http.MethodDelete, keywords, "Tracked keywords", "Stop tracking keywords", "Their history is kept and returns when they are added again.").Requires("tracked_keyword_ids"), s.removeKeywords)
	httpapi.ReadPlain(a, op("get-tracked-keyword", http.MethodGet, keywords+"/{tracked_keyword_id}", "Tracked keywords", "Get a tracked keyword and its checks", ""), s.getKeyword)

	httpapi.ReadPlain(a, op("list-all-tags", http.MethodGet, "/rankwatch/tags", "Tags", "List the tags of all trackings", "Newest first."), s.listAllTags)
	httpapi.ReadPlain(a, op("list-tags", http.MethodGet, tags, "Tags", "List the tags of a tracking", "Newest first."), s.listTags)
	httpapi.ChangePlain(a, made(op("create-tag", http.MethodPost, tags, "Tags", "Make a tag", "").Requires("name", "color")), s.createTag)
	httpapi.ChangeSilent(a, op("update-tag", http.MethodPut, tags+"/{tag_id}", "Tags", "Change a tag", ""), s.updateTag)
	httpapi.ChangeSilent(a, op("delete-tag", http.MethodDelete, tags+"/{tag_id}", "Tags", "Delete a tag", "It is taken from all keywords."), s.deleteTag)
	httpapi.ChangeSilent(a, op("assign-tags", http.MethodPost, tags+"/assign", "Tags", "Give keywords tags", "Every tag to every keyword, or nothing at all. Repeating it does no harm.").Requires("keyword_ids", "tag_ids"), s.assign(tie))
	httpapi.ChangeSilent(a, op("unassign-tags", http.MethodPost, tags+"/unassign", "Tags", "Take tags from keywords", "Every tag from every keyword, or nothing at all. Repeating it does no harm.").Requires("keyword_ids", "tag_ids"), s.assign(untie))

	httpapi.ChangePlain(a, made(op("create-annotation", http.MethodPost, annotations, "Annotations", "Remark on a day", "Remarks come back with the stats.").Requires("date", "text")), s.createAnnotation)
	httpapi.ChangeSilent(a, op("update-annotation", http.MethodPut, annotations+"/{annotation_id}", "Annotations", "Change a remark", ""), s.updateAnnotation)
	httpapi.ChangeSilent(a, op("delete-annotation", http.MethodDelete, annotations+"/{annotation_id}", "Annotations", "Delete a remark", ""), s.deleteAnnotation)
}

// TrackingPath names a tracking.
type TrackingPath struct {
	ID string `path:"tracking_id"`
}

// TrackingCreated answers the creation of a tracking.
type TrackingCreated struct {
	Tracking Tracking         `json:"tracking"`
	Keywords []TrackedKeyword `json:"keywords" nullable:"false"`
	Reports  []string         `json:"reports" nullable:"false" doc:"Email reports; there are none."`
	Processing
}

// Processing says when new keywords will have been checked.
type Processing struct {
	Estimate          int  `json:"estimatedTimeProcessing" doc:"Seconds until they are checked, about."`
	Postponed         bool `json:"postponed_processing" doc:"Some are checked only tomorrow."`
	PostponedKeywords int  `json:"postponed_keywords" doc:"How many: they had been tracked before and were checked today; what was found then is shown."`
}

type createTrackingInput struct {
	Body struct {
		Domain     httpapi.Field[string]        `json:"domain" required:"false" doc:"Host, or URL prefix such as example.com/shop. Required."`
		LocationID httpapi.Field[int]           `json:"location_id" required:"false" doc:"From /shared/locations; 0 is anywhere. Required."`
		PlatformID httpapi.Field[int]           `json:"platform_id" required:"false" doc:"1 desktop, 2 mobile. Required."`
		Keywords   httpapi.Field[[]KeywordText] `json:"keywords" required:"false" doc:"1 to the plan's limit, each at most 80 characters and 10 words; repeated ones count once. Required."`
	}
}

func (in *createTrackingInput) check(web provider.Descriptor) (tracking, []wanted, error) {
	var ps problems
	var t tracking
	var want []wanted
	if required(&ps, "domain", &in.Body.Domain) {
		t.target = ps.target(in.Body.Domain.Value)
	}
	if required(&ps, "location_id", &in.Body.LocationID) {
		l, ok := location.Get(in.Body.LocationID.Value)
		if !ok {
			ps.add("location_id", errs.InvalidValue, "There is no location %d; find one with /shared/locations.", in.Body.LocationID.Value)
		}
		t.locationID = l.ID // a place may have more ids than its own
	}
	if required(&ps, "platform_id", &in.Body.PlatformID) {
		t.platformID = in.Body.PlatformID.Value
		ps.platform(&t, web)
	}
	if required(&ps, "keywords", &in.Body.Keywords) {
		want = ps.keywords(in.Body.Keywords.Value)
	}
	return t, want, errs.Problems(ps)
}

func (s *Service) createTracking(ctx context.Context, in *createTrackingInput) (httpapi.Apply[TrackingCreated], error) {
	who := httpapi.Who(ctx)
	t, want, err := in.check(s.web.Describe())
	if err != nil {
		return nil, err
	}
	if len(want) > who.Plan.Keywords { // nothing is looked up for so many; the transaction counts them
		return nil, errs.With(errs.Quota, errs.KeywordLimitReached, "The plan allows %d tracked keywords; these are %d.", who.Plan.Keywords, len(want))
	}
	t.accountID = who.AccountID
	demand, err := s.demandOf(ctx, &t, texts(want))
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (TrackingCreated, error) {
		t, added, err := s.create(ctx, tx, t, want)
		if err != nil {
			return TrackingCreated{}, err
		}
		shown, err := s.showKeywords(&t, added.keywords, demand, nil)
		return TrackingCreated{Tracking: s.show(&t, idsOf(added.keywords)), Keywords: shown, Reports: []string{}, Processing: s.processing(added)}, err
	}, nil
}

func (s *Service) processing(a addition) Processing {
	p := Processing{Postponed: a.postponed > 0, PostponedKeywords: a.postponed}
	if a.queued > 0 {
		p.Estimate = s.estimate(a.waiting + a.queued)
	}
	return p
}

func idsOf(keywords []trackedKeyword) []string {
	ids := make([]string, len(keywords))
	for i, k := range keywords {
		ids[i] = k.id
	}
	return ids
}

// TrackingUpdated answers a change of a tracking.
type TrackingUpdated struct {
	Tracking   Tracking                  `json:"tracking"`
	Annotation httpapi.Field[Annotation] `json:"annotation" doc:"The remark about another domain; null without one."`
}

type updateTrackingInput struct {
	TrackingPath
	Body struct {
		Domain httpapi.Field[string]      `json:"domain" required:"false" doc:"Host or URL prefix."`
		Config httpapi.Field[ConfigInput] `json:"tracking_config" required:"false"`
		Shared httpapi.Field[bool]        `json:"shared" required:"false" doc:"false withdraws the share token for good; true makes a new one when there is none."`
	}
}

func (s *Service) updateTracking(ctx context.Context, in *updateTrackingInput) (httpapi.Apply[TrackingUpdated], error) {
	var ps problems
	var c change
	if optional(&ps, "domain", &in.Body.Domain) {
		target := ps.target(in.Body.Domain.Value)
		c.target = &target
	}
	if optional(&ps, "tracking_config", &in.Body.Config) {
		c.config = &in.Body.Config.Value
		c.config.check(&ps)
	}
	if optional(&ps, "shared", &in.Body.Shared) {
		c.shared = &in.Body.Shared.Value
	}
	if c == (change{}) && len(ps) == 0 {
		ps.add("", errs.NotSpecified, "Nothing to change was sent: domain, tracking_config or shared.")
	}
	if err := errs.Problems(ps); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (TrackingUpdated, error) {
		t, remark, err := s.update(ctx, tx, who.AccountID, in.ID, c)
		if err != nil {
			return TrackingUpdated{}, err
		}
		keywords, err := keywordsOf(ctx, tx, t.id, false)
		updated := TrackingUpdated{Tracking: s.show(&t, idsOf(keywords))}
		if remark != nil {
			updated.Annotation = httpapi.Of(*remark)
		}
		return updated, err
	}, nil
}

func (s *Service) deleteTracking(ctx context.Context, in *TrackingPath) (httpapi.Apply[httpapi.Empty], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
		return httpapi.Empty{}, s.delete(ctx, tx, who.AccountID, in.ID)
	}, nil
}
