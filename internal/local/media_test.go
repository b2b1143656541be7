package local_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// counted counts what is put.
type counted struct {
	blob.Store
	puts atomic.Int64
}

func (c *counted) Put(ctx context.Context, name, contentType string, data []byte) error {
	c.puts.Add(1)
	return c.Store.Put(ctx, name, contentType, data)
}

func get(t *testing.T, url string) (*http.Response, []byte) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, body
}

// shape reads a picture that is served.
func shape(t *testing.T, url string) (format string, w, h int) {
	t.Helper()
	res, body := get(t, url)
	config, format, err := image.DecodeConfig(bytes.NewReader(body))
	if res.StatusCode != 200 || err != nil {
		t.Fatalf("%s answers %d: %v", url, res.StatusCode, err)
	}
	return format, config.Width, config.Height
}

// Pages ask for pictures in the width that they show them in: each is made once, and goes with the last record.
func TestImagesAreServedInWidths(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		folder := t.TempDir()
		store := &counted{Store: blob.NewFolder(folder)}
		p := apptest.Start(t, d, func(s *apptest.Setup) { s.Options.Blobs = store })
		location := create(t, p, valid(t))
		photo := upload(t, p, location, jpegOf(t, 1600, 1200)).Want(t, 200)
		url := photo.Text("data.url")

		var asking sync.WaitGroup
		for range 8 {
			asking.Go(func() {
				if res, _ := get(t, url+"?w=640"); res.StatusCode != 200 || res.Header.Get("Content-Type") != "image/jpeg" || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
					t.Errorf("answers %d with %v", res.StatusCode, res.Header)
				}
			})
		}
		asking.Wait()
		if n := store.puts.Load(); n != 2 {
			t.Errorf("%d objects were stored for an image and a width", n)
		}
		for width, height := range map[string]int{"320": 240, "640": 480, "1280": 960} {
			if format, w, h := shape(t, url+"?w="+width); format != "jpeg" || h != height {
				t.Errorf("w=%s is a %s of %dx%d", width, format, w, h)
			}
		}
		small := upload(t, p, location, pngOf(t, 300, 400)).Want(t, 200).Text("data.url")
		if format, w, h := shape(t, small+"?w=640"); format != "png" || w != 300 || h != 400 {
			t.Errorf("a narrow PNG became a %s of %dx%d", format, w, h)
		}
		for _, wrong := range []string{"321", "0", "-1", "", "640x", "99999999999999999999"} {
			if res, body := get(t, url+"?w="+wrong); res.StatusCode != 400 || !strings.Contains(string(body), "320 640 1280") {
				t.Errorf("w=%s answers %d: %s", wrong, res.StatusCode, body)
			}
		}

		removeImage(t, p, photo)
		if res, _ := get(t, url+"?w=640"); res.StatusCode != 404 {
			t.Errorf("a width of a deleted image answers %d", res.StatusCode)
		}
		_, name, _ := strings.Cut(url, "/media/")
		p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations"}, func(*apptest.Answer) bool {
			left, err := filepath.Glob(filepath.Join(folder, name[:2], name[:64]+"*"))
			return err == nil && len(left) == 0
		})
	})
}

// A picture that cannot be unpacked is served as it is, and one that claims more than it has harms nobody.
func TestImageThatCannotBeScaledIsServedAsItIs(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, dbtest.SQLite(t))
	location := create(t, p, valid(t))
	hollow := bomb(5000, 5000)
	url := upload(t, p, location, hollow).Want(t, 200).Text("data.url")
	for range 2 {
		if res, body := get(t, url+"?w=320"); res.StatusCode != 200 || !bytes.Equal(body, hollow) {
			t.Errorf("answers %d with %d bytes", res.StatusCode, len(body))
		}
	}
}

// A telephone stores how it was held beside the pixels; what is made of them stands upright.
func TestPhotosStandUpright(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, dbtest.SQLite(t))
	location := create(t, p, valid(t))
	plain := jpegOf(t, 1600, 800)
	exif := append([]byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"), 0, 0, 0, 0)
	held := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(exif)+2))...)
	held = append(append(held, exif...), plain[2:]...)
	url := upload(t, p, location, held).Want(t, 200).Text("data.url")
	if _, w, h := shape(t, url+"?w=320"); w != 320 || h != 640 {
		t.Errorf("a photo held sideways became %dx%d", w, h)
	}
}

// What is made of an image that is given up meanwhile does not stay.
func TestWidthOfAnImageThatGoesMeanwhileIsNotKept(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store := &goneMeanwhile{Store: blob.NewFolder(folder)}
	p := apptest.Start(t, dbtest.SQLite(t), func(s *apptest.Setup) { s.Options.Blobs = store })
	photo := upload(t, p, create(t, p, valid(t)), jpegOf(t, 1600, 1200)).Want(t, 200)
	store.before.Store(ptr(func() { removeImage(t, p, photo) }))
	if res, _ := get(t, photo.Text("data.url")+"?w=320"); res.StatusCode != 404 {
		t.Errorf("answers %d", res.StatusCode)
	}
	_, name, _ := strings.Cut(photo.Text("data.url"), "/media/")
	if _, err := os.Stat(filepath.Join(folder, name[:2], name[:64]+"-320.jpg")); !os.IsNotExist(err) {
		t.Errorf("it is there: %v", err)
	}
}

// goneMeanwhile does something once before an object is put.
type goneMeanwhile struct {
	blob.Store
	before atomic.Pointer[func()]
}

func (g *goneMeanwhile) Put(ctx context.Context, name, contentType string, data []byte) error {
	if before := g.before.Swap(nil); before != nil {
		(*before)()
	}
	return g.Store.Put(ctx, name, contentType, data)
}

func ptr[T any](v T) *T { return &v }
