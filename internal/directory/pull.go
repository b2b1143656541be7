package directory

// SitemapPath is where the sitemap of the hosted pages is served.
const SitemapPath = "/sitemap.xml"

// Sitemap is the hosted page's entry in the sitemap; it is there when the page is.
type Sitemap struct{ PublicURL string }

// Describe implements Connector.
func (s *Sitemap) Describe() Descriptor {
	return Descriptor{ID: "sitemap", Name: "Sitemap", Parent: "page"}
}

// Place implements Connector.
func (s *Sitemap) Place(Item) Outcome {
	return Outcome{Status: Connected, URL: s.PublicURL + SitemapPath}
}

// Remove implements Connector.
func (s *Sitemap) Remove() Outcome { return Outcome{Status: Disconnected} }

// FeedPath is where feeds are served, followed by the account's feed token and .json or .csv.
const FeedPath = "/feeds/"

// Feed offers a location to partners that pull it. It is SUBMITTED until one has.
type Feed struct{ PublicURL string }

// Describe implements Connector.
func (f *Feed) Describe() Descriptor {
	return Descriptor{ID: "feed", Name: "Partner feed", Controllable: true}
}

// Place implements Connector.
func (f *Feed) Place(item Item) Outcome {
	return Outcome{Status: Submitted, URL: f.PublicURL + FeedPath + item.FeedToken + ".json"}
}

// Remove implements Connector.
func (f *Feed) Remove() Outcome { return Outcome{Status: Disconnected} }
