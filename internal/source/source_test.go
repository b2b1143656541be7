package source_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// shop is a provider that answers with its own name, or fails.
type shop struct {
	d     provider.Descriptor
	mu    sync.Mutex
	fail  error
	asked int
}

func (s *shop) Describe() provider.Descriptor { return s.d }

func (s *shop) answer(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	provider.Charge(ctx, s.d.Prices.Map)
	return s.d.Name, s.fail
}

func newShop(name string, price, budget float64) *shop {
	return &shop{d: provider.Descriptor{
		Name: name, Title: strings.ToUpper(name), Pace: provider.Pace{Concurrent: 4},
		Prices: provider.Prices{Map: provider.USD(price)}, Budget: provider.USD(budget),
	}}
}

func chainOf(shops ...*shop) source.Chain[*shop] {
	var chain source.Chain[*shop]
	for _, s := range shops {
		chain = append(chain, source.Source[*shop]{Provider: s, Caller: provider.NewCaller(s.d, provider.CallerOptions{Attempts: 1})})
	}
	return chain
}

var now = time.Date(2026, 3, 15, 10, 0, 0, 0, time.UTC)

type bench struct {
	*testing.T
	db      *db.DB
	clock   *clock.Fake
	ledger  *source.Ledger
	account string
}

func each(t *testing.T, test func(t *bench)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := &bench{T: t, db: d, clock: clock.NewFake(now)}
		b.ledger = source.NewLedger(d, b.clock)
		plans, err := account.Override("")
		if err != nil {
			t.Fatal(err)
		}
		acc, err := account.New(d, plans, b.clock).Create(t.Context(), "a@trigpoint.example", "pro")
		if err != nil {
			t.Fatal(err)
		}
		b.account = acc.ID
		test(b)
	})
}

func (b *bench) ask(chain source.Chain[*shop]) (string, error) {
	b.Helper()
	ctx := source.WithPurpose(b.Context(), source.Purpose{AccountID: b.account, Subject: "campaign"})
	answer, by, receipt, err := source.Ask(ctx, b.ledger, chain, func(p provider.Prices) provider.Money { return p.Map },
		func(ctx context.Context, s *shop) (string, error) { return s.answer(ctx) })
	if err == nil && by.Name != answer {
		b.Errorf("%s answered, and %s is said to have", answer, by.Name)
	}
	if err := b.ledger.SettleNow(b.Context(), receipt); err != nil {
		b.Fatal(err)
	}
	return answer, err
}

func (b *bench) spent(name string) provider.Money {
	b.Helper()
	spent, err := b.ledger.Spent(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return spent[name]
}

func (b *bench) reserved() int {
	b.Helper()
	n, err := db.One(b.Context(), b.db, db.Value[int], "SELECT count(*) FROM reservations")
	if err != nil {
		b.Fatal(err)
	}
	return n
}

func TestTheNextSourceTakesOver(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fail error
		want string
	}{
		"works":          {nil, "first"},
		"out of credits": {provider.Errorf(provider.QuotaSpent, "FIRST", "Empty."), "second"},
		"refused":        {provider.Errorf(provider.Unauthorized, "FIRST", "Who?"), "second"},
		"cannot answer":  {provider.Errorf(provider.BadQuery, "FIRST", "What?"), ""},
		"fails once":     {provider.Errorf(provider.Transient, "FIRST", "Down."), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *bench) {
				first, second := newShop("first", 0.002, 0), newShop("second", 0.001, 0)
				first.fail = tt.fail
				chain := chainOf(first, second)
				answer, err := t.ask(chain)
				if tt.want == "" {
					if err == nil {
						t.Errorf("%s answered", answer)
					}
					return
				}
				if answer != tt.want || err != nil {
					t.Errorf("%q answered, want %s: %v", answer, tt.want, err)
				}
				if got := t.spent("first"); got != 2000 {
					t.Errorf("the first has cost %s", got)
				}
				if tt.want == "second" {
					if _, err := t.ask(chain); err != nil || first.asked != 1 {
						t.Errorf("the first was asked %d times: %v", first.asked, err)
					}
					if got := t.spent("second"); got != 2000 {
						t.Errorf("the second has cost %s", got)
					}
				}
			})
		})
	}
}

func TestASourceThatKeepsFailingIsPassedOver(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		first, second := newShop("first", 0, 0), newShop("second", 0, 0)
		first.fail = provider.Errorf(provider.Transient, "FIRST", "Down.")
		chain := chainOf(first, second)
		for range 20 {
			_, _ = t.ask(chain)
		}
		if answer, err := t.ask(chain); answer != "second" || err != nil {
			t.Errorf("%q answered: %v", answer, err)
		}
		if chain.First().Describe().Name != "second" {
			t.Error("the failing one is first")
		}
	})
}

func TestBudgetIsNeverPassed(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		first, second := newShop("first", 0.3, 1), newShop("second", 0.001, 0)
		chain := chainOf(first, second)
		var wg sync.WaitGroup
		for range 12 {
			wg.Go(func() { _, _ = t.ask(chain) })
		}
		wg.Wait()
		for range 4 { // those that were held up by reservations come again
			if _, err := t.ask(chain); err != nil {
				t.Error(err)
			}
		}
		if got := t.spent("first"); got != provider.USD(0.9) {
			t.Errorf("%s is spent of a budget of $1, at $0.30 a question", got)
		}
		_, err := t.ask(chain[:1])
		if provider.KindOf(err) != provider.OverBudget || !strings.Contains(err.Error(), "TRIGPOINT_FIRST_BUDGET") {
			t.Errorf("without another source: %v", err)
		}
		if n := t.reserved(); n != 0 {
			t.Errorf("%d reservations are left", n)
		}
		t.clock.Set(now.AddDate(0, 1, 0))
		if answer, err := t.ask(chain); answer != "first" || err != nil {
			t.Errorf("in the next month %q answered: %v", answer, err)
		}
	})
}

// The account is told once that little of its budget is left: of what is spent, not of what is reserved for questions under way.
func TestLittleOfABudgetIsLeft(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		told := func() int {
			n, err := db.One(t.Context(), t.db, db.Value[int], "SELECT count(*) FROM events WHERE kind = 'budget.low'")
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		only := newShop("only", 0.1, 0)
		if err := t.ledger.SetBudget(t.Context(), t.account, provider.USD(1.2)); err != nil {
			t.Fatal(err)
		}
		large, err := t.ledger.Reserve(t.Context(), only.d, t.account, provider.USD(1.1), 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := t.db.Tx(t.Context(), func(tx *db.Tx) error { return t.ledger.Release(t.Context(), tx, large) }); err != nil {
			t.Fatal(err)
		}
		for asked := range 12 {
			if want := asked / 11; told() != want {
				t.Errorf("after %d questions of 12 it is told %d times, want %d", asked, told(), want)
			}
			if _, err := t.ask(chainOf(only)); err != nil {
				t.Fatal(err)
			}
		}
		if told() != 1 {
			t.Errorf("at the end it is told %d times", told())
		}
	})
}

func TestBudgetOfAnAccount(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		only := chainOf(newShop("only", 0.3, 0))
		if err := t.ledger.SetBudget(t.Context(), t.account, provider.USD(0.5)); err != nil {
			t.Fatal(err)
		}
		if _, err := t.ask(only); err != nil {
			t.Fatal(err)
		}
		if _, err := t.ask(only); provider.KindOf(err) != provider.OverBudget || !strings.Contains(err.Error(), "$0.50 a month") {
			t.Errorf("beyond the budget: %v", err)
		}
		if err := t.ledger.SetBudget(t.Context(), t.account, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := t.ask(only); err != nil {
			t.Errorf("without a budget: %v", err)
		}
		costs, err := t.ledger.Costs(t.Context(), source.Filter{AccountID: t.account}, 10, 0)
		if err != nil || len(costs) != 1 || costs[0].Subject != "campaign" || costs[0].Requests != 2 || costs[0].Cost != provider.USD(0.6) {
			t.Errorf("%+v, %v", costs, err)
		}
	})
}

func TestReservationsOfTheDeadEnd(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		d := newShop("only", 0.3, 1).d
		r, err := t.ledger.Reserve(t.Context(), d, t.account, d.Prices.Map, 100)
		if err != nil || r.Questions != 3 {
			t.Fatalf("leave for %d questions, want 3: %v", r.Questions, err)
		}
		if _, err := t.ledger.Reserve(t.Context(), d, t.account, d.Prices.Map, 1); provider.KindOf(err) != provider.RateLimited {
			t.Errorf("while all is reserved: %v", err)
		}
		t.clock.Set(now.Add(time.Hour))
		if r, err := t.ledger.Reserve(t.Context(), d, t.account, d.Prices.Map, 1); err != nil || r.Questions != 1 {
			t.Errorf("when the process is dead: %v", err)
		}
	})
}
