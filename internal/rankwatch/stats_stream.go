package rankwatch

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"runtime"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// statsStream is Stats on its way to a reader. A year of a thousand keywords is two megabytes of text and
// a slow reader may take minutes: what is held meanwhile is the packed history of each keyword, which is
// unpacked and printed when its turn comes.
type statsStream struct {
	head     StatsHead
	r        series.Range
	keywords []trackedKeyword
	volumes  []*int64
	years    map[int64][]series.DatedYear
	total    float64 // performance of the whole tracking on the last day
}

// Schema documents the stream as what it prints.
func (*statsStream) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[Stats](), true, "Stats")
}

// printPart is how many keywords one goroutine prints before its text goes out.
const printPart = 32

// PrintJSON implements httpapi.SelfPrinter. A few keywords at a time are printed side by side.
func (s *statsStream) PrintJSON(w io.Writer) error {
	var text bytes.Buffer
	if err := open(&text, s.head); err != nil {
		return err
	}
	text.WriteString(`,"keywords":[`)
	if _, err := text.WriteTo(w); err != nil {
		return err
	}
	printed := make([]bytes.Buffer, min(runtime.GOMAXPROCS(0), len(s.keywords)/printPart+1))
	views := make([]*series.Reader, len(printed))
	for i := range views {
		views[i] = series.NewReader(s.r)
	}
	for done := 0; done < len(s.keywords); done += printPart * len(printed) {
		var work errgroup.Group
		for part := range printed {
			from := min(done+part*printPart, len(s.keywords))
			to := min(from+printPart, len(s.keywords))
			work.Go(func() error { return s.printKeywords(&printed[part], views[part], from, to) })
		}
		if err := work.Wait(); err != nil {
			return err
		}
		for part := range printed {
			if _, err := printed[part].WriteTo(w); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(w, "]}\n")
	return err
}

func (s *statsStream) printKeywords(text *bytes.Buffer, view *series.Reader, from, to int) error {
	for i := from; i < to; i++ {
		k := &s.keywords[i]
		if err := k.read(view, s.years[k.number]); err != nil {
			return err
		}
		sum := formula.Summarise(view.Ranks())
		figures := describe(k, view, s.volumes[i], sum)
		figures.addChanges(sum, s.volumes[i], k.firstRank, s.total)
		if i > 0 {
			text.WriteByte(',')
		}
		if err := open(text, figures); err != nil {
			return err
		}
		text.WriteString(`,"rank_history":`)
		text.Write(appendNewestFirst(text.AvailableBuffer(), view.Ranks()))
		text.WriteByte('}')
	}
	return nil
}

// open prints an object without its end.
func open(text *bytes.Buffer, object any) error {
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	if err := e.Encode(object); err != nil {
		return err
	}
	text.Truncate(text.Len() - len("}\n"))
	return nil
}
