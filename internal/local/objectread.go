package local

import (
	"context"
	"io"
	"time"
)

// object is an image being read from the object store. A store that hangs ends the reading; a client that
// reads slowly does not.
type object struct {
	io.ReadSeekCloser
	limit time.Duration // of one call to the store
	hangs *time.Timer
	end   context.CancelFunc
}

func (s *Service) openObject(ctx context.Context, name string) (*object, error) {
	ctx, end := context.WithCancel(ctx)
	hangs := time.AfterFunc(s.objectTime, end)
	opened, err := s.blobs.Get(ctx, name)
	hangs.Stop()
	if err != nil {
		end()
		return nil, err
	}
	return &object{opened, s.objectTime, hangs, end}, nil
}

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	o.hangs.Reset(o.limit)
	defer o.hangs.Stop()
	return o.ReadSeekCloser.Read(p)
}

// Close implements io.Closer.
func (o *object) Close() error {
	defer o.end()
	return o.ReadSeekCloser.Close()
}
