package research

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestReadDomainRanks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, want, bad string }{
		"Tranco":        {"1,google.com\r\n2,www.Example.com\r\n", "google.com=1 example.com=2", ""},
		"a last line":   {"1,a.com\n2,b.com", "a.com=1 b.com=2", ""},
		"Majestic":      {"GlobalRank,TldRank,Domain,TLD,RefSubNets\n5,1,\"facebook.com\",com,9\n", "facebook.com=5", ""},
		"Common Crawl":  {"#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n7\t3.1E7\t9\t0.1\tuk.co.bbc\t12\n", "bbc.co.uk=7", ""},
		"rank second":   {"domain,rank\na.com,3\n", "a.com=3", ""},
		"byte order":    {"\ufeff1,a.com\n", "a.com=1", ""},
		"IDN":           {"1,münchen.de\n", "xn--mnchen-3ya.de=1", ""},
		"bad lines":     {"x,a.com\n2\n3,\n0,b.com\n-1,c.com\n4,http://d.com/x\n5,localhost\n\n6,ok.com\n", "ok.com=6", "1 2 3 4 5 6 7"},
		"long line":     {"1," + strings.Repeat("a", 10_000) + ".com\n2,ok.com\n", "ok.com=2", "1"},
		"empty":         {"", "", ""},
		"not text":      {"\x00\x01\xff\n", "", "1"},
		"huge rank":     {"99999999999999999999,a.com\n", "", "1"},
		"header midway": {"1,a.com\nrank,domain\n", "a.com=1", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got, bad []string
			err := ReadDomainRanks(strings.NewReader(test.file), func(domain string, rank int64) error {
				got = append(got, fmt.Sprintf("%s=%d", domain, rank))
				return nil
			}, func(line int, _ string) { bad = append(bad, fmt.Sprint(line)) })
			if err != nil || strings.Join(got, " ") != test.want || strings.Join(bad, " ") != test.bad {
				t.Errorf("%v: %v, bad lines %v; want %s, %s", err, got, bad, test.want, test.bad)
			}
		})
	}
	stop := errors.New("stop")
	if err := ReadDomainRanks(strings.NewReader("1,a.com\n"), func(string, int64) error { return stop }, nil); !errors.Is(err, stop) {
		t.Errorf("an error of the reader is %v", err)
	}
}

func FuzzReadDomainRanks(f *testing.F) {
	for _, s := range []string{"1,a.com\n", "rank,domain\n1,b.com", "#harmonicc_pos\t#host_rev\n1\tcom.a\n", "\xff\x00,\n", ",,,"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, file string) {
		lines := strings.Count(file, "\n") + 1
		n := 0
		err := ReadDomainRanks(strings.NewReader(file), func(domain string, rank int64) error {
			if n++; domain == "" || rank < 1 || strings.ContainsAny(domain, " /\x00") {
				t.Errorf("%q has rank %d", domain, rank)
			}
			return nil
		}, func(line int, reason string) {
			if n++; line < 1 || line > lines || reason == "" {
				t.Errorf("line %d: %q", line, reason)
			}
		})
		if err != nil || n > lines {
			t.Errorf("%v after %d rows of %d lines", err, n, lines)
		}
	})
}
