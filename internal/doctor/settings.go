package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/trace"
	"github.com/trigpoint/trigpoint/internal/typeface"
)

// address finds links that lead nowhere, and clients that cannot be told apart.
func (d *Doctor) address(ctx context.Context) (found []Finding, err error) {
	c := d.Config
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, err
	}
	ip := net.ParseIP(host)
	private := host == "localhost" || ip != nil && ip.IsLoopback()
	if !private && c.PublicURL == "" {
		found = append(found, Finding{
			fmt.Sprintf("The service listens on %s for others, but links in mail and shared reports begin with http://%s, since no public address is set.", c.Listen, c.Listen),
			"Set TRIGPOINT_PUBLIC_URL to the address that people use, such as https://trigpoint.example.com.",
		})
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil {
		return found, err
	}
	d.resolve(ctx, u.Hostname())
	if u.Scheme == "https" && len(c.TrustedProxies) == 0 { // the program itself speaks no TLS
		found = append(found, Finding{
			"A proxy must stand before the service, since its public address is https, but no proxy is trusted: all clients seem to have the proxy's address and share its limits.",
			"Set TRIGPOINT_TRUSTED_PROXIES to the network of the proxy, such as 127.0.0.1/32 or 10.0.0.0/8.",
		})
	}
	return found, nil
}

// resolve notes a public address of which nobody seems to know where it is. Names of an inner network may be known to its people only.
func (d *Doctor) resolve(ctx context.Context, host string) {
	if host == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	var unknown *net.DNSError
	if _, err := d.LookupHost(ctx, host); errors.As(err, &unknown) && unknown.IsNotFound {
		d.Notes = append(d.Notes, fmt.Sprintf("The host of the public address, %s, is not known here: links in mail lead nowhere unless those who read it know it; see TRIGPOINT_PUBLIC_URL.", host))
	}
}

// probeListen is how long whoever holds the address has to say who it is.
const probeListen = 3 * time.Second

// listen finds an address that is another program's. The service of this store may have it.
func (d *Doctor) listen(ctx context.Context) ([]Finding, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", d.Config.Listen)
	if err == nil {
		return nil, listener.Close()
	}
	switch {
	case !d.answers(ctx):
		if errors.Is(err, syscall.EADDRINUSE) {
			err = errors.New("another program has it")
		}
	case d.served():
		return nil, nil
	default:
		err = errors.New("a Trigpoint of another store has it")
	}
	return []Finding{{
		fmt.Sprintf("trigpoint serve could not listen on %s: %v.", d.Config.Listen, err),
		"End the program that has the address, or set TRIGPOINT_LISTEN to another one of this machine.",
	}}, nil
}

// answers tells whether a Trigpoint has the address: it asks assistants for a key in words of its own, while many programs have a
// /healthz that says ok.
func (d *Doctor) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, probeListen)
	defer cancel()
	host, port, err := net.SplitHostPort(d.Config.Listen)
	if err != nil {
		return false
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/mcp", http.NoBody)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return strings.Contains(res.Header.Get("WWW-Authenticate"), `realm="trigpoint"`)
}

// served tells whether a process works this store; one on PostgreSQL is not to be seen from here, and believed to be there.
func (d *Doctor) served() bool {
	if d.Config.DatabaseURL != "" {
		return true
	}
	unlock, err := db.LockFile(filepath.Join(d.Config.Data, db.WorkerLock), false)
	if err != nil {
		return true
	}
	unlock()
	return false
}

// fonts finds those of reports that cannot be used.
func (d *Doctor) fonts(context.Context) ([]Finding, error) {
	faults := typeface.NewFolder(d.Config.FontDir, quiet()).Faults()
	if len(faults) == 0 {
		return nil, nil
	}
	count := "1 fault"
	if len(faults) > 1 {
		count = fmt.Sprintf("%d faults", len(faults))
	}
	return []Finding{{
		fmt.Sprintf("Fonts of TRIGPOINT_FONT_DIR cannot be used (%s), the first because: %v.", count, faults[0]),
		"Name a folder that is there, and put .ttf or .otf files into it; a collection (.ttc) that cannot be read is unpacked into these. Reports leave out characters that no font has.",
	}}, nil
}

// mail tries the mail server.
func (d *Doctor) mail(ctx context.Context) ([]Finding, error) {
	mailer, err := d.Config.Mailer()
	if mailer == nil || err != nil {
		return nil, err
	}
	if err := mailer.Reach(ctx); err != nil {
		return []Finding{{
			fmt.Sprintf("The mail server takes no mail from here: %v.", err),
			"Check TRIGPOINT_SMTP_URL: host, port, user and password, and whether a firewall stands between. Until then nobody gets the link for a forgotten password.",
		}}, nil
	}
	return nil, nil
}

// traces tries the collector, if one is named.
func (d *Doctor) traces(ctx context.Context) ([]Finding, error) {
	settings, err := trace.FromEnv(d.Getenv)
	if err != nil {
		return []Finding{{
			fmt.Sprintf("The service does not start, for traces cannot be sent: %v.", err),
			"Correct the variable, or set OTEL_SDK_DISABLED=true to send none.",
		}}, nil
	}
	if settings.Endpoint == nil {
		d.Notes = append(d.Notes, "No traces are sent; OTEL_EXPORTER_OTLP_ENDPOINT would name a collector for them.")
		return nil, nil
	}
	if err := trace.Reach(ctx, settings); err != nil {
		return []Finding{{
			fmt.Sprintf("Traces are lost: %v.", err),
			"Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS, and whether the collector runs and takes OTLP over HTTP. Everything else works without it.",
		}}, nil
	}
	d.Notes = append(d.Notes, fmt.Sprintf("Traces are sent to %s.", settings.Endpoint.Host))
	return nil, nil
}
