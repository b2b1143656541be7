package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/signedpost"
)

// Mount registers every operation.
func (s *Service) Mount(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Webhooks", Summary: summary, Help: help}
	}
	create := op("create-webhook", http.MethodPost, "/webhooks", "Make a webhook", "From now on it is told of every event of these kinds, of all without kinds. Messages are signed as [Standard Webhooks](https://www.standardwebhooks.com) says; the answer is the one place where the secret is shown. At most 10.").Requires("url").Fails(errs.Conflict)
	create.Secret = true
	test := op("test-webhook", http.MethodPost, "/webhooks/{id}/test", "Test a webhook", "Sends webhook.tested now, once, and answers with what came of it.")
	test.Time = httpapi.ProviderTime
	httpapi.Read(a, op("list-webhooks", http.MethodGet, "/webhooks", "List webhooks", "Oldest first. Secrets are never shown again."), s.listWebhooks)
	httpapi.Change(a, create, s.createWebhook)
	httpapi.Change(a, op("update-webhook", http.MethodPatch, "/webhooks/{id}", "Change a webhook", "What is absent stays as it is. A webhook that is paused is told of nothing; what happens meanwhile can be replayed. One that answers 410 Gone is paused by itself."), s.updateWebhook)
	httpapi.Change(a, op("delete-webhook", http.MethodDelete, "/webhooks/{id}", "Delete a webhook", "With its log."), s.deleteWebhook)
	httpapi.Read(a, op("list-deliveries", http.MethodGet, "/webhooks/{id}/deliveries", "List what a webhook was told of", fmt.Sprintf("Newest first, of the last 7 days, each with what came of its last attempt. A message counts as delivered when the receiver answers 2xx within %.0f seconds; otherwise it is tried again after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours. The order in which messages arrive is not promised, and one may arrive twice: its webhook-id is the event's, by which a receiver knows it again.", signedpost.TimeLimit.Seconds())), s.listDeliveries)
	httpapi.Change(a, op("replay-events", http.MethodPost, "/webhooks/{id}/replay", "Tell a webhook again", "Of one event, or of all since an instant of the last 7 days, whatever came of it before. The oldest 10,000 are told; until tells where to go on. Messages keep their webhook-id.").Fails(errs.Conflict), s.replayEvents)
	httpapi.Change(a, test, s.testWebhook)
	httpapi.Read(a, op("list-events", http.MethodGet, "/events", "List what has happened", "Newest first, of the last 7 days."), s.listEvents)
	describeEvents(a.API.OpenAPI())
}

// describeEvents documents what webhooks are sent.
func describeEvents(document *huma.OpenAPI) {
	document.Webhooks = map[string]*huma.PathItem{}
	for _, d := range event.Kinds() {
		sample := struct {
			Type      event.Kind `json:"type"`
			Timestamp time.Time  `json:"timestamp"`
			Data      any        `json:"data"`
		}{d.Kind, time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC), d.Data}
		data := wholeSchema(document.Components.Schemas, reflect.TypeOf(d.Data))
		data.Description = "To what, and the figures that matter."
		schema := &huma.Schema{Type: huma.TypeObject, Required: []string{"type", "timestamp", "data"}, Properties: map[string]*huma.Schema{
			"type":      {Type: huma.TypeString, Enum: []any{string(d.Kind)}, Description: "What has happened."},
			"timestamp": {Type: huma.TypeString, Format: "date-time", Description: "When it happened."},
			"data":      data,
		}}
		document.Webhooks[string(d.Kind)] = &huma.PathItem{Post: &huma.Operation{
			OperationID: string(d.Kind), Tags: []string{"Events"}, Summary: d.When, Security: []map[string][]string{{}},
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: schema, Example: asJSON(sample)}}},
			Responses:   map[string]*huma.Response{"2XX": {Description: "The receiver has it."}},
		}}
	}
}

// wholeSchema is the schema of a type with those of its lists in place: generators of clients look for named types in operations only.
func wholeSchema(registry huma.Registry, of reflect.Type) *huma.Schema {
	s := huma.SchemaFromType(registry, of)
	s.AdditionalProperties = nil
	for _, property := range s.Properties {
		if property.Items != nil && property.Items.Ref != "" {
			property.Items = wholeSchema(registry, registry.TypeFromRef(property.Items.Ref))
		}
	}
	return s
}

// asJSON is a value as its JSON reads.
func asJSON(v any) (read any) {
	text, _ := json.Marshal(v) // of plain structs, which cannot fail
	_ = json.Unmarshal(text, &read)
	return read
}

func (s *Service) listWebhooks(ctx context.Context, _ *struct{}) (httpapi.Answer[[]Webhook], error) {
	all, err := s.List(ctx, httpapi.Who(ctx).AccountID)
	return httpapi.Reply(all), err
}

type createInput struct{ Body ReceiverInput }

func (s *Service) createWebhook(ctx context.Context, in *createInput) (httpapi.Apply[httpapi.Answer[MadeWebhook]], error) {
	who := httpapi.Who(ctx)
	if err := in.Body.check(s.client, true); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[MadeWebhook], error) {
		made, err := s.create(ctx, tx, who.AccountID, &in.Body)
		return httpapi.Reply(made), err
	}, nil
}

// Path names a webhook.
type Path struct {
	ID string `path:"id"`
}

type updateInput struct {
	Path
	Body ReceiverInput
}

func (s *Service) updateWebhook(ctx context.Context, in *updateInput) (httpapi.Apply[httpapi.Answer[Webhook]], error) {
	who := httpapi.Who(ctx)
	if err := in.Body.check(s.client, false); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Webhook], error) {
		changed, err := s.change(ctx, tx, who.AccountID, in.ID, &in.Body)
		return httpapi.Reply(changed), err
	}, nil
}

func (s *Service) deleteWebhook(ctx context.Context, in *Path) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Reply(httpapi.Empty{}), s.remove(ctx, tx, who.AccountID, in.ID)
	}, nil
}

type listDeliveriesInput struct {
	Path
	Status Status `query:"status" enum:"pending,delivered,failed"`
	Limit  int    `query:"limit" default:"100" minimum:"1" maximum:"1000"`
	Offset int    `query:"offset" default:"0" minimum:"0"`
}

func (s *Service) listDeliveries(ctx context.Context, in *listDeliveriesInput) (httpapi.Answer[[]Delivery], error) {
	all, err := s.Log(ctx, httpapi.Who(ctx).AccountID, in.ID, in.Status, in.Limit, in.Offset)
	return httpapi.Answer[[]Delivery]{Data: all, Meta: httpapi.Meta{Limit: &in.Limit, Offset: &in.Offset}}, err
}

type replayInput struct {
	Path
	Body struct {
		EventID httpapi.Field[string]    `json:"event_id" required:"false"`
		Since   httpapi.Field[time.Time] `json:"since" required:"false"`
	}
}

func (s *Service) replayEvents(ctx context.Context, in *replayInput) (httpapi.Apply[httpapi.Answer[Replayed]], error) {
	who := httpapi.Who(ctx)
	var problems errs.Problems
	one, since := in.Body.EventID.Given(&problems, "event_id"), in.Body.Since.Given(&problems, "since")
	if len(problems) == 0 && one == since {
		problems.Add("since", errs.NotSpecified, "Say either event_id, for one event, or since, for all from an instant on.")
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Replayed], error) {
		var from *time.Time
		if since {
			from = &in.Body.Since.Value
		}
		done, err := s.replay(ctx, tx, who.AccountID, in.ID, in.Body.EventID.Value, from)
		return httpapi.Reply(done), err
	}, nil
}

func (s *Service) testWebhook(ctx context.Context, in *Path) (httpapi.Apply[httpapi.Answer[Delivery]], error) {
	d, keep, err := s.test(ctx, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Delivery], error) {
		return httpapi.Reply(d), keep(ctx, tx)
	}, nil
}

// Event is something that has happened, as the API shows it.
type Event struct {
	ID   string     `json:"id"`
	Kind event.Kind `json:"kind"`
	At   time.Time  `json:"at"`
	Data Data       `json:"data"`
}

// Data is what an event brings, as it is stored.
type Data json.RawMessage

// MarshalJSON writes it as it is.
func (d Data) MarshalJSON() ([]byte, error) { return json.RawMessage(d).MarshalJSON() }

// Schema documents it: it differs by kind.
func (d Data) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeObject} }

type listEventsInput struct {
	Kind   string                      `query:"kind" maxLength:"64"`
	Since  httpapi.Optional[time.Time] `query:"since"`
	Limit  int                         `query:"limit" default:"100" minimum:"1" maximum:"1000"`
	Offset int                         `query:"offset" default:"0" minimum:"0"`
}

// Resolve finds a kind that does not exist.
func (in *listEventsInput) Resolve(huma.Context) []error {
	var problems errs.Problems
	known := slices.ContainsFunc(event.Kinds(), func(d event.Documented) bool { return string(d.Kind) == in.Kind })
	if in.Kind != "" && !known {
		problems.Add("kind", errs.InvalidParameter, "kind: there is no %.64q.", in.Kind)
	}
	return problems.Resolved()
}

func (s *Service) listEvents(ctx context.Context, in *listEventsInput) (httpapi.Answer[[]Event], error) {
	all, err := events(ctx, s.db, httpapi.Who(ctx).AccountID, in.Kind, in.Since.Value, in.Limit, in.Offset)
	if all == nil {
		all = []Event{}
	}
	return httpapi.Answer[[]Event]{Data: all, Meta: httpapi.Meta{Limit: &in.Limit, Offset: &in.Offset}}, err
}
