package connection

import (
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Service is a service of Google's that an account can connect.
type Service string

// The services.
const (
	SearchConsole   Service = "search-console"
	BusinessProfile Service = "business-profile"
)

// Services are all of them.
var Services = []Service{SearchConsole, BusinessProfile}

// ParseService reads the name of a service.
func ParseService(name string) (Service, error) {
	for _, s := range Services {
		if string(s) == name {
			return s, nil
		}
	}
	return "", errs.New(errs.Invalid, "There is no service %q; there are %s and %s.", name, SearchConsole, BusinessProfile)
}

// Title is the service as people write it.
func (s Service) Title() string {
	if s == BusinessProfile {
		return "Google Business Profile"
	}
	return "Google Search Console"
}

// scope is what Google is asked to allow.
func (s Service) scope() string {
	if s == BusinessProfile {
		return "https://www.googleapis.com/auth/business.manage"
	}
	return "https://www.googleapis.com/auth/webmasters.readonly"
}

// howToConnect is the end of every message about a connection that is missing or ended.
func (s Service) howToConnect() string {
	return "Connect it with POST " + httpapi.AccountPrefix + "/connections or `trigpoint google connect --service " + string(s) + "`."
}

// Status tells whether a connection works.
type Status string

// The statuses.
const (
	Connected Status = "connected"
	Broken    Status = "broken"
)

// Connection is a service that an account has connected. What opens it is never shown.
type Connection struct {
	Service     Service   `json:"service" enum:"search-console,business-profile"`
	Kind        Kind      `json:"kind" enum:"refresh_token,service_account"`
	Identity    string    `json:"identity,omitempty"`
	Scopes      []string  `json:"scopes" nullable:"false"`
	Status      Status    `json:"status" enum:"connected,broken"`
	Detail      string    `json:"status_detail,omitempty"`
	ConnectedAt time.Time `json:"connected_at"`
}

// owner binds what is sealed to its record.
func owner(accountID string, s Service) string {
	return strings.Join([]string{accountID, string(s)}, "/")
}
