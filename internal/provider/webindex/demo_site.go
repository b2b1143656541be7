package webindex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// addBusiness makes the site of a business. Some sites say nothing but their name until they are
// rewritten in some week of the year, and climb from then on.
func (w *Web) addBusiness(b Business) {
	target, err := webtarget.Parse(b.Website)
	if err != nil || !strings.HasSuffix(target.Host(), ".example") {
		return
	}
	domain := target.Host()
	if _, taken := w.sites[domain]; taken {
		return
	}
	w.settle(domain, 0.05, 0.45)
	w.sites[domain].climb = b.Climb
	r, t := w.rand(domain, 2), topicOf(b.Kind)
	intro := fmt.Sprintf("%s is %s in %s, Georgia. %s Find us at %s.", b.Name, t.article(), b.Town, pick(r, t.claims), b.Address)
	offer := fmt.Sprintf("We offer %s.", strings.Join(t.services, ", "))
	good := fmt.Sprintf("%s in %s, GA | %s", title(t.noun), b.Town, b.Name)
	rewritten := always
	if r.IntN(4) == 0 {
		rewritten = 4 + r.IntN(demoWeeks-8)
		w.put(domain, "/", b.Name, "Welcome to "+b.Name, "Welcome. "+b.Address, always, rewritten)
	}
	w.put(domain, "/", good, intro, intro+" "+offer+" "+pick(r, t.closings), rewritten, forever)
	w.put(domain, "/about", "About "+b.Name, fmt.Sprintf("The people behind %s in %s.", b.Name, b.Town),
		fmt.Sprintf("%s Our team has served %s and its neighbours for %d years.", intro, b.Town, 2+r.IntN(30)), always, forever)
	for i, service := range t.services {
		if r.IntN(3) == 0 {
			continue
		}
		from := rewritten
		if i > 2 { // later pages are written in the course of the year
			from = max(rewritten, r.IntN(demoWeeks))
		}
		w.put(domain, "/"+slug(service), fmt.Sprintf("%s in %s | %s", title(service), b.Town, b.Name),
			fmt.Sprintf("%s by %s, your %s in %s, GA.", title(service), b.Name, t.noun, b.Town),
			fmt.Sprintf("Looking for %s in %s? %s %s", service, b.Town, pick(r, t.claims), intro), from, forever)
	}
}

// market is who does what where.
type market struct {
	towns  []string // as they first appear
	topics []topic
	names  map[[2]string][]string // of businesses, by town and kind
}

func newMarket(businesses []Business) market {
	m := market{names: map[[2]string][]string{}}
	for _, b := range businesses {
		if !slices.Contains(m.towns, b.Town) {
			m.towns = append(m.towns, b.Town)
		}
		if !slices.ContainsFunc(m.topics, func(t topic) bool { return t.kind == b.Kind }) {
			m.topics = append(m.topics, topicOf(b.Kind))
		}
		at := [2]string{b.Town, b.Kind}
		m.names[at] = append(m.names[at], b.Name)
	}
	return m
}

// list names at most n businesses of a kind in a town.
func (m market) list(town string, t topic, n int) []string {
	names := m.names[[2]string{town, t.kind}]
	return names[:min(n, len(names))]
}

// addDirectories makes sites that list businesses by kind and town, and a page for each of them.
func (w *Web) addDirectories(businesses []Business, m market) {
	for n, domain := range directories {
		w.settle(domain, 0.55, 0.85)
		for _, t := range m.topics {
			for _, town := range m.towns {
				names := m.list(town, t, 12)
				if len(names) == 0 {
					continue
				}
				w.put(domain, "/"+slug(town)+"-ga/"+slug(t.plural), fmt.Sprintf(directoryTitles[n], title(t.plural), town),
					fmt.Sprintf("Compare %d %s in %s, Georgia: opening hours, addresses and what people say.", len(names), t.plural, town),
					fmt.Sprintf("The best %s in %s, GA: %s.", t.plural, town, strings.Join(names, "; ")), always, forever)
			}
		}
	}
	for _, b := range businesses {
		t := topicOf(b.Kind)
		w.put(directories[0], "/place/"+slug(b.Name), fmt.Sprintf("%s - %s - %s, GA", b.Name, title(t.noun), b.Town),
			fmt.Sprintf("What people say about %s, %s.", b.Name, b.Address),
			fmt.Sprintf("%s, %s in %s, Georgia. Address, hours and opinions of customers.", b.Name, t.article(), b.Town), always, forever)
	}
}

// addBlogs makes blogs whose posts appear over the year.
func (w *Web) addBlogs(m market) {
	for _, blog := range blogs {
		w.settle(blog.domain, 0.35, 0.6)
		for _, t := range m.topics {
			if t.group != blog.group {
				continue
			}
			r := w.rand(blog.domain+t.kind, 3)
			for _, town := range towns[:3] {
				w.put(blog.domain, fmt.Sprintf("/%s-%s", slug(t.noun), slug(town)),
					fmt.Sprintf("Where to find a good %s in %s", t.noun, town), fmt.Sprintf("Our favourite %s in %s this year.", t.plural, town),
					fmt.Sprintf("We tried the %s of %s so that you do not have to. %s Our notes: %s.", t.plural, town, pick(r, t.claims), strings.Join(m.list(town, t, 5), ", ")),
					r.IntN(demoWeeks)-20, forever)
			}
			service := pick(r, t.services)
			w.put(blog.domain, "/what-"+slug(service)+"-costs", fmt.Sprintf("What %s costs in Georgia", service),
				fmt.Sprintf("Prices for %s around Decatur, and what to ask first.", service),
				fmt.Sprintf("How much is %s? We asked %s in Decatur, Avondale Estates and Tucker.", service, t.plural), r.IntN(demoWeeks), forever)
		}
	}
}

// addNational makes well-known sites that know the subject and not the town.
func (w *Web) addNational() {
	for _, domain := range nationals {
		w.settle(domain, 0.75, 0.95)
		for _, t := range topics {
			w.put(domain, "/"+slug(t.noun), fmt.Sprintf("%s: everything you need to know", title(t.noun)),
				fmt.Sprintf("How to choose %s, what it costs and what to expect.", t.article()),
				fmt.Sprintf("A guide to finding %s. Common services are %s.", t.article(), strings.Join(t.services, ", ")), always, forever)
			for _, service := range t.services[:2] {
				w.put(domain, "/"+slug(t.noun)+"/"+slug(service), fmt.Sprintf("%s explained", title(service)),
					fmt.Sprintf("What %s is and when you need it.", service),
					fmt.Sprintf("Everything about %s, from people who know.", service), always, forever)
			}
		}
	}
}

// Keywords are searches that people of the market make, the popular ones first.
func (w *Web) Keywords() []string {
	var list []string
	for _, form := range []string{"%s decatur", "best %s decatur ga", "%s near me", "%s avondale estates"} {
		for _, t := range topics {
			list = append(list, fmt.Sprintf(form, t.noun))
		}
	}
	for _, t := range topics {
		for _, service := range t.services {
			list = append(list, service+" decatur")
		}
	}
	return list
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
