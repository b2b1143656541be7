package profiletest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// refusal is an error as Google writes it.
type refusal struct {
	status int
	name   string
	words  string
	fields [][2]string // violations: field and description
}

var unauthenticated = &refusal{status: 401, name: "UNAUTHENTICATED", words: "Request had invalid authentication credentials."}

func (r *refusal) write(w http.ResponseWriter) {
	body := Object{"code": r.status, "message": r.words, "status": r.name}
	if len(r.fields) > 0 {
		var violations []Object
		for _, f := range r.fields {
			violations = append(violations, Object{"field": f[0], "description": f[1]})
		}
		body["details"] = []Object{{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": violations}}
	}
	w.WriteHeader(r.status)
	_ = json.NewEncoder(w).Encode(Object{"error": body})
}

func invalid(field, description string) *refusal {
	return &refusal{status: 400, name: "INVALID_ARGUMENT", words: "Request contains an invalid argument.", fields: [][2]string{{field, description}}}
}

var notFound = &refusal{status: 404, name: "NOT_FOUND", words: "Requested entity was not found."}

// page cuts a list into pages of one, which Google may do whatever was asked for.
func page(r *http.Request, key string, items []Object) Object {
	at, _ := strconv.Atoi(r.URL.Query().Get("pageToken"))
	if at >= len(items) {
		return Object{}
	}
	answer := Object{key: items[at : at+1]}
	if at+1 < len(items) {
		answer["nextPageToken"] = strconv.Itoa(at + 1)
	}
	return answer
}

func (g *Google) listAccounts(r *http.Request) (any, *refusal) {
	return page(r, "accounts", g.accounts), nil
}

func (g *Google) listLocations(r *http.Request) (any, *refusal) {
	if r.URL.Query().Get("readMask") == "" {
		return nil, invalid("read_mask", "Field is required")
	}
	field, value, ok := strings.Cut(r.URL.Query().Get("filter"), "=")
	value, err := strconv.Unquote(value)
	if !ok || err != nil {
		return nil, invalid("filter", "Filter is malformed")
	}
	var found []Object
	for _, p := range g.profiles {
		text, _ := p.location[field].(string)
		if p.account == "accounts/"+r.PathValue("account") && strings.Contains(strings.ToLower(text), strings.ToLower(value)) {
			found = append(found, p.location)
		}
	}
	return page(r, "locations", found), nil
}

func (g *Google) createLocation(r *http.Request) (any, *refusal) {
	location, refused := body(r)
	if refused != nil {
		return nil, refused
	}
	id := r.URL.Query().Get("requestId")
	if id == "" || len(id) > 50 {
		return nil, invalid("request_id", "Must have 1 to 50 characters")
	}
	if name, again := g.requests[id]; again {
		return g.find(name).location, nil
	}
	if refused := g.check(location); refused != nil {
		return nil, refused
	}
	g.requests[id] = g.add("accounts/"+r.PathValue("account"), location)
	return location, nil
}

func (g *Google) search(r *http.Request) (any, *refusal) {
	asked, refused := body(r)
	if refused != nil {
		return nil, refused
	}
	if asked["location"] == nil {
		return nil, invalid("location", "Field is required")
	}
	return Object{"googleLocations": g.owned}, nil
}

func (g *Google) getLocation(r *http.Request) (any, *refusal) {
	p := g.find("locations/" + r.PathValue("location"))
	if p == nil {
		return nil, notFound
	}
	mask := r.URL.Query().Get("readMask")
	if mask == "" {
		return nil, invalid("read_mask", "Field is required")
	}
	shown := Object{}
	for field := range strings.SplitSeq(mask, ",") {
		if v, ok := p.location[field]; ok {
			shown[field] = v
		}
	}
	return shown, nil
}

// writable are the fields that a mask may name; some only in part.
var writable = []string{
	"storeCode", "title", "phoneNumbers", "phoneNumbers.primaryPhone", "categories", "storefrontAddress", "websiteUri", "latlng", "regularHours", "specialHours",
	"moreHours", "serviceArea", "openInfo.status", "profile.description",
}

func (g *Google) patchLocation(r *http.Request) (any, *refusal) {
	p := g.find("locations/" + r.PathValue("location"))
	if p == nil {
		return nil, notFound
	}
	change, refused := body(r)
	if refused != nil {
		return nil, refused
	}
	mask := r.URL.Query().Get("updateMask")
	if mask == "" {
		return nil, invalid("update_mask", "Field is required")
	}
	after := maps.Clone(p.location)
	for path := range strings.SplitSeq(mask, ",") {
		if !slices.Contains(writable, path) {
			return nil, invalid("update_mask", "Unknown path "+path)
		}
		field, part, nested := strings.Cut(path, ".")
		value, ok := change[field]
		switch {
		case !ok:
			delete(after, field)
		case nested:
			whole, _ := after[field].(Object)
			whole = maps.Clone(whole)
			if whole == nil {
				whole = Object{}
			}
			whole[part] = value.(Object)[part]
			after[field] = whole
		default:
			after[field] = value
		}
	}
	if refused := g.check(after); refused != nil {
		return nil, refused
	}
	if r.URL.Query().Get("validateOnly") == "true" {
		return Object{}, nil
	}
	p.location = after
	return after, nil
}

// check refuses what Google refuses of a location.
func (g *Google) check(l Object) *refusal {
	title, _ := l["title"].(string)
	if title == "" {
		return invalid("title", "Field is required")
	}
	for word, description := range g.forbidden {
		if strings.Contains(title, word) {
			return invalid("title", description)
		}
	}
	c, _ := l["categories"].(Object)
	primary, _ := c["primaryCategory"].(Object)
	name, _ := primary["name"].(string)
	types, known := g.categories[name]
	if !known {
		return invalid("categories.primary_category", "Unknown category "+name)
	}
	area, _ := l["serviceArea"].(Object)
	at, _ := l["storefrontAddress"].(Object)
	if area["businessType"] == "CUSTOMER_LOCATION_ONLY" && (len(at) > 0 || area["regionCode"] == nil) {
		return invalid("storefront_address", "Must be empty for a business that visits its customers")
	}
	if area["businessType"] != "CUSTOMER_LOCATION_ONLY" && at["regionCode"] == nil {
		return invalid("storefront_address.region_code", "Field is required")
	}
	if l["specialHours"] != nil && l["regularHours"] == nil {
		return invalid("special_hours", "Regular hours are required")
	}
	more, _ := l["moreHours"].([]any)
	for _, m := range more {
		if id := m.(Object)["hoursTypeId"].(string); !slices.Contains(types, id) {
			return invalid("more_hours.hours_type_id", "Not offered for the category: "+id)
		}
	}
	return nil
}

func (g *Google) deleteLocation(r *http.Request) (any, *refusal) {
	p := g.find("locations/" + r.PathValue("location"))
	if p == nil {
		return nil, notFound
	}
	g.profiles = slices.DeleteFunc(g.profiles, func(other *profile) bool { return other == p })
	return Object{}, nil
}

func (g *Google) patchAttributes(r *http.Request) (any, *refusal) {
	p := g.find("locations/" + r.PathValue("location"))
	if p == nil {
		return nil, notFound
	}
	change, refused := body(r)
	if refused != nil {
		return nil, refused
	}
	set := Object{}
	list, _ := change["attributes"].([]any)
	for _, a := range list {
		set[a.(Object)["name"].(string)] = a.(Object)["values"].([]any)[0]
	}
	for name := range strings.SplitSeq(r.URL.Query().Get("attributeMask"), ",") {
		if !slices.Contains(offeredAttributes, name) {
			return nil, invalid("attributes", "Not offered: "+name)
		}
		if value, ok := set[name]; ok {
			p.payments[name] = value
		} else {
			delete(p.payments, name)
		}
	}
	return Object{"name": "locations/" + r.PathValue("location") + "/attributes"}, nil
}

var offeredAttributes = []string{"attributes/pay_debit_card", "attributes/pay_mobile_nfc", "attributes/wi_fi"}

func (g *Google) listAttributes(r *http.Request) (any, *refusal) {
	if g.find(r.URL.Query().Get("parent")) == nil {
		return nil, notFound
	}
	var all []Object
	for _, name := range offeredAttributes {
		all = append(all, Object{"parent": name, "valueType": "BOOL"})
	}
	return page(r, "attributeMetadata", all), nil
}

func (g *Google) voiceOfMerchant(r *http.Request) (any, *refusal) {
	p := g.find("locations/" + r.PathValue("location"))
	if p == nil {
		return nil, notFound
	}
	return p.voice, nil
}

func (g *Google) listCategories(r *http.Request) (any, *refusal) {
	prefix, ok := strings.CutPrefix(r.URL.Query().Get("filter"), "displayName=")
	if !ok || r.URL.Query().Get("regionCode") == "" || r.URL.Query().Get("languageCode") == "" {
		return nil, invalid("filter", "Field is required")
	}
	var found []Object
	for called, name := range g.names {
		if strings.HasPrefix(strings.ToLower(called), strings.ToLower(prefix)) {
			found = append(found, Object{"name": name, "displayName": called})
		}
	}
	if found == nil {
		return Object{}, nil
	}
	return Object{"categories": found}, nil
}

func (g *Google) batchCategories(r *http.Request) (any, *refusal) {
	var found []Object
	for _, name := range r.URL.Query()["names"] {
		types, ok := g.categories[name]
		if !ok {
			return nil, invalid("names", "Unknown category "+name)
		}
		entry := Object{"name": name}
		var more []Object
		for _, t := range types {
			more = append(more, Object{"hoursTypeId": t, "displayName": t})
		}
		if r.URL.Query().Get("view") == "FULL" && more != nil {
			entry["moreHoursTypes"] = more
		}
		found = append(found, entry)
	}
	return Object{"categories": found}, nil
}

func (g *Google) pictured(r *http.Request) *profile {
	p := g.find("locations/" + r.PathValue("location"))
	if p == nil || p.account != "accounts/"+r.PathValue("account") {
		return nil
	}
	return p
}

func (g *Google) addMedia(r *http.Request) (any, *refusal) {
	p := g.pictured(r)
	if p == nil {
		return nil, notFound
	}
	item, refused := body(r)
	if refused != nil {
		return nil, refused
	}
	g.media++
	item["name"] = fmt.Sprintf("%s/%s/media/AF1Qip%d", p.account, p.location["name"], g.media)
	p.pictures = append(p.pictures, item)
	return item, nil
}

func (g *Google) listMedia(r *http.Request) (any, *refusal) {
	p := g.pictured(r)
	if p == nil {
		return nil, notFound
	}
	return page(r, "mediaItems", p.pictures), nil
}

func (g *Google) deleteMedia(r *http.Request) (any, *refusal) {
	p := g.pictured(r)
	if p == nil {
		return nil, notFound
	}
	before := len(p.pictures)
	p.pictures = slices.DeleteFunc(p.pictures, func(m Object) bool { return strings.HasSuffix(m["name"].(string), "/"+r.PathValue("media")) })
	if len(p.pictures) == before {
		return nil, notFound
	}
	return Object{}, nil
}

func body(r *http.Request) (Object, *refusal) {
	text, err := io.ReadAll(r.Body)
	var o Object
	if err != nil || json.Unmarshal(text, &o) != nil {
		return nil, &refusal{status: 400, name: "INVALID_ARGUMENT", words: "Invalid JSON payload received."}
	}
	return o, nil
}
