// Package httpapi is what the areas share at the HTTP edge: an area with its credential scheme and error
// shape, typed operations from which the OpenAPI document follows, one way to run a change in a
// transaction, and one way to answer. It knows no operation of any area.
package httpapi

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Scheme is how an area's requests carry their credential.
type Scheme struct {
	Header string // header name
	Word   string // word before the secret, if any
	Kind   account.Kind
}

// AccountPrefix is the base path of what belongs to an account and to no area; several wings mount on it.
const AccountPrefix = "/_api/apis/v4/account/v1"

// AccountScheme is how its requests are signed: Authorization: Apikey <API_KEY>.
var AccountScheme = Scheme{Header: "Authorization", Word: "Apikey", Kind: account.Key}

// ErrorShape turns a failure into an area's status and body.
type ErrorShape struct {
	Status func(errs.Code) int
	Body   func(requestID string, status int, e *errs.Error) any
	Sample any   // for the OpenAPI document
	Words  Words // of what is around every body
}

// Area is one base path with its document, credential and error shape.
type Area struct {
	Name   string // of the document: /openapi/{Name}.json
	Prefix string
	Scheme Scheme
	Errors ErrorShape
	API    huma.API

	edge   *Edge
	words  Words
	ops    map[string]registered // by id
	finish sync.Once             // of the document
}

// Edge is what all areas are served with.
type Edge struct {
	DB       *db.DB
	Accounts *account.Accounts
	Clock    clock.Clock
	Limits   *Limiter
	Memory   *Memory
	Mux      *http.ServeMux

	CrossOrigin *http.CrossOriginProtection // of what browsers send with their cookie
}

// Info heads an area's OpenAPI document.
type Info struct {
	Title, Description, Version, Server string
	Words                               Words
}

// NewArea mounts an area on the mux.
func NewArea(e *Edge, name, prefix string, scheme Scheme, shape ErrorShape, info Info) *Area {
	installErrors()
	area := &Area{Name: name, Prefix: prefix, Scheme: scheme, Errors: shape, edge: e, words: shape.Words.Merge(info.Words), ops: map[string]registered{}}
	config := huma.DefaultConfig(info.Title, info.Version)
	config.Info.Description = info.Description
	config.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	config.Servers = []*huma.Server{{URL: info.Server + prefix}}
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil // no $schema links: the bodies are the contract's, to the letter
	config.AllowAdditionalPropertiesByDefault = true
	config.Formats = map[string]huma.Format{"application/json": jsonFormat}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"credential": scheme.document(), "session": sessionScheme(IsHTTPS(info.Server))}
	config.Security = []map[string][]string{{"credential": {}}, {"session": {}}}
	area.API = humago.NewWithPrefix(e.Mux, prefix, config)
	return area
}

func (s Scheme) document() *huma.SecurityScheme {
	if s.Word == "Bearer" {
		return &huma.SecurityScheme{Type: "http", Scheme: "bearer", Description: "An access token (`tpt_…`) from `POST /oauth2/token` or `trigpoint token create`."}
	}
	what := "An API key (`tpk_…`) from `trigpoint key create`."
	if s.Word != "" {
		what = "`" + s.Word + " ` followed by an API key (`tpk_…`) from `trigpoint key create`."
	}
	return &huma.SecurityScheme{Type: "apiKey", In: "header", Name: s.Header, Description: what}
}

// Request is what is known of a request while it is served. It is made once at the edge and filled on
// the way in.
type Request struct {
	ID        string
	Client    netip.Addr // where it comes from
	HTTPS     bool       // people come by https, whatever lies between
	Area      *Area
	Operation string
	Principal account.Principal
	Key       string // Idempotency-Key
	Body      [32]byte
	Media     string // of the body; "" without one
	HTML      bool   // a web page is wanted rather than JSON
	Fault     error  // why the answer is a 5xx, for the log

	browser  account.Browser
	answer   http.Header   // of the answer
	problems errs.Problems // of the query, found before it was parsed
	time     time.Duration // for the handler
	memory   *Memory
	payer    string // what it holds counts for: an account, or the visitors of one
	held     int64
}

type requestKey struct{}

// WithRequest attaches r to the context.
func WithRequest(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// From returns the request that ctx belongs to.
func From(ctx context.Context) *Request {
	if r, ok := ctx.Value(requestKey{}).(*Request); ok {
		return r
	}
	return &Request{}
}

// Who returns the account that a request acts for.
func Who(ctx context.Context) account.Principal { return From(ctx).Principal }

// Now is the time at which the area of a request is served.
func Now(ctx context.Context) time.Time { return From(ctx).Area.edge.Clock.Now() }
