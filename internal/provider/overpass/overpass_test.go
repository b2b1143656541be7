package overpass_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider/overpass"
	"github.com/trigpoint/trigpoint/internal/provider/overpass/overpasstest"
)

const query = `[out:json][timeout:180];(nwr["amenity"](around:5000,40.1,-75.2););out center tags;`

// ask asks a fake in a mood, and returns all of its answer and how long the client paused.
func ask(t *testing.T, s *overpasstest.Server, mood string) (answer string, pauses []time.Duration, err error) {
	t.Helper()
	c := overpass.Client{URL: s.URL(mood), Sleep: func(_ context.Context, pause time.Duration) error {
		pauses = append(pauses, pause)
		return nil
	}}
	body, err := c.Ask(t.Context(), query)
	if err != nil {
		return "", pauses, err
	}
	defer func() {
		if err := body.Close(); err != nil {
			t.Error(err)
		}
	}()
	raw, err := io.ReadAll(body)
	return string(raw), pauses, err
}

func TestAnswersArePassedOn(t *testing.T) {
	t.Parallel()
	s := overpasstest.Start(t)
	for mood, want := range map[string]string{"well": overpasstest.Interpreter, "slow": overpasstest.Timeout} {
		got, pauses, err := ask(t, s, mood)
		if err != nil || got != want || len(pauses) > 0 {
			t.Errorf("%s: %v after pauses %v, answer %q", mood, err, pauses, got)
		}
	}
	if s.Query() != query {
		t.Errorf("asked %q", s.Query())
	}
}

func TestBusyServersAreAskedAgain(t *testing.T) {
	t.Parallel()
	s := overpasstest.Start(t)
	got, pauses, err := ask(t, s, "recovering")
	if err != nil || got != overpasstest.Interpreter || fmt.Sprint(pauses) != "[7s 21s]" {
		t.Errorf("after pauses %v: %v, %q", pauses, err, got)
	}
	for _, c := range []struct {
		mood, pauses, says string
		asked              int
	}{
		{"full", "[5s 15s 45s]", "is busy: all that this address may ask at once is under way (status 429). Try again later", 4},
		{"overloaded", "[5s 15s 45s]", "is busy: it has too much to do (status 504)", 4},
		{"page", "[5s 15s 45s]", "a page in place of data, and says \"runtime error: The server is probably too busy", 4},
		{"hours", "[]", "is busy", 1},
	} {
		_, pauses, err := ask(t, s, c.mood)
		if err == nil || !strings.Contains(err.Error(), c.says) || fmt.Sprint(pauses) != c.pauses || s.Asked(c.mood) != c.asked {
			t.Errorf("%s was asked %d times with pauses %v: %v", c.mood, s.Asked(c.mood), pauses, err)
		}
	}
}

func TestFailuresAreToldAtOnce(t *testing.T) {
	t.Parallel()
	s := overpasstest.Start(t)
	for mood, says := range map[string]string{
		"refusing": `status 400, and says "line 2: parse error: Unknown query clause \"nwr\""`,
		"website":  `not the interpreter of an Overpass API, whose URL ends in /api/interpreter`,
		"moved":    `sends to "https://overpass.example/api/interpreter"; ask there`,
		"aborting": "the answer of Overpass broke off",
	} {
		_, pauses, err := ask(t, s, mood)
		if err == nil || !strings.Contains(err.Error(), says) || len(pauses) > 0 || s.Asked(mood) != 1 {
			t.Errorf("%s was asked %d times with pauses %v: %v", mood, s.Asked(mood), pauses, err)
		}
	}
}

func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	c := overpass.Client{URL: overpasstest.Start(t).URL("silent"), Patience: 50 * time.Millisecond}
	if _, err := c.Ask(t.Context(), query); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a server that says nothing ended in %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	c = overpass.Client{URL: overpasstest.Start(t).URL("full"), Waiting: func(error, time.Duration) { stop() }}
	if _, err := c.Ask(stopped, query); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped while waiting, it ended in %v", err)
	}
}

func TestURLsOfInterpreters(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"https://overpass-api.de/api/interpreter": true, "http://localhost:12345/api/interpreter": true,
		"": false, "overpass-api.de": false, "ftp://a.example/x": false, "https://": false, "https://me:secret@a.example/x": false, "https://a.example/x?key=1": false,
	} {
		if err := overpass.CheckURL(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
