package signin_test

import (
	"bufio"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"
)

// postOffice is a mail server over real TCP. It can refuse mails, and hang up once it has taken one.
type postOffice struct {
	url  string
	took chan letter

	mu      sync.Mutex
	refuse  int // so many mails from now on
	rude    bool
	refused int
}

// letter is a mail as it was taken.
type letter struct{ from, to, subject, text string }

func openPostOffice(t *testing.T) *postOffice {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &postOffice{url: "smtp://" + listener.Addr().String(), took: make(chan letter, 100)}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { o.serve(t, conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		serving.Wait()
	})
	return o
}

// refuseNext has the next mails refused, as a busy server does.
func (o *postOffice) refuseNext(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.refuse, o.refused = n, 0
}

// hangUp has the server end a connection once it has taken a mail.
func (o *postOffice) hangUp() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rude = true
}

// hasRefused is how many mails were refused since refuseNext.
func (o *postOffice) hasRefused() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.refused
}

func (o *postOffice) isRude() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.rude
}

func (o *postOffice) refuses() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.refuse == 0 {
		return false
	}
	o.refuse--
	o.refused++
	return true
}

// serve speaks to one client until it leaves.
func (o *postOffice) serve(t *testing.T, conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	in := textproto.NewReader(bufio.NewReader(conn))
	say := func(line string) { _, _ = fmt.Fprint(conn, line+"\r\n") } // a client that has gone is not heard below
	say("220 post.example")
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		switch verb, _, _ := strings.Cut(strings.ToUpper(line), " "); {
		case verb == "QUIT":
			say("221 bye")
			return
		case verb == "MAIL" && o.refuses():
			say("451 try again later")
		case verb == "DATA":
			say("354 go on")
			got, err := readLetter(in.DotReader())
			if err != nil {
				t.Errorf("a mail cannot be read: %v", err)
				return
			}
			o.took <- got
			say("250 taken")
			if o.isRude() {
				return
			}
		default:
			say("250 ok")
		}
	}
}

func readLetter(raw io.Reader) (letter, error) {
	message, err := mail.ReadMessage(raw)
	if err != nil {
		return letter{}, err
	}
	body := message.Body
	if message.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	header := message.Header.Get
	return letter{header("From"), header("To"), header("Subject"), string(text)}, err
}

// next is the next mail that was taken.
func (o *postOffice) next(t *testing.T) letter {
	t.Helper()
	select {
	case l := <-o.took:
		return l
	case <-time.After(time.Minute):
		t.Fatal("no mail came")
		return letter{}
	}
}
