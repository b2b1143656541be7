// Package profiletest is Google Business Profile for tests: accounts, profiles, attributes, pictures and their verification,
// over real HTTP, kept in memory, as strict as the real one and able to misbehave.
package profiletest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Scope is what a token must allow.
const Scope = "https://www.googleapis.com/auth/business.manage"

// Object is a JSON object.
type Object = map[string]any

// Google is the fake. Its methods may be called while it is asked.
type Google struct {
	URL string

	// Admits tells whether a request carries a token.
	Admits func(r *http.Request) bool

	mu         sync.Mutex
	accounts   []Object
	categories map[string][]string // types of hours by name
	names      map[string]string   // of categories, by what they are called
	profiles   []*profile
	requests   map[string]string // names of profiles by request id
	owned      []Object          // what googleLocations:search finds
	forbidden  map[string]string // description of a violation by a word in a title
	log        []string
	faults     []*fault
	media      int
}

type profile struct {
	account  string
	location Object
	payments Object
	pictures []Object
	voice    Object
}

type fault struct {
	match string // part of "METHOD path"
	done  bool   // the request is worked before it fails
	write func(http.ResponseWriter)
}

// Start starts the fake, which ends with the test. It has a person's account and a group, and the categories of a café.
func Start(t testing.TB) *Google {
	g := &Google{
		accounts: []Object{
			{"name": "accounts/1230000000000000001", "accountName": "Example Owner", "type": "PERSONAL"},
			{"name": "accounts/1230000000000000002", "accountName": "Cafés Söhne", "type": "LOCATION_GROUP", "role": "PRIMARY_OWNER"},
		},
		categories: map[string][]string{"categories/gcid:coffee_shop": {"ACCESS", "DELIVERY", "HAPPY_HOUR"}, "categories/gcid:bakery": {"DELIVERY"}, "categories/gcid:plumber": nil},
		names:      map[string]string{"Coffee shop": "categories/gcid:coffee_shop", "Bakery": "categories/gcid:bakery", "Plumber": "categories/gcid:plumber"},
		requests:   map[string]string{}, forbidden: map[string]string{},
	}
	mux := http.NewServeMux()
	for pattern, handle := range map[string]func(*http.Request) (any, *refusal){
		"GET /v1/accounts":                                                 g.listAccounts,
		"GET /v1/accounts/{account}/locations":                             g.listLocations,
		"POST /v1/accounts/{account}/locations":                            g.createLocation,
		"POST /v1/googleLocations:search":                                  g.search,
		"GET /v1/locations/{location}":                                     g.getLocation,
		"PATCH /v1/locations/{location}":                                   g.patchLocation,
		"DELETE /v1/locations/{location}":                                  g.deleteLocation,
		"PATCH /v1/locations/{location}/attributes":                        g.patchAttributes,
		"GET /v1/locations/{location}/VoiceOfMerchantState":                g.voiceOfMerchant,
		"GET /v1/attributes":                                               g.listAttributes,
		"GET /v1/categories":                                               g.listCategories,
		"GET /v1/categories:batchGet":                                      g.batchCategories,
		"POST /v4/accounts/{account}/locations/{location}/media":           g.addMedia,
		"GET /v4/accounts/{account}/locations/{location}/media":            g.listMedia,
		"DELETE /v4/accounts/{account}/locations/{location}/media/{media}": g.deleteMedia,
	} {
		mux.HandleFunc(pattern, g.serve(handle))
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	g.URL = server.URL
	return g
}

func (g *Google) serve(handle func(*http.Request) (any, *refusal)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if g.Admits != nil && !g.Admits(r) {
			unauthenticated.write(w)
			return
		}
		line := r.Method + " " + r.URL.Path
		broken := g.fault(line)
		if broken != nil && !broken.done {
			broken.write(w)
			return
		}
		answer, refused := handle(r)
		if mask := r.URL.Query().Get("updateMask"); mask != "" {
			line += " " + mask
		}
		if r.URL.Query().Get("validateOnly") == "true" {
			line += " (validate)"
		}
		if refused != nil {
			line += " refused"
		}
		g.log = append(g.log, line)
		switch {
		case broken != nil:
			broken.write(w)
		case refused != nil:
			refused.write(w)
		default:
			_ = json.NewEncoder(w).Encode(answer)
		}
	}
}

func (g *Google) fault(line string) *fault {
	for i, f := range g.faults {
		if strings.Contains(line, f.match) {
			g.faults = slices.Delete(g.faults, i, i+1)
			return f
		}
	}
	return nil
}

// Fail answers the next request whose method and path have this part with a status and a body.
func (g *Google) Fail(match string, status int, body string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults = append(g.faults, &fault{match: match, write: func(w http.ResponseWriter) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}})
}

// Drop does what the next such request wants and breaks the connection instead of answering, as when a process dies.
func (g *Google) Drop(match string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults = append(g.faults, &fault{match: match, done: true, write: func(http.ResponseWriter) { panic(http.ErrAbortHandler) }})
}

// Forbid refuses titles with this word.
func (g *Google) Forbid(word, description string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forbidden[word] = description
}

// Owned makes a business known that somebody else manages.
func (g *Google) Owned(location Object, requestRights string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.owned = append(g.owned, Object{"name": "googleLocations/1", "location": location, "requestAdminRightsUri": requestRights})
}

// Add puts a profile into the group that its owner has made, and returns its name.
func (g *Google) Add(location Object) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.add("accounts/1230000000000000002", location)
}

func (g *Google) add(account string, location Object) string {
	name := "locations/" + strconv.Itoa(4560000000000000001+len(g.profiles))
	location["name"] = name
	location["metadata"] = Object{"canDelete": true}
	g.profiles = append(g.profiles, &profile{account: account, location: location, payments: Object{}, voice: Object{"verify": Object{}}})
	return name
}

// Verify makes a profile one that Google shows.
func (g *Google) Verify(name, placeID string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.find(name)
	p.voice = Object{"hasVoiceOfMerchant": true, "hasBusinessAuthority": true}
	p.location["metadata"] = Object{"canDelete": true, "hasVoiceOfMerchant": true, "placeId": placeID, "mapsUri": "https://maps.google.com/maps?cid=1111111111111111111"}
}

// SetVoice sets what stands in the way of a profile.
func (g *Google) SetVoice(name string, voice Object) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.find(name).voice = voice
}

// Profiles lists the names of all profiles.
func (g *Google) Profiles() (names []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range g.profiles {
		names = append(names, p.location["name"].(string))
	}
	return names
}

// Profile is a profile as Google has it, encoded.
func (g *Google) Profile(name string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return encoded(g.find(name).location)
}

// Payments are the attributes of a profile, encoded.
func (g *Google) Payments(name string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return encoded(g.find(name).payments)
}

// Pictures are the source URLs of a profile's pictures.
func (g *Google) Pictures(name string) (urls []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range g.find(name).pictures {
		urls = append(urls, m["sourceUrl"].(string))
	}
	return urls
}

// Log lists the requests that have this part, in their order.
func (g *Google) Log(part string) (lines []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, line := range g.log {
		if strings.Contains(line, part) {
			lines = append(lines, line)
		}
	}
	return lines
}

func (g *Google) find(name string) *profile {
	for _, p := range g.profiles {
		if p.location["name"] == name {
			return p
		}
	}
	return nil
}

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}
