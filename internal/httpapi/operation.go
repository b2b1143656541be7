package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Op describes an operation; the rest of its document follows from its types.
type Op struct {
	ID      string
	Method  string
	Path    string
	Summary string
	Help    string
	Tag     string
	Status  int           // of success; 200 when 0
	MaxBody int64         // bytes; 1 MiB when 0
	Time    time.Duration // for the handler; enough for the store when 0

	Public  bool // needs no credential; limited by address
	Session bool // only for a person who has signed in
	Secret  bool // the request or the answer holds a secret of which nothing may be kept: it takes no Idempotency-Key

	// Shared, when there is one, lets a request without a credential read by its ShareToken. It tells whose
	// record the token opens, for the request counts for that account, or that it opens none (Unauthorized).
	Shared func(ctx context.Context, r *http.Request, token string) (accountID string, err error)

	fails    []errs.Code
	requires []string

	// Media are accepted besides JSON. The input then has a RawBody, and Body is a sample of its JSON
	// form for the document; Request.Media tells which arrived.
	Media []string
	Body  any
}

// Fails adds the failures that do not follow from the rest of the operation: see addRefusals.
func (op Op) Fails(codes ...errs.Code) Op {
	op.fails = codes
	return op
}

// Requires names the parameters and fields of the body that must be there. The area's rules check them, and
// report them together with every other problem; this is for the document.
func (op Op) Requires(names ...string) Op {
	op.requires = names
	return op
}

type registered struct {
	Op
	writes bool
}

// Answer is what a handler of areas A and B returns: data, and what it adds to meta.
type Answer[T any] struct {
	Data T
	Meta Meta
}

// Reply answers with data alone.
func Reply[T any](data T) Answer[T] { return Answer[T]{Data: data} }

// Apply is the part of a change that runs in its transaction.
type Apply[T any] func(ctx context.Context, tx *db.Tx) (T, error)

type envelopeOutput[T any] struct{ Body Envelope[T] }

type plainOutput[T any] struct{ Body T }

// Read registers an operation of areas A and B that changes nothing.
func Read[I, T any](a *Area, op Op, handle func(context.Context, *I) (Answer[T], error)) {
	huma.Register(a.API, a.operation(op, false), func(ctx context.Context, in *I) (*envelopeOutput[T], error) {
		answer, err := read(ctx, a.edge, op, in, handle)
		if err != nil {
			return nil, err
		}
		return seal(ctx, answer), nil
	})
}

// Change registers an operation of areas A and B that writes. prepare checks the request and does all
// that needs no transaction; the Apply that it returns runs in one, together with the record of the
// request's Idempotency-Key.
func Change[I, T any](a *Area, op Op, prepare func(context.Context, *I) (Apply[Answer[T]], error)) {
	huma.Register(a.API, a.operation(op, true), func(ctx context.Context, in *I) (*envelopeOutput[T], error) {
		answer, err := runChange(ctx, a.edge, in, prepare)
		if err != nil {
			return nil, err
		}
		return seal(ctx, answer), nil
	})
}

// ReadPlain is Read for areas whose bodies have no envelope.
func ReadPlain[I, T any](a *Area, op Op, handle func(context.Context, *I) (T, error)) {
	huma.Register(a.API, a.operation(op, false), func(ctx context.Context, in *I) (*plainOutput[T], error) {
		body, err := read(ctx, a.edge, op, in, handle)
		if err != nil {
			return nil, err
		}
		return &plainOutput[T]{Body: body}, nil
	})
}

// ChangePlain is Change for areas whose bodies have no envelope.
func ChangePlain[I, T any](a *Area, op Op, prepare func(context.Context, *I) (Apply[T], error)) {
	huma.Register(a.API, a.operation(op, true), func(ctx context.Context, in *I) (*plainOutput[T], error) {
		body, err := runChange(ctx, a.edge, in, prepare)
		if err != nil {
			return nil, err
		}
		return &plainOutput[T]{Body: body}, nil
	})
}

// ChangeSilent is ChangePlain for operations that answer 204 with no body.
func ChangeSilent[I any](a *Area, op Op, prepare func(context.Context, *I) (Apply[Empty], error)) {
	op.Status = http.StatusNoContent
	huma.Register(a.API, a.operation(op, true), func(ctx context.Context, in *I) (*struct{}, error) {
		_, err := runChange(ctx, a.edge, in, prepare)
		return nil, err
	})
}

// read runs a handler that changes nothing. One that needs the store only may be served by a replica, and is begun anew when
// that one is lost.
func read[I, T any](ctx context.Context, e *Edge, op Op, in *I, handle func(context.Context, *I) (T, error)) (answer T, err error) {
	req := From(ctx)
	if err := req.problems.Err(); err != nil {
		return answer, err
	}
	ctx, cancel := context.WithTimeout(ctx, req.time)
	defer cancel()
	if op.Time != 0 {
		return handle(ctx, in)
	}
	replicated := e.DB.FromReplica(ctx)
	answer, err = handle(replicated, in)
	if db.LostReplica(replicated, err) {
		return handle(ctx, in)
	}
	return answer, err
}

func seal[T any](ctx context.Context, answer Answer[T]) *envelopeOutput[T] {
	meta := answer.Meta
	meta.Success, meta.StatusCode, meta.RequestID = true, http.StatusOK, From(ctx).ID
	return &envelopeOutput[T]{Body: Envelope[T]{Meta: meta, Data: answer.Data}}
}

func (a *Area) operation(op Op, writes bool) huma.Operation {
	a.ops[op.ID] = registered{op, writes}
	status := op.Status
	if status == 0 {
		status = http.StatusOK
	}
	o := huma.Operation{
		OperationID:      op.ID,
		Method:           op.Method,
		Path:             op.Path,
		Summary:          op.Summary,
		Description:      op.Help,
		Tags:             []string{op.Tag},
		DefaultStatus:    status,
		MaxBodyBytes:     op.MaxBody,
		BodyReadTimeout:  op.bodyTime(),
		SkipValidateBody: true,                                                                        // the area's rules check the body, all problems at once and by name
		Responses:        map[string]*huma.Response{strconv.Itoa(http.StatusInternalServerError): {}}, // the rest follows: see Document
	}
	if writes && op.Method != http.MethodPatch && op.Method != http.MethodDelete && !op.Secret && !op.Public {
		o.Parameters = append(o.Parameters, idempotencyParameter())
	}
	switch {
	case op.Public:
		o.Security = []map[string][]string{{}}
	case op.Session:
		o.Security = []map[string][]string{{"session": {}}}
	case op.Shared != nil:
		o.Security = []map[string][]string{{"credential": {}}, {"session": {}}, {}}
	}
	if len(op.Media) > 0 {
		o.RequestBody = a.mediaBody(op)
	}
	o.Middlewares = huma.Middlewares{a.admit(op, writes)}
	return o
}

const idempotencyKey = "Idempotency-Key"

func idempotencyParameter() *huma.Param {
	return &huma.Param{
		Name: idempotencyKey, In: "header", Schema: &huma.Schema{Type: "string", MaxLength: ptr(255)},
		Description: "The same key and body within 24 hours return the first answer and change nothing again.",
	}
}

const (
	// signInTime bounds the look at a credential: when the store hangs, it is soon said.
	signInTime = 5 * time.Second
	// storeTime is what an operation may take that needs the store only.
	storeTime = 20 * time.Second
	// ProviderTime is what an operation may take that asks a data provider or the object store.
	ProviderTime = 75 * time.Second
	// answerTime is how long a client may take to read the answer.
	answerTime = time.Minute
)

func (op Op) time() time.Duration {
	if op.Time == 0 {
		return storeTime
	}
	return op.Time
}

func (op Op) maxBody() int64 {
	if op.MaxBody == 0 {
		return 1 << 20
	}
	return op.MaxBody
}

// bodySize is how many bytes of body a request may bring.
func (op Op) bodySize(r *http.Request) int64 {
	if r.ContentLength < 0 {
		return op.maxBody()
	}
	return min(r.ContentLength, op.maxBody())
}

// bodyTime is how long a body may take to arrive: a slow client must not hold a connection for ever.
func (op Op) bodyTime() time.Duration {
	if op.MaxBody > 1<<20 {
		return time.Minute
	}
	return 15 * time.Second
}

func ptr[T any](v T) *T { return &v }
