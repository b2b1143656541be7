package local_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

func drawn(w, h int) image.Image {
	img := image.NewGray(image.Rect(0, 0, w, h))
	img.Set(w/2, h/2, color.White)
	return img
}

func pngOf(t testing.TB, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, drawn(w, h)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jpegOf(t testing.TB, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, drawn(w, h), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func b64(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

// unpadded is base64 that lacks the padding that it needs.
func unpadded(data []byte) string {
	for len(data)%3 == 0 {
		data = append(data[:len(data):len(data)], 0)
	}
	return base64.RawStdEncoding.EncodeToString(data)
}

// bomb is a PNG of a few bytes that claims to be w x h pixels.
func bomb(w, h uint32) []byte {
	chunk := func(kind string, data []byte) []byte {
		body := append([]byte(kind), data...)
		out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		out = append(out, body...)
		return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
	}
	header := binary.BigEndian.AppendUint32(nil, w)
	header = binary.BigEndian.AppendUint32(header, h)
	header = append(header, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", header)...)
	return append(out, chunk("IEND", nil)...)
}

func TestLifeOfAnImage(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		at := base + "/locations/" + create(t, p, valid(t)) + "/images"
		picture := pngOf(t, 300, 300)
		upload := func(kind string) *apptest.Answer {
			return p.Do(t, apptest.Call{Method: "POST", Path: at, Body: map[string]any{"content": "data:image/png;base64," + b64(picture), "type": kind, "description": "Front"}}).Want(t, 200)
		}
		photo, profile := upload("PHOTO"), upload("PROFILE")
		if photo.Text("data.url") != profile.Text("data.url") || photo.Text("data.id") == profile.Text("data.id") {
			t.Fatal("the same bytes must be one object with two records")
		}
		served := func() *http.Response {
			res, err := http.Get(photo.Text("data.url"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = res.Body.Close() })
			return res
		}
		res := served()
		got, _ := io.ReadAll(res.Body)
		if !bytes.Equal(got, picture) || res.Header.Get("Content-Type") != "image/png" || res.Header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.Contains(res.Header.Get("Cache-Control"), "immutable") || res.Header.Get("ETag") == "" {
			t.Errorf("served %d bytes with %v", len(got), res.Header)
		}
		if list := p.Do(t, apptest.Call{Method: "GET", Path: at + "?image_types=PHOTO,COVER"}).Want(t, 200); list.Len("data") != 1 || list.At("meta.total") != 1.0 {
			t.Errorf("filtered list %s", list.Raw)
		}
		if list := p.Do(t, apptest.Call{Method: "GET", Path: at}).Want(t, 200); list.Text("data.0.id") != profile.Text("data.id") {
			t.Errorf("the newest is not first: %s", list.Raw)
		}
		edited := p.Do(t, apptest.Call{Method: "PUT", Path: base + "/images/" + photo.Text("data.id"), Body: `{"description":"Back"}`}).Want(t, 200)
		if edited.Text("data.description") != "Back" || edited.Text("data.url") != photo.Text("data.url") {
			t.Errorf("edited %s", edited.Raw)
		}
		p.Do(t, apptest.Call{Method: "PUT", Path: base + "/images/" + photo.Text("data.id"), Body: map[string]string{"description": strings.Repeat("ä", 256)}}).Want(t, 400)
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/images/" + photo.Text("data.id")}).Want(t, 200)
		if res := served(); res.StatusCode != 200 {
			t.Errorf("the object went with the first of its two records: %d", res.StatusCode)
		}
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/images/" + profile.Text("data.id")}).Want(t, 200)
		if res := served(); res.StatusCode != 404 {
			t.Errorf("the object outlived its last record: %d", res.StatusCode)
		}
	})
}

func TestDeletingALocationDeletesItsObjects(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, valid(t))
		body := map[string]any{"content": b64(jpegOf(t, 300, 300)), "type": "PHOTO"}
		var url string
		for range 2 {
			url = p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/images", Body: body}).Want(t, 200).Text("data.url")
		}
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 200)
		res, err := http.Get(url)
		if err != nil || res.StatusCode != 404 {
			t.Errorf("%v %v", res, err)
		}
		_ = res.Body.Close()
	})
}

// What is refused never reaches the store, so one engine tells all.
func TestImagesThatAreRefused(t *testing.T) {
	t.Parallel()
	whole := jpegOf(t, 300, 300)
	p := apptest.Start(t, dbtest.SQLite(t))
	at := base + "/locations/" + create(t, p, valid(t)) + "/images"
	for name, c := range map[string]struct {
		body         any
		status, says string
	}{
		"nothing":                {map[string]any{}, "NOT_SPECIFIED", "content"},
		"number for content":     {map[string]any{"content": 5, "type": "PHOTO"}, "INVALID_TYPE", "string"},
		"unknown type":           {map[string]any{"content": b64(whole), "type": "BANNER"}, "IMAGE_TYPE_UNKNOWN", "PHOTO"},
		"not base64":             {map[string]any{"content": "%%%", "type": "PHOTO"}, "IMAGE_INVALID", "base64"},
		"no padding":             {map[string]any{"content": unpadded(whole), "type": "PHOTO"}, "IMAGE_INVALID", "padding"},
		"GIF that says PNG":      {map[string]any{"content": "data:image/png;base64," + b64([]byte("GIF89a\x01\x00\x01\x00")), "type": "PHOTO"}, "IMAGE_INVALID", "JPEG or PNG"},
		"too small":              {map[string]any{"content": b64(pngOf(t, 100, 300)), "type": "PHOTO"}, "IMAGE_DIMENSIONS", "100x300"},
		"cover too tall":         {map[string]any{"content": b64(pngOf(t, 480, 1193)), "type": "COVER"}, "IMAGE_DIMENSIONS", "480x1193"},
		"decompression bomb":     {map[string]any{"content": b64(bomb(60000, 60000)), "type": "PHOTO"}, "IMAGE_DIMENSIONS", "60000x60000"},
		"truncated JPEG":         {map[string]any{"content": b64(whole[:len(whole)-200]), "type": "PHOTO"}, "IMAGE_INVALID", "truncated"},
		"truncated PNG":          {map[string]any{"content": b64(pngOf(t, 300, 300)[:120]), "type": "PHOTO"}, "IMAGE_INVALID", "truncated"},
		"over 4 MB":              {map[string]any{"content": b64(append(whole, make([]byte, 4<<20)...)), "type": "PHOTO"}, "IMAGE_TOO_LARGE", "bytes"},
		"a description too long": {map[string]any{"content": b64(whole), "type": "PHOTO", "description": strings.Repeat("x", 256)}, "TOO_LONG", "256"},
	} {
		answer := p.Do(t, apptest.Call{Method: "POST", Path: at, Body: c.body}).Want(t, 400)
		if !strings.Contains(string(answer.Raw), c.status) || !strings.Contains(string(answer.Raw), c.says) {
			t.Errorf("%s: %s", name, answer.Raw)
		}
	}
	p.Do(t, apptest.Call{Method: "POST", Path: at, Body: map[string]any{"content": strings.Repeat("A", 7<<20), "type": "PHOTO"}}).Want(t, 413)
	if n := count(t, p.DB, "objects") + count(t, p.DB, "images"); n != 0 {
		t.Errorf("%d rows are left of refused images", n)
	}
}

func count(t testing.TB, d *db.DB, table string) int {
	t.Helper()
	n, err := db.One(t.Context(), d, db.Value[int], "SELECT count(*) FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// brittle fails to put while it is told to.
type brittle struct {
	blob.Store
	broken atomic.Bool
}

func (b *brittle) Put(ctx context.Context, name, kind string, data []byte) error {
	if b.broken.Load() {
		return errors.New("the bucket is on fire")
	}
	return b.Store.Put(ctx, name, kind, data)
}

func TestObjectStoreFailingLeavesNeitherObjectNorRecord(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"objects fail", "records fail"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				folder := &brittle{Store: blob.NewFolder(t.TempDir())}
				p := apptest.Start(t, d, func(s *apptest.Setup) { s.Options.Blobs = folder })
				id := create(t, p, valid(t))
				body := map[string]any{"content": b64(pngOf(t, 300, 300)), "type": "PHOTO"}
				if engine == "objects fail" {
					folder.broken.Store(true)
					answer := p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/images", Body: body}).Want(t, 503)
					if strings.Contains(string(answer.Raw), "fire") || answer.Header.Get("Retry-After") == "" {
						t.Errorf("answered %s", answer.Raw)
					}
				} else { // the record cannot be written: its table refuses it
					drop(t, p.DB)
					p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/images", Body: body}).Want(t, 500)
				}
				p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations"}, func(*apptest.Answer) bool { return count(t, p.DB, "objects") == 0 })
			})
		})
	}
}

// drop breaks the insert of an image record and nothing before it.
func drop(t testing.TB, d *db.DB) {
	t.Helper()
	err := d.Tx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), "ALTER TABLE images RENAME COLUMN description TO caption")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A replayed upload answers as the first time and brings nothing back.
func TestReplayedUploadDoesNotBringADeletedImageBack(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		call := apptest.Call{
			Method: "POST", Path: base + "/locations/" + create(t, p, valid(t)) + "/images", Header: http.Header{"Idempotency-Key": {"upload"}},
			Body: map[string]any{"content": b64(pngOf(t, 300, 300)), "type": "PHOTO"},
		}
		first := p.Do(t, call).Want(t, 200)
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/images/" + first.Text("data.id")}).Want(t, 200)
		if again := p.Do(t, call).Want(t, 200); again.Text("data.id") != first.Text("data.id") {
			t.Errorf("the replay answered %s", again.Raw)
		}
		if status, _ := fetch(t, first.Text("data.url")); status != 404 {
			t.Errorf("the deleted image answers %d", status)
		}
		delete(call.Header, "Idempotency-Key")
		anew := p.Do(t, call).Want(t, 200)
		if status, _ := fetch(t, anew.Text("data.url")); status != 200 {
			t.Errorf("the same image uploaded anew answers %d", status)
		}
	})
}
