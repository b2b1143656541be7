package maplisting

import (
	"reflect"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/provider"
)

func own() directory.Profile {
	return directory.Profile{
		BusinessName: "Café Mañana & Söhne GmbH", PhoneNumber: "0711 123456", Country: "DE", City: "Stuttgart", Zip: "70173",
		AddressLine1: "Königstraße 12", WebsiteURL: "www.manana.example.org",
		BusinessHours: &directory.Week{
			Monday: directory.Ranges{{From: "07:00", To: "18:00"}}, Tuesday: directory.Ranges{{From: "00:00", To: "00:00"}}, Saturday: directory.Ranges{{From: "20:00", To: "02:30"}},
		},
	}
}

func shown() provider.Business {
	return provider.Business{
		Name: "CAFE MANANA und Sohne", Phone: "+49 711 123456", Address: "Königstr. 12, 70173 Stuttgart, Germany", Website: "https://manana.example.org/",
		Hours: &provider.Hours{
			time.Sunday: {{From: 0, To: 150}}, time.Monday: {{From: 420, To: 1080}}, time.Tuesday: {{From: 0, To: 1440}}, time.Saturday: {{From: 1200, To: 1440}},
		},
	}
}

func TestAnotherSpellingIsNoDifference(t *testing.T) {
	t.Parallel()
	if got := compare(own(), shown(), time.Now()); len(got) != 0 {
		t.Errorf("differences %q", got)
	}
	if got := compare(own(), provider.Business{PlaceID: "x"}, time.Now()); len(got) != 0 {
		t.Errorf("what the map does not tell differs: %q", got)
	}
}

func TestEveryDifferenceIsTold(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		change func(*directory.Profile, *provider.Business)
		want   []string
	}{
		"name":  {func(_ *directory.Profile, b *provider.Business) { b.Name = "Café Mañana" }, []string{"The map shows the name Café Mañana, not Café Mañana & Söhne GmbH."}},
		"phone": {func(_ *directory.Profile, b *provider.Business) { b.Phone = "+49 711 654321" }, []string{"The map shows the phone number +49 711 654321, not 0711 123456."}},
		"house number": {func(_ *directory.Profile, b *provider.Business) { b.Address = "Königstraße 14, 70173 Stuttgart" }, []string{
			"The map shows the address Königstraße 14, 70173 Stuttgart, not Königstraße 12, Stuttgart, 70173.",
		}},
		"postal code": {func(_ *directory.Profile, b *provider.Business) { b.Address = "Königstraße 12, 70174 Stuttgart" }, []string{
			"The map shows the address Königstraße 12, 70174 Stuttgart, not Königstraße 12, Stuttgart, 70173.",
		}},
		"no postal code told": {func(_ *directory.Profile, b *provider.Business) { b.Address = "Königstraße 12, Stuttgart" }, nil},
		"no street told":      {func(_ *directory.Profile, b *provider.Business) { b.Address = "Stuttgart, Germany" }, nil},
		"hidden address":      {func(p *directory.Profile, b *provider.Business) { p.SuppressAddress, b.Address = true, "Elsewhere 1" }, nil},
		"website":             {func(_ *directory.Profile, b *provider.Business) { b.Website = "http://other.example.org" }, []string{"The map shows the website http://other.example.org, not www.manana.example.org."}},
		"website path": {func(_ *directory.Profile, b *provider.Business) {
			b.Website = "http://manana.example.org/stuttgart?utm=1"
		}, []string{"The map shows the website http://manana.example.org/stuttgart?utm=1, not www.manana.example.org."}},
		"website of none":    {func(p *directory.Profile, _ *provider.Business) { p.WebsiteURL = "" }, []string{"The map shows the website https://manana.example.org/, and the location has none."}},
		"closed for good":    {func(_ *directory.Profile, b *provider.Business) { b.Closed = provider.ClosedForGood }, []string{"The map shows the place as permanently closed."}},
		"closed for a while": {func(_ *directory.Profile, b *provider.Business) { b.Closed = provider.ClosedTemporarily }, []string{"The map shows the place as temporarily closed."}},
		"closed for a while, as the owner wants": {func(p *directory.Profile, b *provider.Business) {
			p.ReopenDate, b.Closed = "2026-04-01", provider.ClosedTemporarily
		}, nil},
		"hours": {func(_ *directory.Profile, b *provider.Business) {
			b.Hours[time.Monday], b.Hours[time.Tuesday] = []provider.Span{{From: 540, To: 720}, {From: 780, To: 1080}}, nil
		}, []string{"On Monday the map shows 09:00–12:00, 13:00–18:00, not 07:00–18:00.", "On Tuesday the map shows closed, not open 24 hours."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, b := own(), shown()
			c.change(&p, &b)
			if got := compare(p, b, now); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestAmericanSpellings(t *testing.T) {
	t.Parallel()
	p := directory.Profile{BusinessName: "Joe's Plumbing, Inc.", PhoneNumber: "(404) 555-0123", Country: "US", Region: "GA", City: "Decatur", Zip: "30030-1234", AddressLine1: "1 North Main Street"}
	b := provider.Business{Name: "Joes Plumbing", Phone: "+1 404-555-0123", Address: "1 N Main St, Decatur, GA 30030, United States"}
	if got := compare(p, b, time.Now()); len(got) != 0 {
		t.Errorf("differences %q", got)
	}
}
