package placeindex

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

var (
	errEndOfList = errors.New("end of list")
	errCutOff    = errors.New("the file ends in the middle of its features")
)

// jsonScanner finds the elements of a list in a JSON file without holding more than one of them. It only
// counts brackets and knows strings; the elements themselves are checked by whoever decodes them. Unlike
// json.Decoder it can so bound an element, and go on after a broken one.
type jsonScanner struct {
	r      *bufio.Reader
	line   int64
	offset int64
	depth  int    // of brackets
	remark string // the member of that name of the outermost object, as far as it has been read
}

func (s *jsonScanner) read() (byte, error) {
	c, err := s.r.ReadByte()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return 0, errCutOff
		}
		return 0, err
	}
	s.offset++
	if c == '\n' {
		s.line++
	}
	return c, nil
}

// isCollection tells a FeatureCollection from lines of features by its beginning: it has a member
// "features" before its first object ends.
func isCollection(head []byte) bool {
	s := jsonScanner{r: bufio.NewReader(bytes.NewReader(head))}
	found, _ := s.enter("features")
	return found
}

// maxRemark bounds what is kept of a remark, in bytes.
const maxRemark = 1 << 10

// enter reads up to the first element of a list that is a member of the outermost object. Without one it is at the
// end of that object. After the elements of a list it goes on behind it.
func (s *jsonScanner) enter(list string) (found bool, err error) {
	var last []byte // string read last
	isKey := false  // it is followed by a colon
	for {
		c, err := s.read()
		if err != nil {
			return false, err
		}
		switch c {
		case '"':
			text, err := s.string(nil, maxRemark)
			if err != nil {
				return false, err
			}
			if isKey && string(last) == `remark"` {
				s.remark = strings.TrimSuffix(string(text), `"`)
			}
			last, isKey = text, false
			continue
		case ':':
			isKey = s.depth == 1
			continue
		case '[':
			if s.depth == 1 && isKey && string(last) == list+`"` {
				return true, nil
			}
			s.depth++
		case '{':
			s.depth++
		case '}', ']':
			if s.depth--; s.depth <= 0 {
				return false, nil
			}
		case ' ', '\t', '\r', '\n':
			continue
		}
		isKey = false
	}
}

// element reads the next element of the list, or errEndOfList. One over the limit is read past, and is a problem,
// as is one that is no object. at is its line.
func (s *jsonScanner) element(limit int) (raw []byte, at int64, problem, err error) {
	c := byte(',')
	for bytes.IndexByte([]byte(" \t\r\n,"), c) >= 0 {
		if c, err = s.read(); err != nil {
			return nil, 0, nil, err
		}
	}
	at = s.line
	switch c {
	case ']':
		return nil, at, nil, errEndOfList
	case '{':
		raw, err = s.rest(limit)
		if len(raw) > limit {
			problem = fmt.Errorf("longer than %d bytes", limit)
		}
		return raw, at, problem, err
	}
	return nil, at, errors.New("not an object"), s.skipScalar(c)
}

// rest reads an object from after its opening bracket to its closing one.
func (s *jsonScanner) rest(limit int) ([]byte, error) {
	raw := []byte{'{'}
	for depth := 1; depth > 0; {
		c, err := s.read()
		if err != nil {
			return nil, err
		}
		if len(raw) <= limit {
			raw = append(raw, c)
		}
		switch c {
		case '"':
			if raw, err = s.string(raw, limit+1); err != nil {
				return nil, err
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
	}
	return raw, nil
}

// string reads to the closing quote, and appends as much of it to raw as the limit allows.
func (s *jsonScanner) string(raw []byte, limit int) ([]byte, error) {
	escaped := false
	for {
		c, err := s.read()
		if err != nil {
			return nil, err
		}
		if len(raw) < limit {
			raw = append(raw, c)
		}
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return raw, nil
		}
	}
}

// skipScalar reads what begins with c, up to the next comma or the end of the list, which it leaves.
func (s *jsonScanner) skipScalar(c byte) error {
	for {
		switch c {
		case '"':
			if _, err := s.string(nil, 0); err != nil {
				return err
			}
		case '[', '{':
			if _, err := s.rest(0); err != nil {
				return err
			}
		}
		next, err := s.r.Peek(1)
		if err != nil {
			return errCutOff
		}
		if next[0] == ',' || next[0] == ']' {
			return nil
		}
		if c, err = s.read(); err != nil {
			return err
		}
	}
}
