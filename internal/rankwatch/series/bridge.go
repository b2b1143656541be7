package series

// NotChecked marks a day without an observation in a series of ranks; 0 is a day on which the page
// was looked for and not found.
const NotChecked int16 = -1

// BridgeDays is for how many days the last known rank stands in for missing checks.
const BridgeDays = 7

// Bridge fills the gaps of a daily series in place. A series that is to be right from its first day
// on starts BridgeDays earlier.
func Bridge(ranks []int16) {
	last, age := NotChecked, 0
	for i, rank := range ranks {
		if rank != NotChecked {
			last, age = rank, 0
			continue
		}
		if age++; age <= BridgeDays {
			ranks[i] = last
		}
	}
}
