package backup

import (
	"bufio"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"

	"github.com/trigpoint/trigpoint/internal/secret"
)

// An encrypted archive is sealedMagic, a salt, and chunks of AES-256-GCM under a key derived from the user's and the salt. The
// nonce of a chunk is its number and whether it is the last (the STREAM construction), so that none can be changed, moved,
// left out or cut off.
const (
	sealedMagic = "trigpoint sealed backup 1\n"
	saltSize    = 32
	chunkSize   = 64 << 10
)

// Key encrypts archives.
type Key [secret.KeySize]byte

// What an encrypted archive, or the lack of one, can tell.
var (
	ErrNeedsKey   = errors.New("the backup is encrypted: give its key with --key-file or TRIGPOINT_BACKUP_KEY")
	ErrNotSealed  = errors.New("the backup is not encrypted, but a key was given: whoever can write the file may have put it there. To use it all the same, leave the key out")
	ErrWrongKey   = errors.New("the key does not open this backup: it is another backup's, or the beginning of the file was changed")
	ErrSealBroken = errors.New("the backup was changed or cut short after it was written: a part of it no longer opens with its key")
	ErrCut        = errors.New("the backup is cut short: its end is missing")
)

func (k *Key) cipher(salt []byte) (cipher.AEAD, error) {
	derived, err := hkdf.Key(sha256.New, k[:], salt, "trigpoint backup", secret.KeySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// nonce of a chunk: its number, then whether it is the last.
func nonce(number uint64, last bool) []byte {
	n := make([]byte, 12)
	binary.BigEndian.PutUint64(n[3:], number)
	if last {
		n[11] = 1
	}
	return n
}

type sealWriter struct {
	to     io.Writer
	cipher cipher.AEAD
	number uint64
	chunk  []byte
	sealed []byte
}

func newSealWriter(to io.Writer, key *Key) (*sealWriter, error) {
	salt := make([]byte, saltSize)
	if _, err := rand.Read(salt); err != nil {
		return nil, err
	}
	c, err := key.cipher(salt)
	if err != nil {
		return nil, err
	}
	_, err = to.Write(append([]byte(sealedMagic), salt...))
	return &sealWriter{to: to, cipher: c, chunk: make([]byte, 0, chunkSize)}, err
}

// Write implements io.Writer. A full chunk waits for the next byte: it may be the last.
func (s *sealWriter) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		if len(s.chunk) == chunkSize {
			if err := s.flush(false); err != nil {
				return n, err
			}
		}
		fits := min(len(p), chunkSize-len(s.chunk))
		s.chunk = append(s.chunk, p[:fits]...)
		p, n = p[fits:], n+fits
	}
	return n, nil
}

func (s *sealWriter) flush(last bool) error {
	s.sealed = s.cipher.Seal(s.sealed[:0], nonce(s.number, last), s.chunk, nil)
	s.number++
	s.chunk = s.chunk[:0]
	_, err := s.to.Write(s.sealed)
	return err
}

// Close writes the last chunk.
func (s *sealWriter) Close() error { return s.flush(true) }

type sealReader struct {
	from   *bufio.Reader
	cipher cipher.AEAD
	number uint64
	sealed []byte
	plain  []byte
	opened []byte // what is left of plain
	err    error
}

// newSealReader opens what follows the magic.
func newSealReader(from *bufio.Reader, key *Key) (*sealReader, error) {
	salt := make([]byte, saltSize)
	if _, err := io.ReadFull(from, salt); err != nil {
		return nil, ErrCut
	}
	c, err := key.cipher(salt)
	if err != nil {
		return nil, err
	}
	return &sealReader{from: from, cipher: c, sealed: make([]byte, chunkSize+c.Overhead())}, nil
}

// Read implements io.Reader.
func (s *sealReader) Read(p []byte) (int, error) {
	for len(s.opened) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.opened, s.err = s.next()
	}
	n := copy(p, s.opened)
	s.opened = s.opened[n:]
	return n, nil
}

// next opens a chunk; with the last comes io.EOF.
func (s *sealReader) next() ([]byte, error) {
	n, err := io.ReadFull(s.from, s.sealed)
	switch {
	case errors.Is(err, io.EOF): // the chunk before was not the last
		return nil, ErrCut
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	}
	_, err = s.from.Peek(1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	last := err != nil
	s.plain, err = s.cipher.Open(s.plain[:0], nonce(s.number, last), s.sealed[:n], nil)
	if err != nil {
		return nil, s.fault(s.sealed[:n], last)
	}
	s.number++
	if last {
		return s.plain, io.EOF
	}
	return s.plain, nil
}

// fault tells what is wrong with a chunk that does not open.
func (s *sealReader) fault(chunk []byte, last bool) error {
	if last {
		if _, err := s.cipher.Open(nil, nonce(s.number, false), chunk, nil); err == nil {
			return ErrCut
		}
	}
	if s.number == 0 {
		return ErrWrongKey
	}
	return ErrSealBroken
}
