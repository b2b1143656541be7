package signin_test

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
)

func (b *person) setUp(t *testing.T, token, email, password string) *apptest.Answer {
	t.Helper()
	return b.call(t, "POST", "/setup", map[string]any{"token": token, "email": email, "password": password})
}

// wantStatus wants a refusal to bear the name by which the dashboard knows it.
func wantStatus(t *testing.T, refused *apptest.Answer, code int, status string) {
	t.Helper()
	if got := refused.Want(t, code).Text("error.details.0.error_status"); got != status {
		t.Errorf("refused as %s, want %s: %s", got, status, refused.Raw)
	}
}

// wantNobody wants the browser to be told whether the first account is to be made, and of no account.
func wantNobody(t *testing.T, b *person, setupRequired bool) {
	t.Helper()
	if start := b.call(t, "GET", "/session", nil).Want(t, 200); start.At("data.account") != nil || start.At("data.setup_required") != setupRequired {
		t.Errorf("nobody is told %s", start.Raw)
	}
}

func firstRun(s *apptest.Setup) { s.Email = "" }

func setupLink(t *testing.T, p *apptest.Program) string {
	t.Helper()
	secret, err := p.Accounts.NewSetupLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestSetUpMakesTheFirstAccountOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		const email = "you@trigpoint.example"
		b := visit(p)
		wantNobody(t, b, true)
		late := setupLink(t, p)
		wantStatus(t, b.setUp(t, "tpl_wrong", email, password), 403, "LINK_INVALID")
		if refused := b.setUp(t, "", "nobody", "short").Want(t, 400); refused.Len("error.details") != 3 {
			t.Errorf("not every problem is told: %s", refused.Raw)
		}
		now.Advance(24 * time.Hour)
		wantStatus(t, b.setUp(t, late, email, password), 403, "LINK_INVALID")
		wantNobody(t, b, true)

		link, other := setupLink(t, p), setupLink(t, p)                     // of two servers
		wantStatus(t, b.setUp(t, link, email, email), 400, "PASSWORD_WEAK") // which does not use it up
		start := b.setUp(t, link, " You@Trigpoint.example ", password).Want(t, 200)
		if start.Text("data.account.email") != email || start.Text("data.account.plan") != "agency" || start.At("data.setup_required") != false {
			t.Errorf("set up as %s", start.Raw)
		}
		b.call(t, "GET", "/sessions", nil).Want(t, 200)
		visit(p).signIn(t, email, password).Want(t, 200)
		wantNobody(t, visit(p), false)
		for _, token := range []string{link, other, setupLink(t, p), "tpl_wrong"} {
			wantStatus(t, visit(p).setUp(t, token, "second@trigpoint.example", password), 409, "ACCOUNT_EXISTS")
		}

		used := setupLink(t, p)
		if err := p.DeleteAccount(t.Context(), start.Text("data.account.account_id")); err != nil {
			t.Fatal(err)
		}
		again := visit(p).setUp(t, used, email, password).Want(t, 200)
		if err := p.DeleteAccount(t.Context(), again.Text("data.account.account_id")); err != nil {
			t.Fatal(err)
		}
		wantStatus(t, visit(p).setUp(t, used, email, password), 403, "LINK_INVALID")
	}, firstRun)
}

// Of several who hold the link, one makes the first account.
func TestSetUpByManyAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, _ *clock.Fake) {
		link := setupLink(t, p)
		var statuses [8]int
		var all sync.WaitGroup
		for i := range statuses {
			all.Go(func() {
				statuses[i] = visit(p).setUp(t, link, "person"+strconv.Itoa(i)+"@trigpoint.example", password).Status
			})
		}
		all.Wait()
		made := slices.DeleteFunc(statuses[:], func(status int) bool { return status == 403 || status == 409 })
		if accounts, err := p.Accounts.List(t.Context()); err != nil || len(accounts) != 1 || len(made) != 1 || made[0] != 200 {
			t.Errorf("%d accounts, answers besides refusals %v, %v", len(accounts), made, err)
		}
	}, firstRun)
}
