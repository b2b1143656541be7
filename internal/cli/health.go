package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthPatience is how long a service has to say that it is ready.
const healthPatience = 4 * time.Second

type healthCmd struct{}

// Run asks the service of these settings whether it is ready. A container has no other program that could.
func (healthCmd) Run(e *env) error {
	address, err := e.localService()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(e.ctx, healthPatience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/readyz", http.NoBody)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("no service answers at %s: %w", req.URL.Host, err)
	}
	defer func() { _ = res.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(res.Body, 1<<10))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", strings.TrimSpace(string(said)))
	}
	fmt.Fprintln(e.out, "ready")
	return nil
}

// localService is the address of the service that listens on --listen.
func (e *env) localService() (string, error) {
	host, port, err := net.SplitHostPort(e.config.Listen)
	if err != nil {
		return "", fmt.Errorf("listen: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port), nil
}
