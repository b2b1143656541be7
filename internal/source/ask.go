package source

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Receipt is what one question has cost, at whichever providers, and what is still reserved for it. Settle it in the transaction
// that keeps the answer.
type Receipt struct {
	charges  []Charge
	reserved []Reservation
}

// Settle records what questions have cost.
func (l *Ledger) Settle(ctx context.Context, tx *db.Tx, receipts ...*Receipt) error {
	var charges []Charge
	var reserved []Reservation
	for _, r := range receipts {
		if r != nil {
			charges, reserved = append(charges, r.charges...), append(reserved, r.reserved...)
		}
	}
	if err := l.Record(ctx, tx, charges...); err != nil {
		return err
	}
	return l.Release(ctx, tx, reserved...)
}

// SettleNow records what a question has cost whose answer is not kept with it.
func (l *Ledger) SettleNow(ctx context.Context, r *Receipt) error {
	if r == nil || (len(r.charges) == 0 && len(r.reserved) == 0) {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // it is paid, also when nobody waits for the answer any more
	return l.db.Tx(ctx, func(tx *db.Tx) error { return l.Settle(ctx, tx, r) })
}

// Ask puts a question to the first source of a chain that can be asked, and anew to the next one when one is out of
// credits, over its budget or left alone for failing. It tells who answered, or who was asked last. price is what an answer
// may cost at most. Whatever comes of it, the receipt is to be settled.
func Ask[P provider.Provider, T any](ctx context.Context, l *Ledger, chain Chain[P], price func(provider.Prices) provider.Money, ask func(context.Context, P) (T, error)) (answer T, by provider.Descriptor, receipt *Receipt, err error) {
	receipt = &Receipt{}
	purpose := purposeOf(ctx)
	for source, more := chain.First(), true; more; source, more = chain.After(by.Name) {
		by = source.Describe()
		var r Reservation
		if r, err = l.Reserve(ctx, by, purpose.AccountID, price(by.Prices), 1); err == nil {
			receipt.reserved = append(receipt.reserved, r)
			var bill provider.Bill
			answer, err = provider.Call(provider.WithBill(chain.impatient(ctx, by.Name), &bill), source.Caller, func(ctx context.Context) (T, error) { return ask(ctx, source.Provider) })
			receipt.charges = append(receipt.charges, ChargeOf(by.Name, purpose, &bill))
		}
		if !MovesOn(err) {
			break
		}
	}
	return answer, by, receipt, err
}

// MovesOn tells whether a failure is one after which the next source is asked: the account at the provider is empty or refused,
// a budget is used up, or the provider fails so often that it is left alone.
func MovesOn(err error) bool {
	switch provider.KindOf(err) {
	case provider.QuotaSpent, provider.Unauthorized, provider.OverBudget:
		return true
	}
	return provider.Resting(err)
}
