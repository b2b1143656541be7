package httpapi

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// File is an answer to be saved, written while it is made.
type File struct {
	Name   string
	Type   string // media type
	Policy string // of a web page, which is shown rather than saved: its Content-Security-Policy
	Write  func(ctx context.Context, w io.Writer) error
}

// fileBuffer is how much of a file is made before it begins to be sent: until then a failure is answered like any other.
const fileBuffer = 64 << 10

// ReadFile registers an operation that changes nothing and answers with a file of one of the media types.
func ReadFile[I any](a *Area, op Op, types []string, handle func(context.Context, *I) (File, error)) {
	o := a.operation(op, false)
	content := map[string]*huma.MediaType{}
	for _, media := range types {
		content[media] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	o.Responses[strconv.Itoa(o.DefaultStatus)] = &huma.Response{Description: http.StatusText(o.DefaultStatus), Content: content}
	huma.Register(a.API, o, func(ctx context.Context, in *I) (*streamOutput, error) {
		file, err := read(ctx, a.edge, op, in, handle)
		if err != nil {
			return nil, err
		}
		return &streamOutput{func(hc huma.Context) { a.send(hc, file) }}, nil
	})
}

// send writes a file. One that fails on its way is broken off: half of it must not look like the whole.
func (a *Area) send(hc huma.Context, file File) {
	req := From(hc.Context())
	ctx, cancel := context.WithTimeout(hc.Context(), req.time)
	defer cancel()
	body := &fileBody{hc: hc, file: file}
	buffer := bufio.NewWriterSize(body, fileBuffer)
	err := file.Write(ctx, buffer)
	if err == nil {
		err = buffer.Flush()
	}
	switch {
	case err == nil:
	case body.begun:
		req.Fault = err
		panic(http.ErrAbortHandler)
	default:
		a.refuse(hc, err)
	}
}

// fileBody sends the header with the first bytes.
type fileBody struct {
	hc    huma.Context
	file  File
	begun bool
}

// Write implements io.Writer.
func (b *fileBody) Write(p []byte) (int, error) {
	if !b.begun {
		b.begun = true
		b.hc.SetHeader("Content-Type", b.file.Type)
		if b.file.Policy == "" {
			b.hc.SetHeader("Content-Disposition", fmt.Sprintf("attachment; filename=%q", b.file.Name))
		} else {
			b.hc.SetHeader("Content-Security-Policy", b.file.Policy)
			b.hc.SetHeader("X-Content-Type-Options", "nosniff")
		}
		b.hc.SetStatus(http.StatusOK)
	}
	return b.hc.BodyWriter().Write(p)
}
