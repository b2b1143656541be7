// Package blob keeps objects: bytes under a name, in a folder or in S3-compatible storage. It does not
// know what they are or who uses them.
package blob

import (
	"context"
	"errors"
	"io"
)

// ErrNotFound says that there is no object of that name.
var ErrNotFound = errors.New("no such object")

// Store keeps objects. Put is atomic: an object is there whole or not at all. Deleting what is not
// there is no error.
type Store interface {
	Put(ctx context.Context, name, contentType string, data []byte) error
	Get(ctx context.Context, name string) (io.ReadCloser, int64, error)
	Delete(ctx context.Context, name string) error
}
