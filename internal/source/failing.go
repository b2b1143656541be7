package source

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
)

// TellFailing writes the event that a provider refuses or keeps failing, once a day for each account.
func (l *Ledger) TellFailing(ctx context.Context, tx *db.Tx, accountID, title, reason string) error {
	now := l.clock.Now()
	return event.Emit(ctx, tx, now, event.Event{
		AccountID: accountID, Kind: event.ProviderFailing, Subject: title, Data: event.Provider{Provider: title, Reason: reason}, Once: title + " " + now.Format(time.DateOnly),
	})
}
