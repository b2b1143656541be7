package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/secret"
)

var (
	oldKey = strings.Repeat("a", secret.KeySize)
	newKey = strings.Repeat("b", secret.KeySize)
)

func ring(t *testing.T, text string) secret.Keyring {
	t.Helper()
	r, err := secret.ParseKeys(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func encoded(key string) string { return base64.StdEncoding.EncodeToString([]byte(key)) }

func seal(t *testing.T, r secret.Keyring, plain, owner string) string {
	t.Helper()
	sealed, err := r.Seal([]byte(plain), owner)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

func TestOnlyTheKeyAndTheOwnerOpen(t *testing.T) {
	t.Parallel()
	r := ring(t, encoded(oldKey))
	sealed := seal(t, r, "1//refresh", "account/service")
	if strings.Contains(sealed, "refresh") || sealed == seal(t, r, "1//refresh", "account/service") {
		t.Errorf("%s tells what it holds", sealed)
	}
	if plain, err := r.Open(sealed, "account/service"); err != nil || string(plain) != "1//refresh" {
		t.Errorf("opened %q, %v", plain, err)
	}
	if _, err := r.Open(sealed, "other/service"); err == nil {
		t.Error("it opens for another owner")
	}
	if _, err := ring(t, encoded(newKey)).Open(sealed, "account/service"); err == nil || !strings.Contains(err.Error(), "secret-key") {
		t.Errorf("with another key: %v", err)
	}
	tail := "A"
	if strings.HasSuffix(sealed, tail) {
		tail = "B"
	}
	for _, bad := range []string{"", "v1:", "v2" + sealed[2:], sealed[:len(sealed)-2] + tail + tail, sealed[:12] + ":", "v1:zz:!!"} {
		if _, err := r.Open(bad, "account/service"); err == nil {
			t.Errorf("%q opened", bad)
		}
	}
}

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	sealed := seal(t, ring(t, encoded(oldKey)), "1//refresh", "x")
	both := ring(t, encoded(newKey)+", "+hex.EncodeToString([]byte(oldKey)))
	if plain, err := both.Open(sealed, "x"); err != nil || string(plain) != "1//refresh" {
		t.Fatalf("the old key does not open: %q, %v", plain, err)
	}
	if !both.Outdated(sealed) {
		t.Error("what the old key sealed is not outdated")
	}
	again := seal(t, both, "1//refresh", "x")
	if both.Outdated(again) {
		t.Error("what the new key sealed is outdated")
	}
	if plain, err := ring(t, encoded(newKey)).Open(again, "x"); err != nil || string(plain) != "1//refresh" {
		t.Errorf("the new key alone: %q, %v", plain, err)
	}
}

func TestMalformedKeysAreRefusedWithoutBeingShown(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"short", encoded(oldKey)[:40], encoded(oldKey) + ",", "," + encoded(oldKey), strings.Repeat("z", 64)} {
		_, err := secret.ParseKeys(bad)
		if err == nil || !strings.Contains(err.Error(), "openssl") {
			t.Errorf("%q: %v", bad, err)
		} else if part := strings.Trim(bad, ","); part != "" && strings.Contains(err.Error(), part) {
			t.Errorf("the error shows the key: %v", err)
		}
	}
	empty := ring(t, " ")
	if !empty.Empty() {
		t.Error("no text is a key")
	}
	if _, err := empty.Seal(nil, ""); !errors.Is(err, secret.ErrNoKey) {
		t.Errorf("sealed without a key: %v", err)
	}
}
