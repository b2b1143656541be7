package blob

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Options says where the bucket is.
type S3Options struct {
	Endpoint  string // URL, such as https://s3.example.com
	Bucket    string
	Region    string
	AccessKey string
	SecretKey string
	Prefix    string
}

// S3 keeps objects in a bucket.
type S3 struct {
	client *minio.Client
	bucket string
	prefix string
}

// NewS3 returns a store in a bucket that exists. It does not connect.
func NewS3(o S3Options) (*S3, error) {
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("S3 endpoint %q is not an http(s) URL", o.Endpoint)
	}
	if o.Bucket == "" {
		return nil, fmt.Errorf("S3 needs a bucket")
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds:        credentials.NewStaticV4(o.AccessKey, o.SecretKey, ""),
		Secure:       u.Scheme == "https",
		Region:       o.Region,
		BucketLookup: minio.BucketLookupAuto,
	})
	if err != nil {
		return nil, err
	}
	return &S3{client: client, bucket: o.Bucket, prefix: o.Prefix}, nil
}

// Put stores an object.
func (s *S3) Put(ctx context.Context, name, contentType string, data []byte) error {
	_, err := s.client.PutObject(ctx, s.bucket, s.prefix+name, bytes.NewReader(data), int64(len(data)),
		minio.PutObjectOptions{ContentType: contentType})
	return err
}

// Get opens an object.
func (s *S3) Get(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	object, err := s.client.GetObject(ctx, s.bucket, s.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, s.fault(err)
	}
	if _, err := object.Stat(); err != nil { // GetObject is lazy: this is the first call that reaches the bucket
		_ = object.Close()
		return nil, s.fault(err)
	}
	return object, nil
}

func (s *S3) fault(err error) error {
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return ErrNotFound
	}
	return err
}

// Delete removes an object.
func (s *S3) Delete(ctx context.Context, name string) error {
	return s.client.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{})
}
