package app_test

import (
	"bytes"
	"encoding/hex"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/trace/tracetest"
)

// A collector sees how a request went to the store and to the provider, and the work that came of it; and no secret.
func TestTraces(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		collector, log := tracetest.New(t), &safeBuffer{}
		tracer := collector.Tracer(t)
		p := apptest.Start(t, d, program(t, "map", serperVendor), func(s *apptest.Setup) {
			s.Options.Tracer = tracer
			s.Log = slog.New(slog.NewJSONHandler(log, nil))
		})
		const trace, caller = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
		created := p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Header: http.Header{
			"Traceparent": {"00-" + trace + "-" + caller + "-01"}, "X-Request-Id": {"request-to-be-found"},
		}, Body: map[string]any{"placeId": somewhere(t, p), "keywords": []string{"pizza"}, "gridSettings": map[string]any{"template": "3x3"}}}).Want(t, 200)
		campaign := maprank.Prefix + "/campaigns/" + created.Text("data.id")
		p.Do(t, apptest.Call{Method: "PUT", Path: campaign + "/collect"}).Want(t, 200)
		ended(t, p, created.Text("data.id"))
		for _, secret := range []string{campaign + "?token=tps_secret-of-a-share", directory.FeedPath + "secret-of-a-feed", "/secret-in-a-path"} {
			p.Do(t, apptest.Call{Method: "GET", Path: secret})
		}

		create, collect := "POST "+maprank.Prefix+"/campaigns", "PUT "+maprank.Prefix+"/campaigns/{campaign_id}/collect"
		all := collector.Await(t, tracer, func(all tracetest.Spans) bool {
			return len(all.Named("job map_slice")) > 0 && len(all.Named(collect)) > 0 && len(all.Named("GET /")) > 0
		})
		request := only(t, all, create)
		if hex.EncodeToString(request.TraceId) != trace || hex.EncodeToString(request.ParentSpanId) != caller {
			t.Errorf("the request is in trace %x below %x", request.TraceId, request.ParentSpanId)
		}
		for key, want := range map[string]string{
			"http.request.method": "POST", "http.route": maprank.Prefix + "/campaigns", "http.response.status_code": "200",
			"trigpoint.request_id": "request-to-be-found", "trigpoint.account": p.Owner.ID,
		} {
			if got := tracetest.Value(request, key); got != want {
				t.Errorf("%s is %q, want %q", key, got, want)
			}
		}
		below := all.Below(request)
		transactions := below.Named("transaction") // of quota and cost, and of the change itself
		for _, want := range []struct {
			under *tracepb.Span
			name  string
		}{{request, "SELECT credentials"}, {transactions[len(transactions)-1], "INSERT campaigns"}, {only(t, below, "ask serper"), "POST"}} {
			if found := all.Below(want.under).Named(want.name); len(found) == 0 {
				t.Errorf("there is no %s among %v", want.name, all.Below(want.under).Names())
			}
		}
		if ask := only(t, below, "POST"); tracetest.Value(ask, "server.address") != "127.0.0.1" || tracetest.Value(ask, "http.response.status_code") != "200" {
			t.Errorf("the provider was asked: %v", ask.Attributes)
		}
		for _, s := range below.Named("INSERT campaigns") {
			if text := tracetest.Value(s, "db.query.text"); !strings.HasPrefix(text, "INSERT INTO campaigns (") || strings.Contains(text, "$") {
				t.Errorf("the statement is told as %s", text)
			}
		}
		for _, line := range strings.Split(log.String(), "\n") {
			if strings.Contains(line, "request-to-be-found") && !strings.Contains(line, `"trace_id":"`+trace+`"`) {
				t.Errorf("the log does not tell the trace: %s", line)
			}
		}

		work := all.Named("job map_slice")[0]
		if cause := only(t, all, collect); len(work.Links) != 1 || !bytes.Equal(work.Links[0].TraceId, cause.TraceId) || len(work.ParentSpanId) > 0 {
			t.Errorf("the job is linked to %v, not to %x", work.Links, cause.TraceId)
		}
		for _, want := range []string{"ask serper", "POST", "transaction"} {
			if !slices.Contains(all.Below(work).Names(), want) {
				t.Errorf("there is no %s among %v", want, all.Below(work).Names())
			}
		}
		for _, secret := range []string{p.Owner.Key, p.Owner.Token, providertest.SerperKey, "secret-of-a-share", "secret-of-a-feed", "secret-in-a-path", "pizza"} {
			if collector.Holds(secret) {
				t.Errorf("the collector was told %s", secret)
			}
		}
	})
}

// only finds the one span of a name.
func only(t *testing.T, among tracetest.Spans, name string) *tracepb.Span {
	t.Helper()
	found := among.Named(name)
	if len(found) != 1 {
		t.Fatalf("there are %d %s among\n%s", len(found), name, strings.Join(among.Names(), "\n"))
	}
	return found[0]
}
