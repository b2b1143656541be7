package httpapi

import (
	"context"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
)

const jsonMedia = "application/json"

// mediaBody documents a body that may be JSON or something else.
func (a *Area) mediaBody(op Op) *huma.RequestBody {
	schema := a.API.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(op.Body), true, op.ID+"Request")
	body := &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{jsonMedia: {Schema: schema}}}
	for _, media := range op.Media {
		body.Content[media] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	return body
}

// Decode reads the JSON form of a RawBody, with the errors that any other JSON body gets.
func Decode(data []byte, v any) error {
	if err := decode(data, v); err != nil {
		return &errs.Error{Code: errs.Malformed, Message: "Invalid request.", Details: []errs.Detail{{Status: errs.InvalidBody, Message: sentence(err.Error())}}}
	}
	return nil
}

// Page is an answer as a web page, with the Content-Security-Policy that it works under.
type Page struct {
	Body   []byte
	Policy string
}

type streamOutput struct{ Body func(huma.Context) }

// ReadPage is ReadPlain for an answer that is also a web page, for clients that prefer text/html.
func ReadPage[I, T any](a *Area, op Op, handle func(context.Context, *I) (T, error), show func(context.Context, *I) (Page, error)) {
	o := a.operation(op, false)
	schema := a.API.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, op.ID+"Response")
	o.Responses[strconv.Itoa(o.DefaultStatus)] = &huma.Response{
		Description: http.StatusText(o.DefaultStatus),
		Content:     map[string]*huma.MediaType{jsonMedia: {Schema: schema}, "text/html": {}},
	}
	huma.Register(a.API, o, func(ctx context.Context, in *I) (*streamOutput, error) {
		if From(ctx).HTML {
			page, err := read(ctx, a.edge, op, in, show)
			if err != nil {
				return nil, err
			}
			return &streamOutput{page.write}, nil
		}
		answer, err := read(ctx, a.edge, op, in, handle)
		if err != nil {
			return nil, err
		}
		return &streamOutput{func(hc huma.Context) {
			hc.SetHeader("Content-Type", jsonMedia)
			hc.SetHeader("Vary", "Accept")
			hc.SetStatus(o.DefaultStatus)
			_ = jsonFormat.Marshal(hc.BodyWriter(), answer) // the client has gone
		}}, nil
	})
}

func (p Page) write(ctx huma.Context) {
	ctx.SetHeader("Content-Type", "text/html; charset=utf-8")
	ctx.SetHeader("Content-Security-Policy", p.Policy)
	ctx.SetHeader("X-Content-Type-Options", "nosniff")
	ctx.SetHeader("Vary", "Accept")
	ctx.SetStatus(http.StatusOK)
	_, _ = ctx.BodyWriter().Write(p.Body)
}

// prefersHTML tells whether an Accept header ranks text/html above JSON. Wildcards ask for JSON.
func prefersHTML(accept string) bool {
	html, json := 0.0, 0.0
	for part := range strings.SplitSeq(accept, ",") {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		quality := 1.0
		if q, ok := params["q"]; ok {
			quality, _ = strconv.ParseFloat(q, 64) // what is no number counts as not wanted
		}
		switch kind {
		case "text/html":
			html = max(html, quality)
		case jsonMedia:
			json = max(json, quality)
		}
	}
	return html > json
}
