package placeindex

import (
	"strings"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// marketKind is a kind of business: how common it is, what it is called and how many reviews the median
// one has.
type marketKind struct {
	category string
	share    float64
	reviews  float64
	called   []string
}

func marketKinds() []marketKind {
	return []marketKind{
		{"Pizza Restaurant", 6, 180, []string{"Pizza", "Pizzeria", "Pizza Kitchen", "Slice House"}},
		{"Coffee Shop", 7, 140, []string{"Coffee", "Coffee Roasters", "Espresso Bar", "Coffee House"}},
		{"Mexican Restaurant", 5, 190, []string{"Taqueria", "Cantina", "Mexican Grill"}},
		{"Italian Restaurant", 3, 170, []string{"Trattoria", "Italian Kitchen", "Ristorante"}},
		{"Chinese Restaurant", 3, 150, []string{"Noodle House", "Wok", "Chinese Kitchen"}},
		{"Sushi Restaurant", 2, 160, []string{"Sushi", "Sushi Bar"}},
		{"Burger Restaurant", 3, 200, []string{"Burgers", "Burger Bar"}},
		{"Restaurant", 6, 150, []string{"Kitchen", "Table", "Diner", "Grill"}},
		{"Bakery", 3, 110, []string{"Bakery", "Bread Co.", "Bakehouse"}},
		{"Bar", 4, 120, []string{"Tavern", "Taproom", "Bar"}},
		{"Dentist", 6, 90, []string{"Dental", "Dental Care", "Family Dentistry", "Smiles"}},
		{"Doctor", 4, 50, []string{"Family Practice", "Medical Group", "Clinic"}},
		{"Pharmacy", 2, 35, []string{"Pharmacy", "Apothecary"}},
		{"Veterinary", 2, 110, []string{"Animal Hospital", "Veterinary Clinic"}},
		{"Plumber", 5, 70, []string{"Plumbing", "Plumbing & Drain", "Plumbers"}},
		{"Electrician", 4, 45, []string{"Electric", "Electrical Services"}},
		{"Roofer", 3, 40, []string{"Roofing", "Roof & Gutter"}},
		{"Locksmith", 2, 50, []string{"Locksmith", "Lock & Key"}},
		{"Hair Salon", 7, 75, []string{"Hair Salon", "Hair Studio", "Salon"}},
		{"Barber", 3, 80, []string{"Barbershop", "Barbers"}},
		{"Nail Salon", 3, 85, []string{"Nails", "Nail Bar"}},
		{"Gym", 4, 95, []string{"Gym", "Fitness", "Strength Club"}},
		{"Yoga Studio", 2, 45, []string{"Yoga", "Yoga Studio"}},
		{"Car Repair Shop", 4, 100, []string{"Auto Repair", "Garage", "Auto Service"}},
		{"Car Wash", 1, 120, []string{"Car Wash"}},
		{"Florist", 2, 50, []string{"Florist", "Flowers"}},
		{"Bookstore", 1, 80, []string{"Books", "Bookshop"}},
		{"Pet Store", 1, 70, []string{"Pet Supply", "Pets"}},
		{"Lawyer", 4, 25, []string{"Law", "Law Offices", "Legal Group"}},
		{"Real Estate Agent", 3, 20, []string{"Realty", "Real Estate"}},
		{"Hotel", 2, 320, []string{"Inn", "Hotel"}},
		{"Delicatessen", 4, 120, []string{"Deli", "Delicatessen", "Lunch Counter"}},
		{"Sandwich Fast Food", 3, 100, []string{"Sandwiches", "Sandwich Shop"}},
	}
}

// marketTown is a real town; only the businesses in it are invented.
type marketTown struct {
	name, zip string
	at        geo.Point
}

func marketTowns() []marketTown {
	return []marketTown{
		{"Decatur", "30030", geo.Point{Lat: 33.7748, Lng: -84.2963}},
		{"Decatur", "30033", geo.Point{Lat: 33.8120, Lng: -84.2830}},
		{"Decatur", "30032", geo.Point{Lat: 33.7400, Lng: -84.2630}},
		{"Avondale Estates", "30002", geo.Point{Lat: 33.7715, Lng: -84.2671}},
		{"Scottdale", "30079", geo.Point{Lat: 33.7897, Lng: -84.2638}},
		{"Clarkston", "30021", geo.Point{Lat: 33.8096, Lng: -84.2396}},
		{"Tucker", "30084", geo.Point{Lat: 33.8545, Lng: -84.2171}},
		{"Stone Mountain", "30083", geo.Point{Lat: 33.8081, Lng: -84.1702}},
		{"Brookhaven", "30319", geo.Point{Lat: 33.8651, Lng: -84.3366}},
		{"Atlanta", "30307", geo.Point{Lat: 33.7690, Lng: -84.3370}},
		{"Atlanta", "30308", geo.Point{Lat: 33.7710, Lng: -84.3780}},
		{"Atlanta", "30316", geo.Point{Lat: 33.7220, Lng: -84.3330}},
		{"Atlanta", "30324", geo.Point{Lat: 33.8200, Lng: -84.3570}},
		{"Atlanta", "30303", geo.Point{Lat: 33.7530, Lng: -84.3900}},
	}
}

// marketWords are what names are put together from: halves that no real family or street is known by.
type marketWords struct{ starts, ends, adjectives, streets []string }

func newMarketWords() marketWords {
	return marketWords{
		starts: strings.Fields(`Quill Brack Tansy Wren Thistle Marl Fenn Oster Pellow Dray Corrin Hazle Lumm Sorrel
			Teas Vell Yarr Ember Glim Harken Ister Jessa Kell Larkin Murr Nettle Orrin Pimm Rusk Tarn`),
		ends: strings.Fields(`mere wick combe holt ford stead ley gate worth croft dell brook nook thorpe bury
			shaw lea moor fold wold`),
		adjectives: strings.Fields(`Old Little Copper Golden Red Bright North South Happy Quiet Velvet Iron Paper
			Silver Rusty Brave Sunny Crooked Double Lucky`),
		streets: strings.Fields(`Street Avenue Road Drive Lane Place Way Terrace Court Boulevard`),
	}
}
