// Package desk is what an account sees of itself: its keys and tokens, what it uses of its plan, its brand, who is asked for
// its data, what it shares, and what has changed in every area. Each area tells its own part; the desk puts them side by side.
package desk

import (
	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/source"
)

// Desk is an account's view of itself.
type Desk struct {
	DB        *db.DB
	Accounts  *account.Accounts
	Clock     clock.Clock
	Local     *local.Service
	MapRank   *maprank.Service
	RankWatch *rankwatch.Service
	Ledger    *source.Ledger
	Sources   Sources
	PublicURL string
}
