package directory

import (
	"net/url"
	"strings"
	"time"
)

// linkedData is the location as schema.org LocalBusiness.
func linkedData(item Item, view pageView) map[string]any {
	p := &item.Profile
	data := map[string]any{
		"@context": "https://schema.org", "@type": "LocalBusiness", "@id": view.Canonical,
		"name": p.BusinessName, "telephone": p.PhoneNumber, "url": view.Canonical,
	}
	put := func(key, value string) {
		if value != "" {
			data[key] = value
		}
	}
	put("description", view.Summary)
	put("keywords", view.Categories)
	var same []string
	if view.Website != "" {
		same = append(same, view.Website)
	}
	for _, l := range view.Elsewhere {
		same = append(same, l.URL)
	}
	if len(same) > 0 {
		data["sameAs"] = same
	}
	address := map[string]any{"@type": "PostalAddress", "addressLocality": p.City, "addressCountry": p.Country}
	if p.Region != "" {
		address["addressRegion"] = p.Region
	}
	if p.Zip != "" {
		address["postalCode"] = p.Zip
	}
	if !p.SuppressAddress {
		address["streetAddress"] = strings.TrimSpace(p.AddressLine1 + " " + p.AddressLine2)
		if p.Coordinates != nil {
			data["geo"] = map[string]any{"@type": "GeoCoordinates", "latitude": p.Coordinates.Latitude, "longitude": p.Coordinates.Longitude}
		}
	}
	data["address"] = address
	if n := min(len(p.ServiceAreaPlaces), shownPlaces); n > 0 {
		var areas []string
		for _, a := range p.ServiceAreaPlaces[:n] {
			areas = append(areas, a.Name)
		}
		data["areaServed"] = areas
	}
	put("paymentAccepted", strings.Join(view.Payments, ", "))
	if hours := openingHours(p.BusinessHours); len(hours) > 0 {
		data["openingHoursSpecification"] = hours
	}
	if special := specialHours(p); len(special) > 0 {
		data["specialOpeningHoursSpecification"] = special
	}
	var images []string
	if view.Cover != nil {
		images = append(images, view.Cover.URL)
	}
	for _, img := range view.Pictures[:min(len(view.Pictures), 2)] {
		images = append(images, img.URL)
	}
	if len(images) > 0 {
		data["image"] = images
	}
	if view.Logo != nil {
		data["logo"] = view.absolute(view.Logo.URL)
	}
	if view.Brand != nil && view.Brand.Name != "" {
		data["parentOrganization"] = map[string]any{"@type": "Organization", "name": view.Brand.Name}
	}
	return data
}

// absolute completes a path of this service.
func (v *pageView) absolute(address string) string {
	base, err := url.Parse(v.Canonical)
	if err != nil {
		return address
	}
	ref, err := url.Parse(address)
	if err != nil {
		return address
	}
	return base.ResolveReference(ref).String()
}

// openingHours says the hours of the week; days with the same hours are named together.
func openingHours(week *Week) []map[string]any {
	if week == nil {
		return nil
	}
	var ranges []Range
	days := map[Range][]string{}
	for _, d := range week.Days() {
		for _, r := range d.Ranges {
			if days[r] == nil {
				ranges = append(ranges, r)
			}
			days[r] = append(days[r], "https://schema.org/"+d.Name)
		}
	}
	var specs []map[string]any
	for _, r := range ranges {
		specs = append(specs, map[string]any{"@type": "OpeningHoursSpecification", "dayOfWeek": days[r], "opens": r.From, "closes": r.Closes()})
	}
	return specs
}

func specialHours(p *Profile) []map[string]any {
	var specs []map[string]any
	for _, d := range p.SpecialDays() {
		hours := d.Hours()
		if len(hours) == 0 { // from midnight to midnight says closed
			specs = append(specs, map[string]any{
				"@type": "OpeningHoursSpecification", "validFrom": d.Day, "validThrough": d.Day, "opens": "00:00", "closes": "00:00",
			})
		}
		for _, r := range hours {
			specs = append(specs, map[string]any{
				"@type": "OpeningHoursSpecification", "validFrom": d.Day, "validThrough": d.Day, "opens": r.From, "closes": r.Closes(),
			})
		}
	}
	if reopen, err := time.Parse(time.DateOnly, p.ReopenDate); err == nil {
		specs = append(specs, map[string]any{
			"@type": "OpeningHoursSpecification", "validThrough": reopen.AddDate(0, 0, -1).Format(time.DateOnly), "opens": "00:00", "closes": "00:00",
		})
	}
	return specs
}
