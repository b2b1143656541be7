package trace_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trigpoint/trigpoint/internal/trace"
	"github.com/trigpoint/trigpoint/internal/trace/tracetest"
)

func TestOffCostsNothing(t *testing.T) { //nolint:paralleltest // allocations are counted for the whole process
	var off *trace.Tracer
	header := http.Header{"Traceparent": {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}
	type requestKey struct{}
	ctx := context.WithValue(t.Context(), requestKey{}, "a request")
	allocations := testing.AllocsPerRun(100, func() {
		request, span := off.Request(ctx, "GET", header)
		within, part := trace.Begin(request, "part")
		call, ask := trace.BeginCall(part.In(within), "ask")
		_, apart := trace.BeginApart(call, "apart")
		if trace.On(call) || ask.On() || trace.Cause(call) != "" || span.TraceID() != "" {
			t.Error("it is on")
		}
		ask.Set("key", "value")
		ask.SetInt("key", 1)
		ask.Fail("why")
		span.Rename("name")
		for _, s := range []trace.Span{apart, ask, part, span} {
			s.End()
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
	if _, span := off.Sweep(ctx, "rows"); span.On() {
		t.Error("a sweep is on")
	}
	if _, span := off.Job(ctx, "kind", ""); span.On() {
		t.Error("a job is on")
	}
	off.Stop(ctx)
}

func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	collector := tracetest.New(t)
	collector.Settings.Header = http.Header{"Authorization": {"Bearer of-the-collector"}}
	tracer := collector.Tracer(t)

	looking, round := tracer.Sweep(t.Context(), "find nothing")
	_, look := trace.BeginCall(looking, "SELECT rows")
	look.End()
	_, claim := trace.BeginCall(looking, "UPDATE rows")
	claim.Rows(0)
	claim.End()
	round.End()

	working, round := tracer.Sweep(t.Context(), "work")
	_, look = trace.BeginCall(working, "SELECT rows")
	look.End()
	_, claim = trace.BeginCall(working, "INSERT rows")
	claim.Rows(1)
	claim.End()
	_, write := trace.BeginCall(working, "UPDATE rows")
	write.Fail("23505")
	write.End()
	apart, piece := trace.BeginApart(working, "piece")
	cause := trace.Cause(apart)
	piece.End()
	round.End()

	_, job := tracer.Job(t.Context(), "later", cause)
	job.End()

	all := collector.Await(t, tracer, func(all tracetest.Spans) bool { return len(all.Named("job later")) > 0 })
	if got, want := strings.Join(all.Names(), ", "), "SELECT rows, INSERT rows, UPDATE rows, piece, sweep work, job later"; got != want {
		t.Errorf("sent are %s; want %s", got, want)
	}
	if parts := all.Below(all.Named("sweep work")[0]); len(parts) != 3 {
		t.Errorf("the round consists of %v", parts.Names())
	}
	if failed := all.Named("UPDATE rows")[0]; tracetest.Value(failed, "error.type") != "23505" || failed.Status.Code.Number() != 2 {
		t.Errorf("the failure is told as %v", failed)
	}
	if links := all.Named("job later")[0].Links; len(links) != 1 || !bytes.Equal(links[0].SpanId, all.Named("piece")[0].SpanId) {
		t.Errorf("the job is linked to %v", links)
	}
	if got := collector.Asked()[0].Get("Authorization"); got != "Bearer of-the-collector" {
		t.Errorf("the collector is told %q", got)
	}
	if collector.Resource("service.name") != "trigpoint" || collector.Resource("service.version") != "test" {
		t.Error("the program does not tell who it is")
	}
}

// lines counts what is logged.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string { l.mu.Lock(); defer l.mu.Unlock(); return l.text.String() }

// A collector that fails, and one that does not answer, hold up nothing, and are told of once in a while.
func TestACollectorThatIsGone(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(hang) })
	at, err := url.Parse(slow.URL)
	if err != nil {
		t.Fatal(err)
	}
	tracer, err := trace.Start(t.Context(), trace.Settings{Endpoint: at, Timeout: time.Minute}, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for range 10_000 { // more than wait in the queue
		_, span := tracer.Request(t.Context(), "GET", nil)
		span.End()
	}
	tracer.Stop(t.Context())
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("a slow collector held up the program for %s", took)
	}
}

func TestAFailingCollectorIsToldOfOnceInAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &lines{}
		at, err := url.Parse("http://127.0.0.1:1/v1/traces?key=secret")
		if err != nil {
			t.Fatal(err)
		}
		tracer, err := trace.Start(t.Context(), trace.Settings{Endpoint: at, Timeout: time.Second}, "test", slog.New(slog.NewTextHandler(log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		for range 60 { // five minutes
			_, span := tracer.Request(t.Context(), "GET", nil)
			span.End()
			time.Sleep(5 * time.Second)
		}
		synctest.Wait()
		tracer.Stop(t.Context())
		if text := log.String(); strings.Count(text, "traces could not be sent") != 1 || strings.Contains(text, "secret") {
			t.Errorf("the log says:\n%s", text)
		}
	})
}
