// Package mailtest is a mail server over real TCP for tests: a good one, and one that refuses, stalls, fails or hangs up.
package mailtest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/mail"
)

// patience is how long a test waits for a mail that is sure to come, on a busy machine.
const patience = 5 * time.Minute

// Server takes mail.
type Server struct {
	URL  string
	Took chan Letter

	mu      sync.Mutex
	refuse  int    // so many mails from now on, before they are read
	refusal string // with these words
	fail    int    // so many, once they are read
	vanish  int    // so many are taken, and nobody is told
	rude    bool
	refused int
	held    chan struct{}
	read    int // mails that were read to their end
}

// Letter is a mail as it was taken.
type Letter struct {
	From, To, Subject, Text, HTML string

	ID          string // Message-ID, with its brackets
	Header      netmail.Header
	Attachments []mail.Attachment
}

// Open starts a server that ends with the test.
func Open(t testing.TB) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{URL: "smtp://" + listener.Addr().String(), Took: make(chan Letter, 2000)}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { s.serve(t, conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		serving.Wait()
	})
	return s
}

// RefuseNext has the next mails refused, as a busy server does.
func (s *Server) RefuseNext(n int) { s.refuseWith(n, "451 try again later") }

// RefuseForGood has the next mails refused, as where there is no such address.
func (s *Server) RefuseForGood(n int) { s.refuseWith(n, "550 no such mailbox") }

func (s *Server) refuseWith(n int, words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse, s.refusal, s.refused = n, words, 0
}

// FailNext has the next mails read to their end and then not taken.
func (s *Server) FailNext(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail, s.refused = n, 0
}

// VanishNext has the next mails taken, and the line go dead before the sender is told.
func (s *Server) VanishNext(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.vanish = n
}

// HangUp has the server end a connection once it has taken a mail.
func (s *Server) HangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rude = true
}

// Hold has the server say nothing about the mails that it has read until it is released.
func (s *Server) Hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := make(chan struct{})
	s.held = held
	return sync.OnceFunc(func() { close(held) })
}

// UntilRead waits until as many mails were read to their end, whatever becomes of them.
func (s *Server) UntilRead(t testing.TB, n int) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		read := s.read
		s.mu.Unlock()
		if read >= n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("only %d of %d mails were read", read, n)
		}
	}
}

// Refused is how many mails were refused or failed since that was asked for.
func (s *Server) Refused() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused
}

// Next is the next mail that was taken.
func (s *Server) Next(t testing.TB) Letter {
	t.Helper()
	select {
	case l := <-s.Took:
		return l
	case <-time.After(patience):
		t.Fatal("no mail came")
		return Letter{}
	}
}

// greeted is what the server says to a mail before it reads it.
func (s *Server) greeted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse == 0 {
		return "250 ok"
	}
	s.refuse--
	s.refused++
	return s.refusal
}

// judge says what becomes of a mail that was read: whether it is taken, what is answered, and whether the line then ends.
func (s *Server) judge() (taken bool, answer string, end bool) {
	s.mu.Lock()
	s.read++
	held := s.held
	s.mu.Unlock()
	if held != nil {
		<-held
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.fail > 0:
		s.fail--
		s.refused++
		return false, "451 the disk is full", false
	case s.vanish > 0:
		s.vanish--
		return true, "", true
	}
	return true, "250 taken", s.rude
}

// serve speaks to one client until it leaves.
func (s *Server) serve(t testing.TB, conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(patience))
	in := textproto.NewReader(bufio.NewReader(conn))
	say := func(line string) { _, _ = fmt.Fprint(conn, line+"\r\n") } // a client that has gone is not heard below
	say("220 post.example")
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		switch verb, _, _ := strings.Cut(strings.ToUpper(line), " "); verb {
		case "QUIT":
			say("221 bye")
			return
		case "MAIL":
			say(s.greeted())
		case "DATA":
			say("354 go on")
			raw, err := in.ReadDotBytes()
			if err != nil {
				return // the sender died
			}
			got, err := read(raw)
			if err != nil {
				t.Errorf("a mail cannot be read: %v", err)
				return
			}
			taken, answer, end := s.judge()
			if taken {
				s.Took <- got
			}
			if answer != "" {
				say(answer)
			}
			if end {
				return
			}
		default:
			say("250 ok")
		}
	}
}

func read(raw []byte) (Letter, error) {
	message, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Letter{}, err
	}
	words := new(mime.WordDecoder)
	get := func(name string) string {
		text, err := words.DecodeHeader(message.Header.Get(name))
		if err != nil {
			return message.Header.Get(name)
		}
		return text
	}
	l := Letter{From: get("From"), To: get("To"), Subject: get("Subject"), ID: get("Message-ID"), Header: message.Header}
	return l, l.take(textproto.MIMEHeader(message.Header), message.Body)
}

// take reads a part of a mail, and the parts in it.
func (l *Letter) take(header textproto.MIMEHeader, body io.Reader) error {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return err
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if err := l.take(part.Header, part); err != nil {
				return err
			}
		}
	}
	switch header.Get("Content-Transfer-Encoding") {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	data, err := io.ReadAll(body)
	_, disposition, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	switch {
	case disposition["filename"] != "":
		l.Attachments = append(l.Attachments, mail.Attachment{Name: disposition["filename"], ContentType: kind, Data: data})
	case kind == "text/html":
		l.HTML = strings.ReplaceAll(string(data), "\r\n", "\n")
	default:
		l.Text = strings.ReplaceAll(string(data), "\r\n", "\n")
	}
	return err
}
