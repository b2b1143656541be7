package cli_test

import (
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
)

// The demo has campaigns with a year of history; an operator collects, looks and shares.
func TestDemoCampaigns(t *testing.T) {
	t.Parallel()
	o := db.Options{Dir: t.TempDir()}
	env := append(apptest.Environment(o), "NO_COLOR=1")
	demo := apptest.Launch(t, env, "serve", "--demo")
	list := apptest.Run(t, env, "campaign", "list", "--account", "demo@trigpoint.example")
	rows := strings.Split(strings.TrimSpace(list), "\n")
	if len(rows) != 6 || strings.Count(list, "COLLECTED") != 5 || !strings.Contains(rows[1], "Benchmark Deli ") {
		t.Fatalf("the demo's campaigns:\n%s", list)
	}
	campaign := strings.Fields(rows[3])[0]

	picture := filepath.Join(t.TempDir(), "heatmap.png")
	drawn := apptest.Run(t, env, "heatmap", campaign, "--keyword", "PIZZA", "--png", picture)
	if lines := strings.Split(drawn, "\n"); len(lines) < 9 || !strings.HasPrefix(lines[0], `"pizza"`) || !strings.Contains(drawn, "found at") || strings.Contains(drawn, "\x1b") {
		t.Errorf("the heatmap:\n%s", drawn)
	}
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if img, err := png.Decode(f); err != nil || img.Bounds().Dx() != 960 {
		t.Errorf("the picture: %v", err)
	}
	if coloured := apptest.Run(t, env, "heatmap", campaign, "--color", "always"); strings.Count(coloured, "\x1b[48;2;") != 49 {
		t.Errorf("in colour:\n%s", coloured)
	}

	if keywords := apptest.Run(t, env, "campaign", "keywords", campaign); !strings.Contains(keywords, "pizza delivery  ") || strings.Count(keywords, "COLLECTED") != 3 {
		t.Errorf("the keywords:\n%s", keywords)
	}
	reports := strings.Split(strings.TrimSpace(apptest.Run(t, env, "campaign", "reports", campaign)), "\n")
	if len(reports) != 1+52 || !strings.Contains(reports[1], "COLLECTED") {
		t.Fatalf("%d reports: %s", len(reports)-1, reports[1])
	}
	day, _, _ := strings.Cut(reports[52], "T")
	if oldest := apptest.Run(t, env, "heatmap", campaign, "--date", day); !strings.Contains(oldest, "· "+strings.Fields(reports[52])[0]+"\n") {
		t.Errorf("the heatmap of %s:\n%s", day, oldest)
	}

	// Beside the service that works the store, and alone.
	collected := regexp.MustCompile(`^Collected 20\d\d-[0-9T:.-]+Z\.\n$`)
	if out := apptest.Run(t, env, "collect", campaign); !collected.MatchString(out) {
		t.Errorf("collect beside the service printed %q", out)
	}
	demo.Interrupt()
	if out := apptest.Run(t, env, "collect", campaign); !collected.MatchString(out) {
		t.Errorf("collect alone printed %q", out)
	}

	apptest.Run(t, env, "account", "create", "--email", "friend@example.com")
	apptest.Run(t, env, "campaign", "share", campaign, "friend@example.com", "--access", "EDITOR")
	if theirs := apptest.Run(t, env, "campaign", "list", "--account", "friend@example.com"); !strings.Contains(theirs, campaign) {
		t.Errorf("a shared campaign is not in the list:\n%s", theirs)
	}
	apptest.Run(t, env, "campaign", "unshare", campaign, "friend@example.com")
	if theirs := apptest.Run(t, env, "campaign", "list", "--account", "friend@example.com"); strings.Contains(theirs, campaign) {
		t.Errorf("still shared:\n%s", theirs)
	}
}
