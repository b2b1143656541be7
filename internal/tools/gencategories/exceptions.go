package main

// groups are the top-level categories. Their presets are judged one by one; see isPlace.
var groups = []string{
	"amenity", "attraction", "club", "craft", "education", "healthcare", "leisure", "office", "shop", "tourism",
}

// included are places to the public although the schema gives them no telephone.
var included = set(
	"amenity/atm", "amenity/boat_storage", "amenity/charging_station", "amenity/funeral_hall", "amenity/mortuary",
	"amenity/taxi", "amenity/theatre/type/amphi", "amenity/toy_library",
	"leisure/playground", "leisure/sports_hall", "leisure/summer_camp", "leisure/swimming_pool",
	"leisure/pitch", "leisure/pitch/american_football", "leisure/pitch/archery", "leisure/pitch/badminton",
	"leisure/pitch/baseball", "leisure/pitch/basketball", "leisure/pitch/beachvolleyball", "leisure/pitch/bowls",
	"leisure/pitch/cricket", "leisure/pitch/equestrian", "leisure/pitch/field_hockey", "leisure/pitch/futsal",
	"leisure/pitch/netball", "leisure/pitch/padel", "leisure/pitch/paintball", "leisure/pitch/pickleball",
	"leisure/pitch/rugby_league", "leisure/pitch/rugby_union", "leisure/pitch/shooting", "leisure/pitch/skateboard",
	"leisure/pitch/soccer", "leisure/pitch/softball", "leisure/pitch/tennis", "leisure/pitch/volleyball",
	"tourism/attraction", "tourism/viewpoint",
)

// excluded have a telephone field, or are one, and yet are no place to visit.
var excluded = set(
	"amenity/dog_toilet", "amenity/give_box", "amenity/parking/street-side", "amenity/public_bookcase",
	"amenity/telephone", "attraction/animal", "attraction/kiddie_ride", "shop/vacant",
)

// adopted are places that the schema files under what they are made of; the value is their group here.
var adopted = map[string]string{
	"aeroway/aerodrome":                  "amenity",
	"emergency/ambulance_station":        "amenity",
	"historic/archaeological_site":       "tourism",
	"historic/castle":                    "tourism",
	"historic/monument":                  "tourism",
	"landuse/cemetery":                   "amenity",
	"landuse/farmyard":                   "craft",
	"landuse/industrial/scrap_yard":      "craft",
	"landuse/industrial/slaughterhouse":  "craft",
	"landuse/plant_nursery":              "shop",
	"landuse/vineyard":                   "craft",
	"man_made/lighthouse":                "tourism",
	"man_made/observatory":               "tourism",
	"man_made/works":                     "craft",
	"natural/beach":                      "leisure",
	"public_transport/station_aerialway": "amenity",
	"public_transport/station_bus":       "amenity",
	"public_transport/station_ferry":     "amenity",
	"public_transport/station_monorail":  "amenity",
	"public_transport/station_subway":    "amenity",
	"public_transport/station_train":     "amenity",
	"public_transport/station_tram":      "amenity",
}

// renamed are names that speak to mappers ("Hospital Grounds" is the area, not the building).
var renamed = map[string]string{
	"amenity/hospital":           "Hospital",
	"amenity/monastery":          "Monastery",
	"amenity/pharmacy":           "Pharmacy",
	"amenity/prison":             "Prison",
	"amenity/research_institute": "Research Institute",
	"education":                  "Education",
	"education/college":          "College",
	"education/kindergarten":     "Preschool / Kindergarten",
	"education/school":           "School",
	"education/university":       "University",
	"healthcare":                 "Healthcare",
	"landuse/farmyard":           "Farm",
	"leisure":                    "Leisure",
	"tourism":                    "Tourism",
}

// droppedTerms are synonyms that mean another kind of place: who says coffee is not looking for any restaurant.
var droppedTerms = map[string][]string{
	"amenity/restaurant":          {"bar", "cafe", "café", "coffee"},
	"amenity/restaurant/american": {"bar", "cafe", "café", "coffee"},
	"amenity/fast_food/donut":     {"cafe", "coffee"},
	"amenity/internet_cafe":       {"cafe", "coffee"},
}

// addedTerms are synonyms that the schema lacks.
var addedTerms = func() map[string][]string {
	added := map[string][]string{}
	for _, path := range []string{
		"tourism/attraction", "tourism/museum", "tourism/gallery", "tourism/zoo", "tourism/theme_park", "tourism/aquarium",
		"tourism/viewpoint", "historic/castle", "historic/monument", "amenity/theatre", "leisure/park", "leisure/water_park",
	} {
		added[path] = []string{"things to do", "sights", "sightseeing"}
	}
	return added
}()

func set(paths ...string) map[string]bool {
	s := map[string]bool{}
	for _, path := range paths {
		s[path] = true
	}
	return s
}
