package performance

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packing is the first byte of a packed day.
const packing = 1

// maxUnpacked bounds what a packed day may unpack to. It is more than the two largest answers that a day is made of.
const maxUnpacked = 128 << 20

var errPacking = errors.New("a stored day of search performance is damaged or of an unknown form")

// Codec packs days and reads them. It is safe for concurrent use.
type Codec struct {
	encoder func() (*zstd.Encoder, error)
	decoder func() (*zstd.Decoder, error)
}

// NewCodec makes coders when they are first used: they take some memory.
func NewCodec() Codec {
	return Codec{
		encoder: sync.OnceValues(func() (*zstd.Encoder, error) {
			return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
		}),
		decoder: sync.OnceValues(func() (*zstd.Decoder, error) {
			return zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderLowmem(true))
		}),
	}
}

// names are the columns of words, figures those of numbers.
func (r *Row) names() [4]string      { return [4]string{r.Query, r.Page, r.Country, r.Device} }
func (f *Figures) numbers() [3]int64 { return [3]int64{f.Clicks, f.Impressions, f.Positions} }

// Pack writes rows by column: for each column of words its distinct words in order, then for each row the place of
// its word; then the numbers. Columns of alike values pack well.
func (c Codec) Pack(rows []Row) ([]byte, error) {
	encoder, err := c.encoder()
	if err != nil {
		return nil, err
	}
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(a.Query, b.Query) })
	plain := binary.AppendUvarint(nil, uint64(len(rows)))
	for column := range 4 {
		place := map[string]uint64{}
		for i := range rows {
			place[rows[i].names()[column]] = 0
		}
		words := make([]string, 0, len(place))
		for word := range place {
			words = append(words, word)
		}
		slices.Sort(words)
		plain = binary.AppendUvarint(plain, uint64(len(words)))
		for i, word := range words {
			place[word] = uint64(i)
			plain = binary.AppendUvarint(plain, uint64(len(word)))
			plain = append(plain, word...)
		}
		for i := range rows {
			plain = binary.AppendUvarint(plain, place[rows[i].names()[column]])
		}
	}
	for column := range 3 {
		for i := range rows {
			plain = binary.AppendUvarint(plain, uint64(rows[i].numbers()[column]))
		}
	}
	return encoder.EncodeAll(plain, []byte{packing}), nil
}

// Each calls yield for the rows of a packed day that the filter admits.
func (c Codec) Each(packed []byte, filter Filter, yield func(*Row)) error {
	if len(packed) == 0 || packed[0] != packing {
		return errPacking
	}
	decoder, err := c.decoder()
	if err != nil {
		return err
	}
	plain, err := decoder.DecodeAll(packed[1:], nil)
	if err != nil {
		return errPacking
	}
	r := reader{rest: plain}
	count := r.count()
	var words [4][]string
	var places [4][]int
	for column, wanted := range [4]string{filter.Query, filter.Page, filter.Country, filter.Device} {
		words[column] = r.words()
		if wanted != "" && !slices.Contains(words[column], wanted) && !r.bad {
			return nil // no row has it
		}
		places[column] = r.places(count, len(words[column]))
	}
	var numbers [3][]int64
	for column := range numbers {
		numbers[column] = r.numbers(count)
	}
	if r.bad || len(r.rest) > 0 {
		return errPacking
	}
	for i := range count {
		row := Row{
			Query: words[0][places[0][i]], Page: words[1][places[1][i]], Country: words[2][places[2][i]], Device: words[3][places[3][i]],
			Figures: Figures{numbers[0][i], numbers[1][i], numbers[2][i]},
		}
		if filter.admits(&row) {
			yield(&row)
		}
	}
	return nil
}

// reader takes numbers and words from the front of a text; what is not there makes it bad, and then gives nothing.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// count reads how many things of at least one byte follow.
func (r *reader) count() int {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.bad, r.rest = true, nil
		return 0
	}
	return int(n)
}

func (r *reader) words() []string {
	words := make([]string, r.count())
	for i := range words {
		size := r.count()
		words[i] = string(r.rest[:size])
		r.rest = r.rest[size:]
	}
	return words
}

func (r *reader) places(count, words int) []int {
	places := make([]int, count)
	for i := range places {
		place := r.number()
		if place >= uint64(words) {
			r.bad = true
			return places
		}
		places[i] = int(place)
	}
	return places
}

func (r *reader) numbers(count int) []int64 {
	numbers := make([]int64, count)
	for i := range numbers {
		numbers[i] = int64(r.number())
	}
	return numbers
}
