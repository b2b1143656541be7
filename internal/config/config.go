// Package config holds every setting of the program. Each is a flag, an environment variable
// TRIGPOINT_<NAME> and a key of the JSON config file, in this order of precedence; they are read once.
package config

import (
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
)

// Config is all settings. A field tagged secret is never printed.
type Config struct {
	Data        string `help:"Folder of the SQLite store and of the images." default:"./data" type:"path"`
	DatabaseURL string `help:"PostgreSQL URL; SQLite in the data folder when empty." secret:""`
	MaxConns    int    `help:"Most connections to PostgreSQL." default:"16"`

	Listen    string `help:"Address to listen on." default:"127.0.0.1:8080"`
	PublicURL string `help:"Base URL under which the service is reached; used in links. http:// and the listening address when empty."`

	LogLevel  string `help:"debug, info, warn or error." default:"info" enum:"debug,info,warn,error"`
	LogFormat string `help:"json or text." default:"json" enum:"json,text"`

	ShutdownGrace time.Duration `help:"How long requests and jobs under way may take to finish." default:"20s"`

	S3Endpoint  string `help:"URL of S3-compatible storage for images; the data folder when empty." name:"s3-endpoint"`
	S3Bucket    string `help:"Bucket." name:"s3-bucket"`
	S3Region    string `help:"Region." name:"s3-region" default:"us-east-1"`
	S3AccessKey string `help:"Access key." name:"s3-access-key" secret:""`
	S3SecretKey string `help:"Secret key." name:"s3-secret-key" secret:""`
	S3Prefix    string `help:"Prefix of object names." name:"s3-prefix"`

	WebhookURL          string   `help:"URL that published locations are pushed to." secret:""`
	WebhookSecret       string   `help:"Signing secret, whsec_ and base64." secret:""`
	WebhookCountries    []string `help:"Countries whose locations are pushed; all when empty."`
	WebhookAllowPrivate bool     `help:"Let the webhook reach loopback and private addresses."`

	Plans string `help:"Changes to the table of plans as JSON, such as {\"free\":{\"locations\":10}}. Keys: locations, campaigns, credits, trackings, keywords, rate (requests a second, 0 is unlimited)."`
}

// Check finds settings that cannot work together, all at once.
func (c *Config) Check() error {
	var problems []string
	if c.PublicURL != "" {
		if u, err := url.Parse(c.PublicURL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.RawQuery != "" {
			problems = append(problems, fmt.Sprintf("public-url %q is not an http(s) URL", c.PublicURL))
		}
	}
	if (c.S3Endpoint == "") != (c.S3Bucket == "") {
		problems = append(problems, "s3-endpoint and s3-bucket go together")
	}
	if c.WebhookURL != "" && c.WebhookSecret == "" {
		problems = append(problems, "webhook-url needs webhook-secret")
	}
	if c.MaxConns < 4 {
		problems = append(problems, "max-conns must be at least 4")
	}
	if _, err := account.Override(c.Plans); err != nil {
		problems = append(problems, err.Error())
	}
	if len(problems) > 0 {
		return fmt.Errorf("configuration: %s", strings.Join(problems, "; "))
	}
	return nil
}

// Public is the base URL for links, without a slash at its end.
func (c *Config) Public() string {
	if c.PublicURL != "" {
		return strings.TrimRight(c.PublicURL, "/")
	}
	return "http://" + c.Listen
}

// Logger makes the program's logger, which writes to standard error.
func (c *Config) Logger() *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel))
	options := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "text" {
		return slog.New(slog.NewTextHandler(os.Stderr, options))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, options))
}
