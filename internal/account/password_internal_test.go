package account

import (
	"context"
	"errors"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Who finds the queue full, or gives up in it, is told when to come back; it is no guess.
func TestPasswordsQueueIsBounded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts := New(d, DefaultPlans(), clock.NewFake(time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)))
		h := NewHasher(Cost{KiB: 64, Passes: 1, Lanes: 1})
		var leave []func()
		for range atWork {
			done, err := h.enter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			leave = append(leave, done)
		}
		refused := func(ctx context.Context) {
			t.Helper()
			var e *errs.Error
			if _, err := accounts.SignIn(ctx, h, "person@trigpoint.example", "wrong"); !errors.As(err, &e) || e.Code != errs.Unavailable || e.RetryAfter == 0 {
				t.Errorf("refused with %v", err)
			}
		}
		impatient, giveUp := context.WithCancel(t.Context())
		giveUp()
		refused(impatient)
		for range maxQueue {
			h.places <- struct{}{} // as one who waits
		}
		refused(t.Context())
		for range maxQueue {
			<-h.places
		}
		for _, done := range leave {
			done()
		}
		for try := 1; try < freeTries; try++ {
			if _, err := accounts.SignIn(t.Context(), h, "person@trigpoint.example", "wrong"); errs.CodeOf(err) != errs.Unauthorized {
				t.Errorf("try %d: %v, as if those that were refused had been counted", try, err)
			}
		}
		if len(h.places) != 0 || len(h.slots) != 0 {
			t.Errorf("%d places and %d turns are still taken", len(h.places), len(h.slots))
		}
	})
}

// BenchmarkPassword is what one look at a password takes: 50 to 150 ms are wanted on a common machine.
func BenchmarkPassword(b *testing.B) {
	h := NewHasher(Cost{})
	for b.Loop() {
		if _, err := h.Hash(b.Context(), "nine lives and a tin roof"); err != nil {
			b.Fatal(err)
		}
	}
}

// Whether an email has an account, or a password, is not told by how much work it takes to refuse it.
func TestSignInWorksTheSameForAnyEmail(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const password = "nine lives and a tin roof"
		cost := Cost{KiB: 64, Passes: 1, Lanes: 1}
		accounts := New(d, DefaultPlans(), clock.NewFake(time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)))
		h := NewHasher(cost)
		var done []Cost
		h.derive = func(password, salt []byte, passes, kib uint32, lanes uint8, size uint32) []byte {
			if len(salt) != saltSize || size != keySize {
				t.Errorf("a key of %d bytes with a salt of %d", size, len(salt))
			}
			done = append(done, Cost{kib, passes, lanes})
			return argon2.IDKey(password, salt, passes, kib, lanes, size)
		}
		person, err := accounts.Create(t.Context(), "person@trigpoint.example", "free")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := accounts.Create(t.Context(), "program@trigpoint.example", "free"); err != nil { // used with keys only
			t.Fatal(err)
		}
		kept, err := h.Hash(t.Context(), password)
		if err == nil {
			err = d.Tx(t.Context(), func(tx *db.Tx) error {
				return accounts.SetPassword(t.Context(), tx, Principal{AccountID: person.ID, Email: person.Email}, kept)
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		emails := []string{person.Email, "program@trigpoint.example", "nobody@trigpoint.example", "no email at all", ""}
		for _, email := range emails {
			for try := 1; try <= 11; try++ {
				done = nil
				_, err := accounts.SignIn(t.Context(), h, email, "wrong")
				wantCode, wantWork := errs.Unauthorized, 1
				if try >= 10 {
					wantCode = errs.RateLimited
				}
				if try > 10 {
					wantWork = 0 // nobody is looked for any more
				}
				if errs.CodeOf(err) != wantCode || len(done) != wantWork || wantWork == 1 && done[0] != cost {
					t.Errorf("try %d of %q: %v, with work %v", try, email, err, done)
				}
			}
		}
	})
}
