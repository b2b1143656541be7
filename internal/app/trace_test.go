package app_test

import (
	"bytes"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/secret"
	"github.com/trigpoint/trigpoint/internal/trace/tracetest"
)

// What a collector and the log are told of a small day: a campaign is made and collected, a keyword checked, a webhook told.
func TestTraces(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		collector, log := tracetest.New(t), &safeBuffer{}
		tracer := collector.Tracer(t)
		p := apptest.Start(t, d, program(t, "map", serperVendor), func(s *apptest.Setup) {
			s.Config.SerpProvider, s.Config.SecretKey = s.Config.MapProvider, strings.Repeat("ab", secret.KeySize)
			s.Options.Tracer = tracer
			s.Log = slog.New(slog.NewJSONHandler(log, nil))
		})
		receiver := httptest.NewServer(&told{kinds: map[string]string{}})
		t.Cleanup(receiver.Close)
		p.Do(t, apptest.Call{Method: "POST", Path: httpapi.AccountPrefix + "/webhooks", Body: map[string]any{"url": receiver.URL + "/secret-of-a-receiver"}}).Want(t, 200)
		created := p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Header: http.Header{
			"Traceparent": {"00-" + givenTrace + "-" + givenSpan + "-01"}, "X-Request-Id": {givenRequest},
		}, Body: map[string]any{"placeId": somewhere(t, p), "keywords": []string{"pizza"}, "gridSettings": map[string]any{"template": "3x3"}}}).Want(t, 200)
		campaign := maprank.Prefix + "/campaigns/" + created.Text("data.id")
		p.Do(t, apptest.Call{Method: "PUT", Path: campaign + "/collect"}).Want(t, 200)
		p.Do(t, apptest.Call{Method: "POST", Path: trackings, Body: map[string]any{
			"domain": "trigpoint.example", "location_id": 6252001, "platform_id": 1, "keywords": []string{"pizza"},
		}}).Want(t, 201)
		p.Do(t, apptest.Call{Method: "DELETE", Path: trackings}).Want(t, 405)
		for _, path := range []string{campaign + "?token=tps_secret-of-a-share", directory.FeedPath + "secret-of-a-feed", "/secret-in-a-path"} {
			p.Do(t, apptest.Call{Method: "GET", Path: path})
		}
		all := collector.Await(t, tracer, func(all tracetest.Spans) bool {
			for _, name := range []string{"POST " + maprank.Prefix + "/campaigns", collectRoute, "job map_slice", "check", "delivery", "DELETE " + trackings, "GET /"} {
				if len(all.Named(name)) == 0 {
					return false
				}
			}
			return true
		})
		checkRequest(t, all, p.Owner.ID)
		checkWork(t, all)
		for line := range strings.SplitSeq(log.String(), "\n") {
			if strings.Contains(line, givenRequest) && !strings.Contains(line, `"trace_id":"`+givenTrace+`"`) {
				t.Errorf("the log does not tell the trace: %s", line)
			}
		}
		for _, secret := range []string{
			p.Owner.Key, p.Owner.Token, providertest.SerperKey, "secret-of-a-receiver", "secret-of-a-share", "secret-of-a-feed", "secret-in-a-path", "pizza",
		} {
			if collector.Holds(secret) {
				t.Errorf("the collector was told %s", secret)
			}
		}
	})
}

const (
	givenTrace   = "0af7651916cd43dd8448eb211c80319c"
	givenSpan    = "b7ad6b7169203331"
	givenRequest = "request-to-be-found"
	collectRoute = "PUT " + maprank.Prefix + "/campaigns/{campaign_id}/collect"
)

// checkRequest wants the request that made the campaign to be told with all that it did, within the caller's trace.
func checkRequest(t *testing.T, all tracetest.Spans, owner string) {
	t.Helper()
	request := only(t, all, "POST "+maprank.Prefix+"/campaigns")
	if hex.EncodeToString(request.TraceId) != givenTrace || hex.EncodeToString(request.ParentSpanId) != givenSpan {
		t.Errorf("the request is in trace %x below %x", request.TraceId, request.ParentSpanId)
	}
	for key, want := range map[string]string{
		"http.request.method": "POST", "http.route": maprank.Prefix + "/campaigns", "http.response.status_code": "200",
		"trigpoint.request_id": givenRequest, "trigpoint.account": owner,
	} {
		if got := tracetest.Value(request, key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	below := all.Below(request)
	transactions := below.Named("transaction") // of quota and cost, and of the change itself
	wantBelow(t, all, request, "SELECT credentials")
	wantBelow(t, all, transactions[len(transactions)-1], "INSERT campaigns")
	wantBelow(t, all, only(t, below, "ask serper"), "POST")
	if ask := only(t, below, "POST"); tracetest.Value(ask, "server.address") != "127.0.0.1" || tracetest.Value(ask, "http.response.status_code") != "200" {
		t.Errorf("the provider was asked: %v", ask.Attributes)
	}
	if text := tracetest.Value(only(t, below, "INSERT campaigns"), "db.query.text"); !strings.HasPrefix(text, "INSERT INTO campaigns (") || strings.Contains(text, "$") {
		t.Errorf("the statement is told as %s", text)
	}
}

// checkWork wants work to be told in traces of its own, a job linked to the request that has ordered it.
func checkWork(t *testing.T, all tracetest.Spans) {
	t.Helper()
	slice, collect := all.Named("job map_slice")[0], only(t, all, collectRoute)
	if len(slice.Links) != 1 || !bytes.Equal(slice.Links[0].TraceId, collect.TraceId) || len(slice.ParentSpanId) > 0 {
		t.Errorf("the job is linked to %v, not to %x", slice.Links, collect.TraceId)
	}
	wantBelow(t, all, slice, "transaction")
	wantBelow(t, all, slice, "ask serper")
	check, delivery := only(t, all, "check"), all.Named("delivery")[0]
	if len(check.ParentSpanId) > 0 || len(delivery.ParentSpanId) > 0 {
		t.Error("the check or the delivery is in another's trace")
	}
	wantBelow(t, all, check, "ask serper")
	for _, one := range all {
		if strings.HasPrefix(one.Name, "sweep ") && !slices.ContainsFunc(all.Below(one), hasWorked) {
			t.Errorf("%s is told, though it found nothing to do: %v", one.Name, all.Below(one).Names())
		}
	}
	wantBelow(t, all, delivery, "POST")
	if got := tracetest.Value(delivery, "trigpoint.outcome"); got != "delivered" {
		t.Errorf("the delivery is told as %v", delivery)
	}
}

// hasWorked tells whether a statement has changed something.
func hasWorked(s *tracepb.Span) bool {
	return !strings.HasPrefix(s.Name, "SELECT") && tracetest.Value(s, "db.query.text") != "" && tracetest.Value(s, "trigpoint.rows") != "0"
}

func wantBelow(t *testing.T, all tracetest.Spans, top *tracepb.Span, name string) {
	t.Helper()
	if below := all.Below(top); len(below.Named(name)) == 0 {
		t.Errorf("there is no %s among what %s did: %v", name, top.Name, below.Names())
	}
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
