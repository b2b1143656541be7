// Package config holds every setting of the program. Each is a flag, an environment variable
// TRIGPOINT_<NAME> and a key of the JSON config file, in this order of precedence; they are read once.
package config

import (
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/basemap"
	"github.com/trigpoint/trigpoint/internal/mail"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/secret"
	"github.com/trigpoint/trigpoint/internal/source"
)

// Network is a network of addresses, such as 10.0.0.0/8.
type Network struct{ netip.Prefix }

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *Network) UnmarshalText(text []byte) error {
	prefix, err := netip.ParsePrefix(string(text))
	if err != nil {
		return fmt.Errorf("%.60q is no network such as 10.0.0.0/8 or 127.0.0.1/32", text)
	}
	n.Prefix = prefix
	return nil
}

// Config is all settings. A field tagged secret is never printed.
type Config struct {
	Data        string   `help:"Folder of the SQLite store and of the images." default:"./data" type:"path"`
	DatabaseURL string   `help:"PostgreSQL URL; SQLite in the data folder when empty." secret:""`
	ReplicaURL  []string `help:"URLs of streaming replicas of that PostgreSQL, with commas; they answer reads while they keep up." secret:""`
	MaxConns    int      `help:"Most connections to PostgreSQL, and to each replica." default:"16"`

	Listen        string `help:"Address to listen on." default:"127.0.0.1:8080"`
	AdminListen   string `help:"Address for /metrics and /debug/pprof, which no stranger should reach; off when empty."`
	RequestMemory int    `help:"Most memory that requests under way may hold, in MiB; one account's a quarter of it." default:"512"`
	PublicURL     string `help:"Base URL under which the service is reached; used in links. http:// and the listening address when empty."`

	TrustedProxies []Network `help:"Networks of proxies, such as 10.0.0.0/8, whose X-Forwarded-For or Forwarded tells a client's address."`

	LogLevel  string `help:"debug, info, warn or error." default:"info" enum:"debug,info,warn,error"`
	LogFormat string `help:"json or text." default:"json" enum:"json,text"`

	ShutdownGrace time.Duration `help:"How long requests and jobs under way may take to finish." default:"20s"`

	JobTakeover time.Duration `help:"How long a background job may run; then it counts as a dead process's, and another one takes it over." default:"1m"`

	S3Endpoint  string `help:"URL of S3-compatible storage for images; the data folder when empty." name:"s3-endpoint" env:"TRIGPOINT_S3_ENDPOINT"`
	S3Bucket    string `help:"Bucket." name:"s3-bucket" env:"TRIGPOINT_S3_BUCKET"`
	S3Region    string `help:"Region." name:"s3-region" env:"TRIGPOINT_S3_REGION" default:"us-east-1"`
	S3AccessKey string `help:"Access key." name:"s3-access-key" env:"TRIGPOINT_S3_ACCESS_KEY" secret:""`
	S3SecretKey string `help:"Secret key." name:"s3-secret-key" env:"TRIGPOINT_S3_SECRET_KEY" secret:""`
	S3Prefix    string `help:"Prefix of object names." name:"s3-prefix" env:"TRIGPOINT_S3_PREFIX"`

	WebhookURL          string   `help:"URL that published locations are pushed to." secret:""`
	WebhookSecret       string   `help:"Signing secret, whsec_ and base64." secret:""`
	WebhookCountries    []string `help:"Countries whose locations are pushed; all when empty."`
	WebhookAllowPrivate bool     `help:"Let webhooks, also those of accounts, reach loopback and private addresses."`

	MapProvider []string `help:"Where map results come from: placeindex (the places imported here) or ${map_vendors}; auto is the first vendor whose settings are complete, and placeindex without any. Several, with commas, take over in this order when one is out of credits, over its budget or failing." default:"auto" enum:"auto,placeindex,${map_vendors}"`

	SerpProvider  []string      `help:"Where result pages come from: webindex (the pages imported here) or ${web_vendors}; auto as with map-provider, and so do several take over from each other." default:"auto" enum:"auto,webindex,${web_vendors}"`
	SerpDepth     int           `help:"How many organic results a rank check looks at, 10 to 200; trackings may say otherwise." default:"100"`
	SerpRetention time.Duration `help:"How long every result page is kept; of older ones the last of each month stays. 0 keeps all." default:"2160h"`

	KeywordProvider []string `help:"Who tells figures, ideas, ranks, competitors and links of keywords and domains: none (what was imported here) or ${keyword_vendors}; auto is the vendors that have been given a key, and none without any. Several, with commas, are asked in this order, each for what it can." default:"auto" enum:"auto,none,${keyword_vendors}"`

	Signup   string `help:"Who may make an account in the dashboard: closed (nobody; the first account and those of the command line), invite (who is invited) or open (anybody)." default:"closed" enum:"closed,invite,open"`
	SMTPURL  string `help:"Server that sends mail, such as smtp://user:password@mail.example.com:587 or smtps://…; without it forgotten passwords are reset on the command line." name:"smtp-url" env:"TRIGPOINT_SMTP_URL" secret:""`
	MailFrom string `help:"Sender of mail, such as Trigpoint <noreply@example.com>."`

	FontDir string `help:"Folder of TrueType or OpenType fonts for characters of reports that the built-in one lacks, such as Japanese or Arabic; they are left out when no font has them." type:"path"`

	SecretKey string `help:"32 random bytes as base64 or hex that seal the credentials of connected services and the secrets of webhooks; several separated by commas: the first seals, all open." secret:""`
	BackupKey string `help:"32 random bytes as base64 or hex that encrypt backups; they are not encrypted when empty." secret:""`

	GoogleClientID     string `help:"OAuth client with which people connect Google's services." env:"TRIGPOINT_GOOGLE_CLIENT_ID"`
	GoogleClientSecret string `help:"Its secret." secret:""`
	GoogleAuthURL      string `help:"Google's consent page; its own when empty." env:"TRIGPOINT_GOOGLE_AUTH_URL"`
	GoogleTokenURL     string `help:"Where Google gives tokens; its own when empty." env:"TRIGPOINT_GOOGLE_TOKEN_URL"`
	GoogleRevokeURL    string `help:"Where Google ends tokens; its own when empty." env:"TRIGPOINT_GOOGLE_REVOKE_URL"`

	SearchConsoleURL   string `help:"API of Google Search Console; Google's own when empty." env:"TRIGPOINT_SEARCH_CONSOLE_URL"`
	BusinessProfileURL string `help:"API of Google Business Profile; Google's own when empty." env:"TRIGPOINT_BUSINESS_PROFILE_URL"`

	MapStyle string   `help:"Base map of the dashboard: URL of a MapLibre style, path of a .pmtiles file that is served from here, or none." default:"https://tiles.openfreemap.org/styles/positron"`
	MapHosts []string `help:"Hosts that the style names beside its own, such as those of its tiles, glyphs and sprites; browsers are let reach no others."`

	Plans string `help:"Changes to the table of plans as JSON, such as {\"free\":{\"locations\":10}}. Keys: locations, campaigns, credits, trackings, keywords, lookups, image_bytes, stored_keywords, rate (requests a second, 0 is unlimited)."`

	Vendors []provider.Vendor `kong:"-"` // each declares its own settings
}

// Check finds settings that cannot work together, all at once.
func (c *Config) Check() error {
	var problems []string
	if c.Listen == "" {
		problems = append(problems, "listen is empty")
	}
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
	if c.SerpDepth < 10 || c.SerpDepth > 200 {
		problems = append(problems, fmt.Sprintf("serp-depth is %d; it must be 10 to 200", c.SerpDepth))
	}
	problems = append(problems, c.checkVendors()...)
	if c.JobTakeover < 2*time.Second {
		problems = append(problems, "job-takeover must be at least 2s")
	}
	if c.RequestMemory < 1 {
		problems = append(problems, "request-memory must be at least 1 (MiB)")
	}
	if len(c.ReplicaURL) > 0 && c.DatabaseURL == "" {
		problems = append(problems, "replica-url needs database-url: only PostgreSQL has replicas")
	}
	if c.MaxConns < 4 {
		problems = append(problems, "max-conns must be at least 4")
	}
	if _, err := secret.ParseKeys(c.SecretKey); err != nil {
		problems = append(problems, err.Error())
	}
	if _, err := secret.ParseKey(c.BackupKey); c.BackupKey != "" && err != nil {
		problems = append(problems, "backup-key: "+err.Error())
	}
	if (c.GoogleClientID == "") != (c.GoogleClientSecret == "") {
		problems = append(problems, "google-client-id and google-client-secret go together")
	}
	if _, err := c.BaseMap(); err != nil {
		problems = append(problems, strings.Split(err.Error(), "\n")...)
	}
	if (c.SMTPURL == "") != (c.MailFrom == "") {
		problems = append(problems, "smtp-url and mail-from go together")
	} else if _, err := c.Mailer(); err != nil {
		problems = append(problems, err.Error())
	}
	if _, err := account.Override(c.Plans); err != nil {
		problems = append(problems, err.Error())
	}
	if len(problems) > 0 {
		return fmt.Errorf("configuration: %s", strings.Join(problems, "; "))
	}
	return nil
}

// use is a setting that names providers.
type use struct {
	setting string
	names   *[]string
	able    func(provider.Vendor) bool
	builtIn string // used where no vendor is
	several bool   // auto takes all vendors, each for what it can; of maps and engines it takes one, since their ranks do not compare
}

func (c *Config) uses() []use {
	return []use{
		{"map-provider", &c.MapProvider, provider.Can[source.Maps], "placeindex", false},
		{"serp-provider", &c.SerpProvider, provider.Can[source.Web], "webindex", false},
		// Whoever needs no key has not been chosen by giving one.
		{"keyword-provider", &c.KeywordProvider, func(v provider.Vendor) bool { return provider.KnowsKeywords(v) && v.HasKey() }, "none", true},
	}
}

// auto names who can be used as the vendors are set.
const auto = "auto"

// ChooseProviders puts names in place of auto, so that a key alone is enough to use a vendor.
func (c *Config) ChooseProviders() {
	for _, use := range c.uses() {
		if len(*use.names) > 0 && !slices.Equal(*use.names, []string{auto}) { // an empty variable is as good as none
			continue
		}
		*use.names = nil
		for _, v := range c.Vendors {
			if use.able(v) && len(v.Missing()) == 0 && (use.several || len(*use.names) == 0) {
				*use.names = append(*use.names, v.Name)
			}
		}
		if len(*use.names) == 0 {
			*use.names = []string{use.builtIn}
		}
	}
}

// UseBuiltIn leaves all vendors alone, whatever is set of them.
func (c *Config) UseBuiltIn() {
	for _, use := range c.uses() {
		*use.names = []string{use.builtIn}
	}
}

// checkVendors wants every vendor's settings to make sense, and nothing to be missing for one that is used.
func (c *Config) checkVendors() (problems []string) {
	for _, use := range c.uses() {
		if names := slices.Sorted(slices.Values(*use.names)); len(slices.Compact(names)) != len(*use.names) {
			problems = append(problems, use.setting+" names a provider twice")
		}
		for _, alone := range []string{auto, "none"} {
			if len(*use.names) > 1 && slices.Contains(*use.names, alone) {
				problems = append(problems, fmt.Sprintf("%s names %s beside others", use.setting, alone))
			}
		}
	}
	for _, v := range c.Vendors {
		if err := v.Check(); err != nil {
			problems = append(problems, err.Error())
		}
		for _, use := range c.uses() {
			if !slices.Contains(*use.names, v.Name) {
				continue
			}
			for _, missing := range v.Missing() {
				problems = append(problems, fmt.Sprintf("%s %s needs %s", use.setting, v.Name, missing))
			}
		}
	}
	return problems
}

// Mailer sends mail; nil where that is not configured.
func (c *Config) Mailer() (*mail.Mailer, error) {
	if c.SMTPURL == "" {
		return nil, nil //nolint:nilnil // the absence of mail is no error
	}
	return mail.NewMailer(c.SMTPURL, c.MailFrom)
}

// BaseMap is the map under the dashboard's grids.
func (c *Config) BaseMap() (basemap.Map, error) { return basemap.New(c.MapStyle, c.MapHosts) }

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

// Proxies are the networks of proxies.
func (c *Config) Proxies() []netip.Prefix {
	all := make([]netip.Prefix, len(c.TrustedProxies))
	for i, n := range c.TrustedProxies {
		all[i] = n.Prefix
	}
	return all
}
