package rankwatch

import (
	"strings"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// Bounds of a keyword's list of URLs; what ranks beyond them is kept without its URL.
const (
	maxURLs   = 500
	maxURLLen = 2000
)

// urlNumber finds a URL in the list of a keyword, or adds it.
func urlNumber(urls, url string) (number uint16, list string) {
	if url == "" || len(url) > maxURLLen || strings.ContainsRune(url, '\n') {
		return 0, urls
	}
	n := uint16(0)
	if urls != "" {
		for line := range strings.SplitSeq(urls, "\n") {
			if n++; line == url {
				return n, urls
			}
		}
		urls += "\n"
	}
	if n == maxURLs {
		return 0, strings.TrimSuffix(urls, "\n")
	}
	return n + 1, urls + url
}

// url is the URL that an observation names.
func (s *rankState) url(o series.Observation) *string {
	if o.URL == 0 {
		return nil
	}
	n := 0
	for line := range strings.SplitSeq(s.urls, "\n") {
		if n++; n == int(o.URL) {
			return &line
		}
	}
	return nil
}

// cutURL leaves out what is too long to keep; half a URL leads nowhere.
func cutURL(url string) string {
	if len(url) > maxURLLen {
		return ""
	}
	return url
}
