// Package connectiontest is Google's authorization server for tests: consent, tokens and their end, over real HTTP,
// as strict as the real one and able to misbehave.
package connectiontest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trigpoint/trigpoint/internal/config"
)

// The OAuth client that Google knows, and the key that seals. No row, log or error may ever show the secrets.
const (
	ClientID     = "client-123.apps.googleusercontent.com"
	ClientSecret = "GOCSPX-hidden-client-secret"
	SecretKey    = "c2VjcmV0LWtleS1vZi0zMi1ieXRlcy1mb3ItdGVzdHM="
)

// Google is the fake. Its methods may be called while it is asked.
type Google struct {
	URL string

	mu       sync.Mutex
	codes    map[string]code
	refresh  map[string]string // scope by refresh token
	access   map[string]string // scope by access token
	accounts map[string]*rsa.PublicKey
	given    int
	asked    int
	rotate   bool
	failures []Failure
	secrets  map[string]bool
}

type code struct{ scope, challenge, redirect string }

// Failure is an answer in place of a token.
type Failure struct {
	Status int
	Body   string
}

// Start starts the fake, which ends with the test.
func Start(t testing.TB) *Google {
	g := &Google{codes: map[string]code{}, refresh: map[string]string{}, access: map[string]string{}, accounts: map[string]*rsa.PublicKey{}, secrets: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", g.token)
	mux.HandleFunc("POST /revoke", g.revoke)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	g.URL = server.URL
	return g
}

// Configure makes a program use the fake.
func (g *Google) Configure(c *config.Config) {
	c.SecretKey, c.GoogleClientID, c.GoogleClientSecret = SecretKey, ClientID, ClientSecret
	c.GoogleAuthURL, c.GoogleTokenURL, c.GoogleRevokeURL = g.URL+"/auth", g.URL+"/token", g.URL+"/revoke"
}

// Grant is a refresh token that a person has allowed elsewhere.
func (g *Google) Grant(scope string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.newRefresh(scope)
}

func (g *Google) newRefresh(scope string) string {
	token := "1//refresh-" + g.next()
	g.refresh[token] = scope
	return token
}

func (g *Google) next() string {
	g.given++
	name := fmt.Sprintf("%04d-hidden", g.given)
	g.secrets[name] = true
	return name
}

// ServiceAccount is the key file of a new service account.
func (g *Google) ServiceAccount(t testing.TB) []byte {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	email := fmt.Sprintf("reader-%d@project.iam.gserviceaccount.com", len(g.accounts)+1)
	g.accounts[email] = &key.PublicKey
	file, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "project", "private_key_id": "key-1", "client_email": email, "client_id": "1",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
		"token_uri":   "https://elsewhere.example/token",
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Allow is a person who allows access at the consent page; scope "" is what was asked for. It returns where the
// browser is sent.
func (g *Google) Allow(t testing.TB, consentURL, scope string) string {
	t.Helper()
	u, err := url.Parse(consentURL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	for name, want := range map[string]string{"client_id": ClientID, "response_type": "code", "access_type": "offline", "prompt": "consent", "code_challenge_method": "S256"} {
		if q.Get(name) != want {
			t.Fatalf("%s of the consent page is %q, want %q", name, q.Get(name), want)
		}
	}
	if scope == "" {
		scope = q.Get("scope")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	name := "4/code-" + g.next()
	g.codes[name] = code{scope, q.Get("code_challenge"), q.Get("redirect_uri")}
	return q.Get("redirect_uri") + "?" + url.Values{"state": {q.Get("state")}, "code": {name}, "scope": {scope}}.Encode()
}

// Deny is a person who does not.
func (g *Google) Deny(t testing.TB, consentURL string) string {
	t.Helper()
	u, err := url.Parse(consentURL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("redirect_uri") + "?" + url.Values{"state": {u.Query().Get("state")}, "error": {"access_denied"}}.Encode()
}

// Fail answers the next requests for tokens with these failures.
func (g *Google) Fail(failures ...Failure) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failures = append(g.failures, failures...)
}

// Rotate gives another refresh token with each access token, and takes the old one back.
func (g *Google) Rotate() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rotate = true
}

// RevokeAll ends every token, as a person does who removes the application.
func (g *Google) RevokeAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.refresh)
	clear(g.access)
	clear(g.accounts)
}

// EndAccess ends every access token.
func (g *Google) EndAccess() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.access)
}

// Asked is how many requests for tokens there have been.
func (g *Google) Asked() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.asked
}

// Live lists the refresh tokens that work.
func (g *Google) Live() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Sorted(maps.Keys(g.refresh))
}

// Secrets are parts of all that must never be shown.
func (g *Google) Secrets() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append(slices.Sorted(maps.Keys(g.secrets)), ClientSecret, SecretKey, "PRIVATE KEY")
}

// Admits tells whether a request to one of Google's services carries an access token with the scope.
func (g *Google) Admits(r *http.Request, scope string) bool {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Contains(strings.Fields(g.access[token]), scope)
}

func refuse(w http.ResponseWriter, status int, code, words string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": words})
}

func (g *Google) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++
	if len(g.failures) > 0 {
		first := g.failures[0]
		g.failures = g.failures[1:]
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(first.Status)
		_, _ = w.Write([]byte(first.Body))
		return
	}
	form := r.PostForm
	grant := form.Get("grant_type")
	if grant != "urn:ietf:params:oauth:grant-type:jwt-bearer" && (form.Get("client_id") != ClientID || form.Get("client_secret") != ClientSecret) {
		refuse(w, http.StatusUnauthorized, "invalid_client", "The OAuth client was not found.")
		return
	}
	answer := map[string]any{"expires_in": 3599, "token_type": "Bearer"}
	var scope string
	switch grant {
	case "authorization_code":
		c, ok := g.codes[form.Get("code")]
		delete(g.codes, form.Get("code"))
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if !ok || c.redirect != form.Get("redirect_uri") || c.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			refuse(w, http.StatusBadRequest, "invalid_grant", "Bad Request")
			return
		}
		scope = c.scope
		answer["refresh_token"] = g.newRefresh(scope)
	case "refresh_token":
		var ok bool
		if scope, ok = g.refresh[form.Get("refresh_token")]; !ok {
			refuse(w, http.StatusBadRequest, "invalid_grant", "Token has been expired or revoked.")
			return
		}
		if g.rotate {
			delete(g.refresh, form.Get("refresh_token"))
			answer["refresh_token"] = g.newRefresh(scope)
		}
	default:
		var ok bool
		if scope, ok = g.signed(form.Get("assertion")); !ok {
			refuse(w, http.StatusBadRequest, "invalid_grant", "Invalid JWT Signature.")
			return
		}
	}
	token := "ya29.access-" + g.next()
	g.access[token] = scope
	answer["access_token"], answer["scope"] = token, scope
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(answer)
}

// signed checks the signature of a service account and tells the scope that it asks for.
func (g *Google) signed(assertion string) (scope string, ok bool) {
	parts := strings.Split(assertion, ".")
	if len(parts) != 3 {
		return "", false
	}
	text, _ := base64.RawURLEncoding.DecodeString(parts[1])
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	var claims struct{ Iss, Scope, Aud string }
	if json.Unmarshal(text, &claims) != nil || g.accounts[claims.Iss] == nil || claims.Aud != g.URL+"/token" {
		return "", false
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	return claims.Scope, rsa.VerifyPKCS1v15(g.accounts[claims.Iss], crypto.SHA256, sum[:], signature) == nil
}

func (g *Google) revoke(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.refresh[r.PostForm.Get("token")]; !ok {
		refuse(w, http.StatusBadRequest, "invalid_token", "Token expired or revoked")
		return
	}
	delete(g.refresh, r.PostForm.Get("token"))
	_, _ = w.Write([]byte("{}"))
}
