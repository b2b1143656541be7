// Package blob keeps objects: bytes under a name, in a folder or in S3-compatible storage. It does not
// know what they are or who uses them.
package blob

import (
	"context"
	"errors"
	"io"
	"time"
)

// ErrNotFound says that there is no object of that name.
var ErrNotFound = errors.New("no such object")

// Store keeps objects. Put is atomic: an object is there whole or not at all. What Get opened is read until
// its context ends. Deleting what is not there is no error.
type Store interface {
	Put(ctx context.Context, name, contentType string, data []byte) error
	Get(ctx context.Context, name string) (io.ReadSeekCloser, error)
	Delete(ctx context.Context, name string) error
}

// Sweeper is a store in which broken uploads leave something behind.
type Sweeper interface {
	// Sweep removes what was left before a time.
	Sweep(ctx context.Context, before time.Time) error
}
