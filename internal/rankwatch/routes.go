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
