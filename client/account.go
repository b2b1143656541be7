package client

import (
	"context"
	"net/http"

	"github.com/trigpoint/trigpoint/client/account"
)

// Account is what the holder of the key sees of itself.
type Account struct{ c *Client }

// Overview reads what has changed within a week.
func (a Account) Overview(ctx context.Context) (account.Overview, error) {
	return get[account.Overview](ctx, a.c, call{area: accountArea, method: http.MethodGet, path: "/overview"})
}

// Usage reads what is used of the plan.
func (a Account) Usage(ctx context.Context) (account.Usage, error) {
	return get[account.Usage](ctx, a.c, call{area: accountArea, method: http.MethodGet, path: "/usage"})
}

// Me reads whose key it is, and whether it may only read.
func (a Account) Me(ctx context.Context) (account.Start, error) {
	return get[account.Start](ctx, a.c, call{area: accountArea, method: http.MethodGet, path: "/session"})
}
