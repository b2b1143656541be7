package connection

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// Kind is what opens a service.
type Kind string

// The kinds.
const (
	RefreshToken   Kind = "refresh_token"   // a person allowed it
	ServiceAccount Kind = "service_account" // an account of a program, which the owner of a property has added as a user
)

const (
	maxRefreshToken = 2 << 10
	// MaxCredential is how many bytes a refresh token or the key file of a service account may have.
	MaxCredential = 16 << 10
)

// Credential opens a service. It is kept sealed and never shown.
type Credential struct {
	RefreshToken   string          `json:"refresh_token,omitempty"`
	ServiceAccount *serviceAccount `json:"service_account,omitempty"`
}

// serviceAccount is what is needed of a key file. Where to ask for tokens is not: a file must not decide where its
// signature is sent.
type serviceAccount struct {
	Type         string `json:"type"`
	ClientEmail  string `json:"client_email"`
	PrivateKeyID string `json:"private_key_id"`
	PrivateKey   string `json:"private_key"`
}

// NewRefreshToken reads a refresh token as it was pasted.
func NewRefreshToken(text string) (Credential, error) {
	token := strings.TrimSpace(text)
	printable := !strings.ContainsFunc(token, func(r rune) bool { return r < 0x21 || r > 0x7e })
	if token == "" || len(token) > maxRefreshToken || !printable {
		return Credential{}, errs.New(errs.Invalid, "This is no refresh token: it is one word, such as 1//0g…, of at most %d characters.", maxRefreshToken)
	}
	return Credential{RefreshToken: token}, nil
}

// NewServiceAccount reads the key file of a service account.
func NewServiceAccount(file []byte) (Credential, error) {
	var account serviceAccount
	if len(file) > MaxCredential || json.Unmarshal(file, &account) != nil || account.Type != "service_account" || account.ClientEmail == "" {
		return Credential{}, errs.New(errs.Invalid, "This is not the JSON key file of a service account (type service_account, with client_email and private_key).")
	}
	block, _ := pem.Decode([]byte(account.PrivateKey))
	if block == nil {
		return Credential{}, errs.New(errs.Invalid, "The private_key of the key file is not PEM; download the file again.")
	}
	if _, err := x509.ParsePKCS8PrivateKey(block.Bytes); err != nil {
		return Credential{}, errs.New(errs.Invalid, "The private_key of the key file cannot be read; download the file again.")
	}
	return Credential{ServiceAccount: &account}, nil
}

func (c Credential) kind() Kind {
	if c.ServiceAccount != nil {
		return ServiceAccount
	}
	return RefreshToken
}

func (c Credential) identity() string {
	if c.ServiceAccount != nil {
		return c.ServiceAccount.ClientEmail
	}
	return ""
}

// opens refuses a credential that the service never takes.
func (c Credential) opens(s Service) error {
	if c.ServiceAccount != nil && s == BusinessProfile {
		return errs.New(errs.Invalid, "Google Business Profile wants a person's consent: a service account cannot open it. Give a refresh token.")
	}
	return nil
}
