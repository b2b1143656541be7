package rankwatch

import (
	"bytes"
	"encoding/json"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// PrintJSON implements httpapi.SelfPrinter: a year of a thousand keywords is two megabytes. Keywords are
// printed in parts, side by side.
func (s Stats) PrintJSON(w io.Writer) error {
	parts := min(runtime.GOMAXPROCS(0), len(s.Keywords)/minPart+1)
	printed := make([]bytes.Buffer, parts)
	var work errgroup.Group
	for part := range parts {
		work.Go(func() error {
			keywords := s.Keywords[part*len(s.Keywords)/parts : (part+1)*len(s.Keywords)/parts]
			return printKeywords(&printed[part], keywords)
		})
	}
	var text bytes.Buffer
	if err := open(&text, s.StatsHead); err != nil {
		return err
	}
	if err := work.Wait(); err != nil {
		return err
	}
	text.WriteString(`,"keywords":[`)
	if _, err := w.Write(text.Bytes()); err != nil {
		return err
	}
	for part := range parts {
		if part < parts-1 {
			printed[part].WriteByte(',')
		}
		if _, err := printed[part].WriteTo(w); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "]}\n")
	return err
}

func printKeywords(text *bytes.Buffer, keywords []KeywordStats) error {
	for i := range keywords {
		if i > 0 {
			text.WriteByte(',')
		}
		if err := open(text, keywords[i].KeywordFigures); err != nil {
			return err
		}
		text.WriteString(`,"rank_history":`)
		text.Write(keywords[i].RankHistory.append(text.AvailableBuffer()))
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
