package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/local"
)

const (
	littleSpace = 0.1   // of a disk
	noSpace     = 0.001 // nothing works any more
	looksAtMost = 1000
	probeTime   = 15 * time.Second
)

// disk finds one that is nearly full.
func (d *Doctor) disk(context.Context) ([]Finding, error) {
	share, err := d.Free(d.Config.Data)
	if err != nil || share >= littleSpace {
		return nil, err
	}
	folder, err := filepath.Abs(d.Config.Data)
	return []Finding{{
		fmt.Sprintf("The disk of %s has %.0f %% of its space left.", folder, 100*share),
		"Make room or enlarge it: a full disk fails every change. TRIGPOINT_SERP_RETENTION says how long result pages are kept.",
	}}, err
}

// objects writes, reads and deletes one.
func (d *Doctor) objects(ctx context.Context) ([]Finding, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	blobs, err := app.Blobs(d.Config)
	if err != nil {
		return nil, err
	}
	d.blobs = blobs
	if err := tryObjects(ctx, blobs); err != nil {
		return []Finding{{
			fmt.Sprintf("The object store does not keep images: %v.", err),
			"For a folder, check that the user of the service may write to images in the data folder; for S3, the endpoint, the bucket and the rights of the access key (put, get and delete objects).",
		}}, nil
	}
	return nil, nil
}

func tryObjects(ctx context.Context, blobs blob.Store) error {
	name, content := "doctor-"+id.New(), []byte("trigpoint doctor")
	if err := blobs.Put(ctx, name, "text/plain", content); err != nil {
		return fmt.Errorf("put: %w", err)
	}
	got, err := read(ctx, blobs, name)
	if err == nil && !bytes.Equal(got, content) {
		err = errors.New("something else came back")
	}
	if err != nil {
		err = fmt.Errorf("get: %w", err)
	}
	if gone := blobs.Delete(ctx, name); gone != nil {
		err = errors.Join(err, fmt.Errorf("delete: %w", gone))
	}
	return err
}

func read(ctx context.Context, blobs blob.Store, name string) ([]byte, error) {
	r, err := blobs.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return io.ReadAll(r)
}

var errEnough = errors.New("enough were looked at")

// images finds some of those that rows name and the object store does not have.
func (d *Doctor) images(ctx context.Context) ([]Finding, error) {
	var missing []string
	looked := 0
	err := local.EachObject(ctx, d.db, func(name string) error {
		if looked == looksAtMost {
			return errEnough
		}
		looked++
		r, err := d.blobs.Get(ctx, name)
		if errors.Is(err, blob.ErrNotFound) {
			missing = append(missing, name)
			return nil
		}
		if err != nil {
			return err
		}
		return r.Close()
	})
	if err != nil && !errors.Is(err, errEnough) || len(missing) == 0 {
		return nil, ignore(err, errEnough)
	}
	return []Finding{{
		fmt.Sprintf("Images of locations are missing in the object store: %d of the %d that were looked at, such as %s.", len(missing), looked, missing[0]),
		"Check that --data or the S3 settings name the place in which they were stored; copy them from a backup, or have their owners upload them again.",
	}}, nil
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
