package doctor

import (
	"context"
	"fmt"
	"net"
	"net/url"

	"github.com/trigpoint/trigpoint/internal/trace"
)

// address finds links that lead nowhere, and clients that cannot be told apart.
func (d *Doctor) address(context.Context) (found []Finding, err error) {
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
	if u.Scheme == "https" && len(c.TrustedProxies) == 0 { // the program itself speaks no TLS
		found = append(found, Finding{
			"A proxy must stand before the service, since its public address is https, but no proxy is trusted: all clients seem to have the proxy's address and share its limits.",
			"Set TRIGPOINT_TRUSTED_PROXIES to the network of the proxy, such as 127.0.0.1/32 or 10.0.0.0/8.",
		})
	}
	return found, nil
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
