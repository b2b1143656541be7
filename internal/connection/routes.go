package connection

import (
	"context"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Mount registers the operations.
func (c *Connections) Mount(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Connections", Summary: summary, Help: help}
	}
	disconnect := op("disconnect", http.MethodDelete, "/connections/{service}", "Disconnect a service", "Forgets its credential and ends it at Google, where that can be reached.")
	disconnect.Time = httpapi.ProviderTime
	httpapi.Read(a, op("list-connections", http.MethodGet, "/connections", "List what is connected", "A broken connection says why; connecting again mends it. Credentials are never shown."), c.listConnections)
	httpapi.Change(a, op("connect", http.MethodPost, "/connections", "Connect a service", "Answers with the address of Google's consent page. Whoever opens it within ten minutes and allows access connects the service, in place of what was connected before; asked for in the dashboard, only who is signed in to the same account. Needs secret-key and an OAuth client in the configuration; without them: 409.").Requires("service"), c.connect)
	httpapi.Change(a, disconnect, c.disconnect)
}

func (c *Connections) listConnections(ctx context.Context, _ *struct{}) (httpapi.Answer[[]Connection], error) {
	connections, err := c.List(ctx, httpapi.Who(ctx).AccountID)
	return httpapi.Reply(connections), err
}

type connectInput struct {
	Body struct {
		Service httpapi.Field[string] `json:"service" required:"false" doc:"search-console or business-profile. Required." enum:"search-console,business-profile"`
	}
}

func (c *Connections) connect(ctx context.Context, in *connectInput) (httpapi.Apply[httpapi.Answer[Consent]], error) {
	var problems errs.Problems
	var s Service
	switch given := in.Body.Service.Given(&problems, "service"); {
	case given:
		var err error
		if s, err = ParseService(in.Body.Service.Value); err != nil {
			problems.Add("service", errs.InvalidValue, "%s", err)
		}
	case len(problems) == 0:
		problems.Add("service", errs.NotSpecified, "service is not specified: %s or %s.", SearchConsole, BusinessProfile)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if err := c.Ready(); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Consent], error) {
		consent, err := c.begin(ctx, tx, who, s)
		return httpapi.Reply(consent), err
	}, nil
}

type servicePath struct {
	Service string `path:"service"`
}

func (c *Connections) disconnect(ctx context.Context, in *servicePath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	s, err := ParseService(in.Service)
	if err != nil {
		return nil, errs.New(errs.NotFound, "%s", err)
	}
	who := httpapi.Who(ctx)
	if err := c.end(ctx, who.AccountID, s); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Reply(httpapi.Empty{}), remove(ctx, tx, who.AccountID, s)
	}, nil
}
