package provider

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
)

// Money is an amount in millionths of a US dollar.
type Money int64

// USD makes an amount of dollars, rounded up to a millionth: a price is never taken for less than it is.
func USD(dollars float64) Money {
	if math.IsNaN(dollars) || dollars <= 0 {
		return 0
	}
	return Money(math.Ceil(min(dollars, 1e9)*1e6 - 1e-6))
}

// Dollars is the amount as a number.
func (m Money) Dollars() float64 { return float64(m) / 1e6 }

// String writes dollars with as many decimals as the amount has, at least two.
func (m Money) String() string {
	text := fmt.Sprintf("%.6f", m.Dollars())
	return "$" + text[:max(len(strings.TrimRight(text, "0")), len(text)-4)]
}

// Bill adds up what asking has cost, over all requests and attempts of a question: vendors bill some answers
// that cannot be used.
type Bill struct {
	mu       sync.Mutex
	requests int
	cost     Money
}

// Total is what was billed so far.
func (b *Bill) Total() (requests int, cost Money) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.requests, b.cost
}

type billKey struct{}

// WithBill lets requests made under the context add to a bill.
func WithBill(ctx context.Context, b *Bill) context.Context {
	return context.WithValue(ctx, billKey{}, b)
}

// Charge notes a request that the vendor bills, at what it says that it costs or at its price. Adapters call it once for
// each such request, whether or not its answer can be used.
func Charge(ctx context.Context, cost Money) {
	if b, ok := ctx.Value(billKey{}).(*Bill); ok {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.requests++
		b.cost += cost
	}
}
