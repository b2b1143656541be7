package placeindex

import (
	"encoding/binary"
	"math"
)

// A place rests in a segment as bytes, not as a struct: a million places then cost the garbage
// collector nothing, and only the few that a search returns are decoded.

func appendRecord(b []byte, p *Place) []byte {
	for _, s := range [...]string{p.ID, p.CID, p.Name, p.Address, p.CountryCode, p.Phone, p.Website, p.Source} {
		b = appendText(b, s)
	}
	for _, f := range [...]float64{p.Lat, p.Lng, p.Rating} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	b = binary.AppendUvarint(b, uint64(p.Reviews))
	b = binary.AppendUvarint(b, uint64(len(p.Categories)))
	for _, c := range p.Categories {
		b = appendText(b, c)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// recordReader reads what appendRecord wrote. All strings share one allocation.
type recordReader struct {
	raw  []byte
	text string
	at   int
}

func decodeRecord(raw []byte) Place {
	r := recordReader{raw: raw, text: string(raw)}
	p := Place{
		ID: r.string(), CID: r.string(), Name: r.string(), Address: r.string(),
		CountryCode: r.string(), Phone: r.string(), Website: r.string(), Source: r.string(),
		Lat: r.float(), Lng: r.float(), Rating: r.float(), Reviews: r.int(),
	}
	if n := r.int(); n > 0 {
		p.Categories = make([]string, n)
		for i := range p.Categories {
			p.Categories[i] = r.string()
		}
	}
	return p
}

// recordID reads the place id alone, without copying it.
func recordID(raw []byte) []byte {
	n, width := binary.Uvarint(raw)
	return raw[width : width+int(n)]
}

func (r *recordReader) int() int {
	n, width := binary.Uvarint(r.raw[r.at:])
	r.at += width
	return int(n)
}

func (r *recordReader) string() string {
	n := r.int()
	r.at += n
	return r.text[r.at-n : r.at]
}

func (r *recordReader) float() float64 {
	r.at += 8
	return math.Float64frombits(binary.LittleEndian.Uint64(r.raw[r.at-8:]))
}
