package backup

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Sum counts lines, and adds up their SHA-256: two sums are equal when the same lines have been added, in any order.
type Sum struct {
	Number int64
	Bytes  int64
	hashes [4]uint64
}

// add counts a line; size is what it stands for.
func (s *Sum) add(line []byte, size int) {
	s.Number++
	s.Bytes += int64(size)
	hash := sha256.Sum256(line)
	for i := range s.hashes {
		s.hashes[i] += binary.BigEndian.Uint64(hash[8*i:])
	}
}

// objectLine stands for an object in a sum.
func objectLine(name string, data []byte) []byte {
	hash := sha256.Sum256(data)
	return append([]byte(name+"\x00"), hash[:]...)
}

// MarshalText implements encoding.TextMarshaler.
func (s Sum) MarshalText() ([]byte, error) {
	var hashes []byte
	for _, h := range s.hashes {
		hashes = binary.BigEndian.AppendUint64(hashes, h)
	}
	return fmt.Appendf(nil, "%d %d %s", s.Number, s.Bytes, hex.EncodeToString(hashes)), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Sum) UnmarshalText(text []byte) error {
	var hashes []byte
	if _, err := fmt.Sscanf(string(text), "%d %d %x", &s.Number, &s.Bytes, &hashes); err != nil {
		return err
	}
	if len(hashes) != 8*len(s.hashes) {
		return fmt.Errorf("a sum of %d bytes", len(hashes))
	}
	for i := range s.hashes {
		s.hashes[i] = binary.BigEndian.Uint64(hashes[8*i:])
	}
	return nil
}
