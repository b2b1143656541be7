package provider

// KeywordQuery asks for the figures of many keywords in one market.
type KeywordQuery struct {
	Keywords []string
	Country  string // two letters
	Location string // canonical name; "" is the whole country
	Language string
}

// KeywordFigures are what advertisers are told about a keyword. nil is unknown, never zero.
type KeywordFigures struct {
	Keyword     string
	Volume      *int     // searches a month, mean of the last year
	CPC         *float64 // USD
	Competition *float64 // of paid search, 0..100
	Difficulty  *float64 // of organic search, 0..100
	Monthly     []MonthVolume
}

// MonthVolume is one month's searches; lists of them run oldest first.
type MonthVolume struct {
	Year   int
	Month  int // 0 is January
	Volume int
}

// DomainQuery asks what a domain or URL ranks for.
type DomainQuery struct {
	Target   string // domain, or a URL
	Country  string
	Location string
	Language string
	Limit    int
	Offset   int
}

// DomainKeywords is one page of the keywords of a domain.
type DomainKeywords struct {
	Items []RankedKeyword
	Total int // of all pages
}

// RankedKeyword is a keyword for which a page of the domain was found.
type RankedKeyword struct {
	KeywordFigures
	Rank int
	URL  string
}

// IdeaQuery asks for keywords like the given ones.
type IdeaQuery struct {
	Keywords []string // seeds, at least one
	Country  string
	Location string
	Language string
	Limit    int
}

// Competitor is a domain that ranks for some of the same keywords as another.
type Competitor struct {
	Domain   string
	Shared   int      // keywords that both rank for
	Keywords *int     // that it ranks for in all; nil is unknown
	Rank     *float64 // mean, of the shared keywords
}

// Links says how a domain or page is linked to. nil is unknown.
type Links struct {
	Rank      *float64 // authority, 0..100
	Links     *int64
	Domains   *int64 // that link to it
	FirstSeen string // yyyy-mm-dd; "" is unknown
}
