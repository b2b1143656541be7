// Package secret seals what must be kept and shown to nobody, such as the tokens of connected services, so that
// the store holds nothing that is of use without the key of the configuration. It keeps nothing itself.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// KeySize is how many bytes a key has: AES-256.
const KeySize = 32

// version heads every sealed text, so that another way of sealing can follow one day.
const version = "v1"

// ErrNoKey says that there is no key to seal or open with.
var ErrNoKey = errors.New("secret-key is not set: set TRIGPOINT_SECRET_KEY to 32 random bytes, as `openssl rand -base64 32` prints them")

// Keyring seals with its first key and opens with any: a new key is put before the old one, which may go once nothing
// is sealed with it any more. The zero Keyring has no key.
type Keyring struct{ keys []key }

type key struct {
	id     string // of its fingerprint, so that a sealed text tells which key opens it
	cipher cipher.AEAD
}

// ParseKeys reads keys of 32 bytes as base64 or hex, several separated by commas. No text is no key. Errors name
// the number of a key, never its text.
func ParseKeys(text string) (Keyring, error) {
	var ring Keyring
	if strings.TrimSpace(text) == "" {
		return ring, nil
	}
	for i, part := range strings.Split(text, ",") {
		raw, ok := decode(strings.TrimSpace(part))
		if !ok {
			return Keyring{}, fmt.Errorf("key %d of secret-key is not 32 bytes as base64 (44 characters) or hex (64 characters); `openssl rand -base64 32` makes one", i+1)
		}
		block, err := aes.NewCipher(raw)
		if err != nil {
			return Keyring{}, err
		}
		sealer, err := cipher.NewGCM(block)
		if err != nil {
			return Keyring{}, err
		}
		fingerprint := sha256.Sum256(append([]byte("trigpoint key "), raw...))
		ring.keys = append(ring.keys, key{hex.EncodeToString(fingerprint[:4]), sealer})
	}
	return ring, nil
}

// ParseKey reads one key. Its error never tells the text.
func ParseKey(text string) (key [KeySize]byte, err error) {
	raw, ok := decode(strings.TrimSpace(text))
	if !ok {
		return key, errors.New("not 32 bytes as base64 (44 characters) or hex (64 characters); `openssl rand -base64 32` makes a key")
	}
	return [KeySize]byte(raw), nil
}

func decode(text string) (key []byte, ok bool) {
	for _, read := range []func(string) ([]byte, error){
		hex.DecodeString, base64.StdEncoding.DecodeString, base64.RawStdEncoding.DecodeString,
		base64.URLEncoding.DecodeString, base64.RawURLEncoding.DecodeString,
	} {
		if raw, err := read(text); err == nil && len(raw) == KeySize {
			return raw, true
		}
	}
	return nil, false
}

// Empty tells whether there is no key.
func (r Keyring) Empty() bool { return len(r.keys) == 0 }

// Seal encrypts. The text opens only with the same owner, so that one moved to another record is of no use.
func (r Keyring) Seal(plain []byte, owner string) (string, error) {
	if r.Empty() {
		return "", ErrNoKey
	}
	first := r.keys[0]
	nonce := make([]byte, first.cipher.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return "", err
	}
	sealed := first.cipher.Seal(nonce, nonce, plain, []byte(owner))
	return strings.Join([]string{version, first.id, base64.RawStdEncoding.EncodeToString(sealed)}, ":"), nil
}

// Open decrypts what Seal made for the same owner.
func (r Keyring) Open(text, owner string) ([]byte, error) {
	if r.Empty() {
		return nil, ErrNoKey
	}
	parts := strings.Split(text, ":")
	if len(parts) != 3 || parts[0] != version {
		return nil, errors.New("this is not a sealed text")
	}
	sealed, err := base64.RawStdEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, errors.New("the sealed text is damaged")
	}
	for _, k := range r.keys {
		if k.id != parts[1] || len(sealed) < k.cipher.NonceSize() {
			continue
		}
		plain, err := k.cipher.Open(nil, sealed[:k.cipher.NonceSize()], sealed[k.cipher.NonceSize():], []byte(owner))
		if err != nil {
			return nil, errors.New("the sealed text is damaged, or another record's")
		}
		return plain, nil
	}
	return nil, &otherKeyError{parts[1]}
}

// otherKeyError says which key opens a text, where that is not among those that are set.
type otherKeyError struct{ id string }

func (e *otherKeyError) Error() string {
	return fmt.Sprintf("it was sealed with the key %s, which is not among those of secret-key: add the key that was in use then, separated by a comma", e.id)
}

// NeedsKey tells whether a text could not be opened for want of its key alone, so that it opens once that is set.
func NeedsKey(err error) bool {
	var other *otherKeyError
	return errors.Is(err, ErrNoKey) || errors.As(err, &other)
}

// Outdated tells whether a text is sealed with another key than the first, and should be sealed anew.
func (r Keyring) Outdated(text string) bool {
	return !r.Empty() && !strings.HasPrefix(text, version+":"+r.keys[0].id+":")
}
