package geo

import "slices"

// IndexBoundaries does the work of the first look-up afresh.
func IndexBoundaries() { loadBoundaries() }

// ZoneNames lists the zones that have a boundary.
func ZoneNames() []string {
	var names []string
	for _, b := range boundaries() {
		names = append(names, b.zone)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// KnowsCountryOf tells whether the embedded table lists a zone.
func KnowsCountryOf(zone string) bool { return zoneCountry()[zone] != "" }
