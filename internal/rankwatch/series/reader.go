package series

// Reader reads the ranks of a range of days, keyword by keyword, without allocating for each.
type Reader struct {
	Range
	Last    Observation // newest up to the end of the range
	LastDay Day         // of Last; 0 when nothing was seen

	ranks []int16 // from BridgeDays before the range on
}

// NewReader returns a reader that has read nothing.
func NewReader(r Range) *Reader {
	return &Reader{Range: r, ranks: make([]int16, BridgeDays+r.Days())}
}

// Read takes up the checks of a keyword in place of those of the keyword before.
func (v *Reader) Read(h History) error {
	for i := range v.ranks {
		v.ranks[i] = NotChecked
	}
	v.Last, v.LastDay = Observation{}, 0
	return h.Each(v.Range, func(day Day, o Observation) {
		if day >= v.LastDay {
			v.Last, v.LastDay = o, day
		}
		if i := int(day-v.From) + BridgeDays; i >= 0 {
			v.ranks[i] = int16(o.Rank)
		}
	})
}

// Ranks is one rank for each day of the range, or NotChecked. It holds until the next Read.
func (v *Reader) Ranks() []int16 { return v.ranks[BridgeDays:] }

// Bridge fills the days without a check among the ranks.
func (v *Reader) Bridge() { Bridge(v.ranks) }
