package serp

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packing is the first byte of a packed page.
const packing = 1

// maxUnpacked bounds what a packed page may unpack to.
const maxUnpacked = 8 << 20

var errPacking = errors.New("a stored result page is of an unknown form")

// codec turns pages into bytes and back. It is safe for concurrent use.
type codec struct {
	encoder func() (*zstd.Encoder, error)
	decoder func() (*zstd.Decoder, error)
}

// newCodec makes coders when they are first used: they take some memory.
func newCodec() codec {
	return codec{
		encoder: sync.OnceValues(func() (*zstd.Encoder, error) {
			return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2), zstd.WithLowerEncoderMem(true))
		}),
		decoder: sync.OnceValues(func() (*zstd.Decoder, error) {
			return zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderLowmem(true))
		}),
	}
}

func (c codec) pack(p Page) ([]byte, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	encoder, err := c.encoder()
	if err != nil {
		return nil, err
	}
	return encoder.EncodeAll(text, []byte{packing}), nil
}

func (c codec) unpack(packed []byte) (Page, error) {
	var p Page
	if len(packed) == 0 || packed[0] != packing {
		return p, errPacking
	}
	decoder, err := c.decoder()
	if err != nil {
		return p, err
	}
	text, err := decoder.DecodeAll(packed[1:], nil)
	if err != nil {
		return p, fmt.Errorf("unpack a result page: %w", err)
	}
	return p, json.Unmarshal(text, &p)
}
