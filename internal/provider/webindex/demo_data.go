package webindex

import "strings"

// topic is what the web has to say about a kind of business.
type topic struct {
	kind         string // category of the market
	group        string // which blog writes about it
	noun, plural string
	called       []string // ends of business names
	services     []string
	claims       []string
	closings     []string
}

func (t topic) article() string {
	if strings.ContainsRune("aeiou", rune(t.noun[0])) {
		return "an " + t.noun
	}
	return "a " + t.noun
}

var topics = []topic{
	{
		"Pizza Restaurant", "food", "pizza place", "pizza places",
		[]string{"Pizza", "Pizzeria", "Slice House"},
		[]string{"pizza delivery", "wood fired pizza", "gluten free pizza", "pizza by the slice", "calzones", "pizza catering"},
		[]string{"Our dough rests for two days.", "The oven burns oak and nothing else.", "Locals come back for the crust."},
		[]string{"Order online or walk in.", "Open late on weekends.", "Children eat half price on Mondays."},
	},
	{
		"Coffee Shop", "food", "coffee shop", "coffee shops",
		[]string{"Coffee", "Espresso Bar", "Coffee Roasters"},
		[]string{"espresso", "cold brew", "coffee beans", "breakfast pastries", "coffee tasting"},
		[]string{"We roast twice a week.", "Quiet corners and strong coffee.", "Every cup is poured by hand."},
		[]string{"Wireless is free.", "Dogs are welcome.", "Closed on Christmas Day only."},
	},
	{
		"Delicatessen", "food", "deli", "delis",
		[]string{"Deli", "Delicatessen", "Lunch Counter"},
		[]string{
			"sandwiches", "bagels", "pastrami", "reuben sandwich", "breakfast sandwiches", "matzo ball soup", "lunch catering",
			"party platters", "vegan sandwiches", "box lunches", "rye bread",
		},
		[]string{"Sliced to order, stacked by hand.", "The rye is baked next door.", "Half the courthouse eats here."},
		[]string{"Order by eleven for lunch.", "Platters need a day of notice.", "Pickles are on the house."},
	},
	{
		"Bakery", "food", "bakery", "bakeries",
		[]string{"Bakery", "Bread Co.", "Bakehouse"},
		[]string{"sourdough bread", "birthday cakes", "wedding cakes", "croissants", "gluten free bread"},
		[]string{"We bake before you wake.", "Flour, water, salt and time.", "The queue is part of the charm."},
		[]string{"Come early.", "Cakes need two days of notice."},
	},
	{
		"Dentist", "health", "dentist", "dentists",
		[]string{"Dental", "Family Dentistry", "Smiles"},
		[]string{"teeth whitening", "dental implants", "emergency dentist", "root canal", "invisible braces", "pediatric dentist"},
		[]string{"Gentle care for nervous patients.", "Same-day appointments for pain.", "We explain before we drill."},
		[]string{"New patients are welcome.", "Most insurance plans accepted."},
	},
	{
		"Veterinarian", "health", "veterinarian", "veterinarians",
		[]string{"Animal Hospital", "Veterinary Clinic"},
		[]string{"cat vaccination", "emergency vet", "dog dental cleaning", "spay and neuter", "pet x ray"},
		[]string{"Kind hands for small patients.", "Open on Sundays.", "We treat them as our own."},
		[]string{"Call ahead for emergencies.", "House calls on request."},
	},
	{
		"Plumber", "home", "plumber", "plumbers",
		[]string{"Plumbing", "Plumbing & Drain"},
		[]string{"drain cleaning", "water heater repair", "emergency plumber", "leak detection", "sewer line repair", "toilet repair"},
		[]string{"We come within the hour.", "A fixed price before we start.", "Clean shoes, dry floors."},
		[]string{"Licensed and insured.", "Day and night, all year."},
	},
	{
		"Electrician", "home", "electrician", "electricians",
		[]string{"Electric", "Electrical Services"},
		[]string{"panel upgrade", "ceiling fan installation", "ev charger installation", "emergency electrician", "rewiring"},
		[]string{"Safe work, tidy walls.", "We test everything twice.", "Old houses are our specialty."},
		[]string{"Free estimates.", "Licensed in Georgia."},
	},
	{
		"Roofer", "home", "roofing company", "roofing companies",
		[]string{"Roofing", "Roof & Gutter"},
		[]string{"roof repair", "roof replacement", "gutter cleaning", "storm damage roof", "metal roofing"},
		[]string{"A dry house before the next rain.", "We photograph every roof.", "Ten years of warranty."},
		[]string{"Free inspection after a storm.", "We deal with your insurance."},
	},
	{
		"Hair Salon", "style", "hair salon", "hair salons",
		[]string{"Hair Salon", "Hair Studio"},
		[]string{"balayage", "haircut for women", "hair color", "keratin treatment", "bridal hair"},
		[]string{"We listen first and cut second.", "Color that lasts.", "Walk-ins on weekdays."},
		[]string{"Book online.", "Gift cards available."},
	},
	{
		"Gym", "style", "gym", "gyms",
		[]string{"Gym", "Fitness", "Strength Club"},
		[]string{"personal training", "group classes", "crossfit", "24 hour gym", "boxing classes"},
		[]string{"No mirrors, no nonsense.", "Coaches who know your name.", "Open around the clock."},
		[]string{"First week free.", "No contract."},
	},
	{
		"Car Repair Shop", "home", "auto repair shop", "auto repair shops",
		[]string{"Auto Repair", "Garage"},
		[]string{"oil change", "brake repair", "transmission repair", "check engine light", "tire rotation"},
		[]string{"Honest answers and clean hands.", "We show you the old part.", "Loan cars on request."},
		[]string{"Open Saturdays.", "Two years of warranty."},
	},
	{
		"Lawyer", "home", "lawyer", "lawyers",
		[]string{"Law", "Law Offices"},
		[]string{"divorce lawyer", "estate planning", "personal injury lawyer", "small business lawyer", "traffic ticket lawyer"},
		[]string{"Plain words and clear fees.", "We return calls the same day.", "Thirty years before the county court."},
		[]string{"The first talk is free.", "Evening appointments."},
	},
}

// topicOf finds what to say; a kind that has no topic is described by its own name.
func topicOf(kind string) topic {
	for _, t := range topics {
		if t.kind == kind {
			return t
		}
	}
	noun := strings.ToLower(strings.TrimSpace(kind))
	if noun == "" {
		noun = "business"
	}
	return topic{
		kind: kind, noun: noun, plural: noun + "s", services: []string{noun + " service", noun + " prices"},
		claims: []string{"Friendly and close by.", "People come from far."}, closings: []string{"Come and see us."},
	}
}

var (
	towns = []string{"Decatur", "Avondale Estates", "Tucker", "Clarkston", "Scottdale"}

	// The domains end in .example, which is reserved: nobody can own them.
	directories     = []string{"town-score.example", "decatur-finder.example", "georgia-pages.example"}
	directoryTitles = []string{"Top 10 Best %s in %s, GA", "%s in %s, Georgia", "%s near %s, GA - Phone numbers and hours"}
	nationals       = []string{"ask-anything.example", "the-big-guide.example"}
	blogs           = []struct{ domain, group string }{
		{"eat-decatur.example", "food"}, {"dekalb-health.example", "health"}, {"dekalb-home.example", "home"}, {"peach-style.example", "style"},
	}

	// Names are put together from halves that no real family or street is known by.
	firstHalves  = strings.Fields("Quill Brack Tansy Thistle Marl Fenn Pellow Dray Corrin Lumm Sorrel Vell Yarr Glim Harken Murr Pimm Rusk")
	secondHalves = strings.Fields("mere wick combe holt stead ley gate croft dell nook thorpe shaw moor fold")
)
