package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/internal/mcp"
)

type mcpCmd struct{ remote }

// Run answers one assistant until it ends. Only the protocol is written to standard output.
func (cmd *mcpCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	me, err := c.Account.Me(e.ctx)
	var refused *client.Error
	if errors.As(err, &refused) {
		return fmt.Errorf("the server does not let this key in: %w", err)
	}
	if err != nil {
		return fmt.Errorf("the server cannot be reached: %w", err)
	}
	return mcp.Serve(e.ctx, mcp.New(c, built().version, !me.ReadOnly), os.Stdin, open{e.out})
}

// open is a writer that is not ours to close.
type open struct{ io.Writer }

// Close does nothing.
func (open) Close() error { return nil }
