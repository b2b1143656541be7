package local

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/blob"
)

// hanging opens objects that never arrive.
type hanging struct{ blob.Store }

type neverRead struct{ ctx context.Context }

func (hanging) Get(ctx context.Context, _ string) (io.ReadSeekCloser, error) {
	return neverRead{ctx}, nil
}

func (n neverRead) Read([]byte) (int, error) {
	<-n.ctx.Done()
	return 0, n.ctx.Err()
}

func (neverRead) Seek(int64, int) (int64, error) { return 0, nil }

func (neverRead) Close() error { return nil }

func TestObjectStoreThatHangsEndsTheReading(t *testing.T) {
	t.Parallel()
	s := &Service{blobs: hanging{}, objectTime: time.Millisecond}
	object, err := s.openObject(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(object); !errors.Is(err, context.Canceled) {
		t.Errorf("read to %v", err)
	}
	if err := object.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnAccountPullsFewFeedsAtOnce(t *testing.T) {
	t.Parallel()
	var p pulls
	for range maxPulls {
		if !p.begin("a") {
			t.Fatal("refused too soon")
		}
	}
	if p.begin("a") || !p.begin("b") {
		t.Error("one account's pulls are not bounded, or bound another's")
	}
	p.end("a")
	if !p.begin("a") {
		t.Error("a pull that has ended counts")
	}
}
