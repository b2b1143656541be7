package rankwatch

import (
	"net/http"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
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
		console     = tracking + "/search-console"
	)
	op := func(id, method, path, tag, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: tag, Summary: summary, Help: help}
	}
	made := func(o httpapi.Op) httpapi.Op { o.Status = http.StatusCreated; return o }
	open := func(o httpapi.Op) httpapi.Op { o.Shared = s.SharedBy; return o }

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

	asks := func(o httpapi.Op) httpapi.Op { o.Time = httpapi.ProviderTime; return o.Fails(errs.Dependency) }
	httpapi.ReadPlain(a, asks(op("list-console-properties", http.MethodGet, console+"/properties", "Search Console", "List the properties of Google Search Console", "Those of the account's connected user, the one that fits the tracking first. 424 says how to connect.")), s.listProperties)
	httpapi.ReadPlain(a, op("get-console-link", http.MethodGet, console, "Search Console", "Tell which property is linked, and what has been fetched", ""), s.getLink)
	httpapi.ChangePlain(a, asks(op("link-console-property", http.MethodPut, console, "Search Console", "Link a property", "Its search performance is fetched at once, the newest days first, and then every day. Final figures come two to three days late; days that were missed are fetched later. Trackings of the same property share what is fetched.")).Requires("site_url").Fails(errs.Dependency), s.linkProperty)
	httpapi.ChangeSilent(a, op("unlink-console-property", http.MethodDelete, console, "Search Console", "Unlink the property", "What was fetched goes with the last tracking that is linked to it."), s.unlinkProperty)
	httpapi.ReadPlain(a, op("list-console-queries", http.MethodGet, console+"/queries", "Search Console", "List what the site was found for", "Real clicks, impressions and mean positions, each impression weighing the same. Rare queries are never told, so that sums are below Google's totals."), s.listQueries)
	httpapi.ReadPlain(a, op("get-console-history", http.MethodGet, console+"/history", "Search Console", "Get a query by day, beside its checked ranks", "Mean positions as Google counts them, and the rank that the check of the day found where the same keyword is tracked."), s.getQueryHistory)
	httpapi.ReadPlain(a, op("list-console-proposals", http.MethodGet, console+"/proposals", "Search Console", "Propose keywords to track", "What the site was found for and the tracking does not track, the most clicked first, then the most shown."), s.listProposals)

	httpapi.ChangePlain(a, made(op("create-annotation", http.MethodPost, annotations, "Annotations", "Remark on a day", "Remarks come back with the stats.").Requires("date", "text")), s.createAnnotation)
	httpapi.ChangeSilent(a, op("update-annotation", http.MethodPut, annotations+"/{annotation_id}", "Annotations", "Change a remark", ""), s.updateAnnotation)
	httpapi.ChangeSilent(a, op("delete-annotation", http.MethodDelete, annotations+"/{annotation_id}", "Annotations", "Delete a remark", ""), s.deleteAnnotation)
}
