package placeindex

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/trigpoint/trigpoint/internal/textfile"
)

// maxFeature bounds one feature, in bytes; the outline of a large building fits.
const maxFeature = 1 << 20

// readGeoJSON reads either shape of file: one object with a list of features, or a feature a line.
func readGeoJSON(r io.Reader, out *sink) error {
	in := bufio.NewReaderSize(r, maxFeature)
	head, err := in.Peek(maxFeature)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the beginning: %w", err)
	}
	if len(strings.TrimSpace(string(head[:min(len(head), 4096)]))) == 0 && len(head) < maxFeature {
		return errors.New("the file is empty")
	}
	if isCollection(head) {
		return readCollection(in, out)
	}
	return readFeatureLines(in, out)
}

func readFeatureLines(r io.Reader, out *sink) error {
	in := textfile.NewLines(r, maxFeature)
	for {
		l, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		// RFC 8142 puts a record separator in front of each feature.
		text := strings.TrimSpace(strings.TrimPrefix(l.Text, "\x1e"))
		if text == "" {
			continue
		}
		problem := fmt.Errorf("longer than %d bytes", maxFeature)
		var p Place
		if !l.TooLong {
			p, problem = featurePlace([]byte(text), out)
		}
		if err := out.take(int64(l.Number), l.End, p, problem); err != nil {
			return err
		}
	}
}

// readCollection reads the features of a FeatureCollection one by one. A feature that is broken inside is skipped;
// a file that ends too early is an error.
func readCollection(r *bufio.Reader, out *sink) error {
	s := jsonScanner{r: r, line: 1}
	found, err := s.enter("features")
	if err != nil {
		return fmt.Errorf("line %d: %w", s.line, err)
	}
	if !found {
		return errors.New("the file has no list of features")
	}
	for {
		raw, at, problem, err := s.element(maxFeature)
		if errors.Is(err, errEndOfList) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", s.line, err)
		}
		var p Place
		if problem == nil {
			p, problem = featurePlace(raw, out)
		}
		if err := out.take(at, s.offset, p, problem); err != nil {
			return err
		}
	}
}

type feature struct {
	Type       string          `json:"type"`
	ID         any             `json:"id"`
	Geometry   json.RawMessage `json:"geometry"`
	Properties properties      `json:"properties"`
}

func featurePlace(raw []byte, out *sink) (Place, error) {
	var f feature
	if err := json.Unmarshal(raw, &f); err != nil {
		return Place{}, fmt.Errorf("not a GeoJSON feature: %w", err)
	}
	if f.Type != "Feature" {
		return Place{}, fmt.Errorf("type is %q, not Feature", f.Type)
	}
	lat, lng, err := center(f.Geometry)
	if err != nil {
		return Place{}, err
	}
	return f.place(lat, lng, out)
}

// center is that of a geometry's bounds; that of a point is the point.
func center(raw json.RawMessage) (lat, lng float64, err error) {
	var g struct {
		Coordinates any `json:"coordinates"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &g) != nil || g.Coordinates == nil {
		return 0, 0, errors.New("geometry has no coordinates")
	}
	var b bounds
	b.addAll(g.Coordinates)
	return b.center()
}

// addAll walks nested lists of positions, which GeoJSON writes longitude first.
func (b *bounds) addAll(coordinates any) {
	list, ok := coordinates.([]any)
	if !ok || len(list) == 0 {
		return
	}
	if lng, ok := list[0].(float64); ok {
		if len(list) > 1 {
			if lat, ok := list[1].(float64); ok {
				b.add(lat, lng)
			}
		}
		return
	}
	for _, c := range list {
		b.addAll(c)
	}
}
