package placeindex

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// overpassTime is what an Overpass API may take for the query itself.
const overpassTime = 180 * time.Second

// OverpassQuery asks an Overpass API for all that may be a place within some kilometres of a point: what has a name and
// one of the keys that tell a category.
func OverpassQuery(cats Categories, at geo.Point, km float64) string {
	var q strings.Builder
	fmt.Fprintf(&q, "[out:json][timeout:%.0f];\n(\n", overpassTime.Seconds())
	for _, key := range cats.TagKeys() {
		fmt.Fprintf(&q, "nwr[%q][~\"^(%s)$\"~\".\"](around:%.0f,%s,%s);\n",
			key, strings.Join(osmNames, "|"), km*1000, formatDegrees(at.Lat), formatDegrees(at.Lng))
	}
	q.WriteString(");\nout center tags;\n")
	return q.String()
}

// readOverpass reads the elements of an Overpass API's answer one by one. A remark behind them says that the query
// failed after some of them had been sent.
func readOverpass(r io.Reader, out *sink) error {
	s := jsonScanner{r: bufio.NewReader(r), line: 1}
	whole := false // the answer has a list of elements
	for {
		found, err := s.enter("elements")
		if err != nil {
			return overpassError(err)
		}
		if !found {
			break
		}
		whole = true
		if err := readElements(&s, out); err != nil {
			return err
		}
	}
	if s.remark != "" {
		return fmt.Errorf("the query of Overpass failed on the way: %s. A smaller radius takes less time and memory", remarkText(s.remark))
	}
	if !whole {
		return errors.New("the answer has no list of elements, so it is not one of Overpass")
	}
	return nil
}

// remarkText is the text of a JSON string that may have been cut.
func remarkText(quoted string) string {
	var text string
	if json.Unmarshal([]byte(`"`+quoted+`"`), &text) != nil {
		text = quoted
	}
	return strings.TrimRight(clean(text), ".")
}

// overpassError says what an answer that ends too early means.
func overpassError(err error) error {
	if errors.Is(err, errCutOff) {
		return errors.New("the answer of Overpass is cut off")
	}
	return err
}

func readElements(s *jsonScanner, out *sink) error {
	for {
		raw, at, problem, err := s.element(maxFeature)
		if errors.Is(err, errEndOfList) {
			return nil
		}
		if err != nil {
			return overpassError(err)
		}
		var e overpassElement
		if problem == nil {
			e, problem = readElement(raw)
		}
		if problem != nil {
			err = out.take(at, s.offset, Place{}, problem)
		} else if named(e.Tags) {
			err = e.take(s.offset, out)
		}
		if err != nil {
			return err
		}
	}
}

// overpassPoint is a position, which a center may have none of.
type overpassPoint struct {
	Lat *float64 `json:"lat"`
	Lon *float64 `json:"lon"`
}

type overpassElement struct {
	Type string            `json:"type"`
	ID   int64             `json:"id"`
	Tags map[string]string `json:"tags"`
	overpassPoint
	Center overpassPoint `json:"center"`
}

func readElement(raw []byte) (e overpassElement, err error) {
	if err := json.Unmarshal(raw, &e); err != nil {
		return e, fmt.Errorf("not an element of Overpass: %w", err)
	}
	switch e.Type {
	case "node", "way", "relation":
		return e, nil
	}
	return e, fmt.Errorf("%.32q is no type of element", e.Type)
}

// take gives an element to the sink. Only nodes have a position of their own.
func (e *overpassElement) take(end int64, out *sink) error {
	at := e.Center
	if e.Type == "node" {
		at = e.overpassPoint
	}
	object := osmElement{e.Type, e.ID, e.Tags}
	if at.Lat == nil || at.Lon == nil {
		return out.takeObject(object, end, 0, 0, errors.New("where it is, the Overpass API does not tell"))
	}
	return out.takeObject(object, end, *at.Lat, *at.Lon, nil)
}

func named(tags map[string]string) bool {
	for _, key := range osmNames {
		if tags[key] != "" {
			return true
		}
	}
	return false
}
