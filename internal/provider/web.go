package provider

// MaxWebDepth is how deep a web search may look.
const MaxWebDepth = 200

// Device is what a web search pretends to be.
type Device string

// The devices.
const (
	Desktop Device = "desktop" // also the meaning of ""
	Mobile  Device = "mobile"
)

// ItemType says what a part of a result page is; the names are those of the public API.
type ItemType string

// The types of items.
const (
	Organic          ItemType = "ORGANIC"
	AdTop            ItemType = "ADV_TOP"
	AdBottom         ItemType = "ADV_BOTTOM"
	FeaturedSnippet  ItemType = "FEATURED_SNIPPET"
	LocalPack        ItemType = "LOCAL_PACK"
	KnowledgeGraph   ItemType = "KNO_GRAPH"
	SimilarQuestions ItemType = "SIMILAR_QUESTIONS"
	SimilarQueries   ItemType = "SIMILAR_QUERIES"
	ImagePack        ItemType = "IMG_PACK"
	VideoPack        ItemType = "VIDEO_PACK"
	TopStories       ItemType = "TOP_STORIES"
	ShopResults      ItemType = "SHOP_RESULTS"
	AIOverview       ItemType = "AI_OVERVIEW"
	Other            ItemType = "OTHER"
)

// ItemTypes lists every type of item, in the order of the public API.
func ItemTypes() []ItemType {
	return []ItemType{
		Organic, AdTop, AdBottom, FeaturedSnippet, LocalPack, KnowledgeGraph, SimilarQuestions,
		SimilarQueries, ImagePack, VideoPack, TopStories, ShopResults, AIOverview, Other,
	}
}

// WebQuery is one web search.
type WebQuery struct {
	Keyword      string
	Country      string // two letters, any case; "" leaves it to the provider
	Language     string // as in "en" or "pt-BR"; "" leaves it to the provider
	Location     string // canonical name, as "Decatur,Georgia,United States"; "" is anywhere in the country
	GoogleDomain string // as "google.co.uk"; vendors that choose it by country ignore it
	Device       Device
	Depth        int // organic results wanted, 1..MaxWebDepth; 0 is 10

	Key string // as MapQuery's

	// Target is the domain that is looked for, without "www."; a vendor that can end a search at its first result does so.
	Target string

	// Until is asked of each organic item; the page on which it says yes is the last one fetched. nil asks for the whole depth.
	Until func(WebItem) bool
}

// Check refuses what no vendor could answer, before a request is spent on it.
func (q WebQuery) Check() error {
	if q.Depth < 0 || q.Depth > MaxWebDepth {
		return Errorf(BadQuery, "", "A web search has a depth of 1 to %d, not %d.", MaxWebDepth, q.Depth)
	}
	switch q.Device {
	case "", Desktop, Mobile:
	default:
		return Errorf(BadQuery, "", "The device of a web search is desktop or mobile.")
	}
	if err := checkMarket(q.Country, q.Language, q.Location); err != nil {
		return err
	}
	return checkKeyword(q.Keyword)
}

// Pages is how many pages of ten results the depth needs at most, each of which vendors bill.
func (q WebQuery) Pages() int { return (q.Limit() + 9) / 10 }

// Limit is the number of organic results wanted.
func (q WebQuery) Limit() int {
	if q.Depth <= 0 {
		return 10
	}
	return min(q.Depth, MaxWebDepth)
}

// WebItem is one part of a result page.
type WebItem struct {
	Type        ItemType
	Rank        int // organic rank over all pages, from 1; 0 for every other type
	URL         string
	Title       string
	Description string
	Domain      string    // host of URL in lower case without "www."
	Items       []WebItem // what a pack, a list of questions or a set of site links holds
}

// WebPage is what a search found, from the top of the first page.
type WebPage struct {
	Items   []WebItem
	Related []string // other searches that the engine proposes
	Pages   int      // pages fetched, each of which vendors bill
	Total   *int64   // results that the engine says it has; nil when it does not say
}

// Depth is how many organic results were seen; a domain not among them is not ranked in that depth.
func (p WebPage) Depth() int {
	n := 0
	for _, item := range p.Items {
		if item.Type == Organic {
			n++
		}
	}
	return n
}
