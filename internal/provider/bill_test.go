package provider_test

import (
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestMoney(t *testing.T) {
	t.Parallel()
	for dollars, want := range map[float64]string{
		0: "$0.00", -1: "$0.00", 0.0006: "$0.0006", 0.002: "$0.002", 0.1: "$0.10", 12: "$12.00", 0.0000001: "$0.000001", 35.0 / 1000: "$0.035", 1.234567: "$1.234567",
	} {
		if got := provider.USD(dollars).String(); got != want {
			t.Errorf("%v dollars are %s, want %s", dollars, got, want)
		}
	}
}

func TestBillAddsUpWhatRequestsCost(t *testing.T) {
	t.Parallel()
	provider.Charge(t.Context(), provider.USD(1)) // nobody counts
	var bill provider.Bill
	ctx := provider.WithBill(t.Context(), &bill)
	provider.Charge(ctx, provider.USD(0.002))
	provider.Charge(ctx, 0)
	if requests, cost := bill.Total(); requests != 2 || cost != 2000 {
		t.Errorf("%d requests for %s", requests, cost)
	}
}
