package placeindex

const maxMembers = 32_000 // as OpenStreetMap itself has it

// Members of a relation that tell where it is, the best first.
const (
	asLabel = iota
	asCentre
	asOuter
	asWay
	asNode
	asNothing
)

// member is one of a relation.
type member struct {
	id int64
	as int
}

func (r *pbfReader) relation(raw []byte) error {
	o, err := readObject(raw)
	if err != nil {
		return err
	}
	tags, err := r.tags(o.keys.all(), o.values.all())
	if _, ok := osmCategory(tags, r.cats); !ok {
		return err
	}
	members := r.members(&o)
	if r.pass == surveying {
		r.need(members)
		return nil
	}
	return r.takeArea("relation", int64(o.id), tags, r.where(members))
}

// members lists what may tell where a relation is.
func (r *pbfReader) members(o *object) []member {
	roles, ids, kinds := o.numbers(0), o.deltas(1), o.numbers(2)
	var list []member
	for len(list) < maxMembers {
		id, ok := ids.next()
		if !ok {
			break
		}
		kind, okKind := kinds.next()
		role, okRole := roles.next()
		if !okKind || !okRole || role >= uint64(len(r.strings)) {
			break
		}
		if as := standing(kind, string(r.strings[role])); as != asNothing {
			list = append(list, member{id, as})
		}
	}
	return list
}

// standing ranks a member by its kind (0 is a node, 1 a way) and its role.
func standing(kind uint64, role string) int {
	switch {
	case kind == 0 && role == "label":
		return asLabel
	case kind == 0 && role == "admin_centre":
		return asCentre
	case kind == 0:
		return asNode
	case kind == 1 && (role == "outer" || role == ""):
		return asOuter
	case kind == 1:
		return asWay
	}
	return asNothing
}

func (m member) isWay() bool { return m.as == asOuter || m.as == asWay }

func (r *pbfReader) need(members []member) {
	for _, m := range members {
		if m.isWay() {
			r.outlines[m.id] = bounds{}
		} else {
			r.needed.add([]int64{m.id})
		}
	}
}

// where is the outline of those members that tell best where the relation is.
func (r *pbfReader) where(members []member) (outline bounds) {
	best := asNothing
	for _, m := range members {
		var here bounds
		if m.isWay() {
			here = r.outlines[m.id]
		} else if lat, lng, ok := r.needed.get(m.id); ok {
			here.add(lat, lng)
		}
		if !here.known || m.as > best {
			continue
		}
		if m.as < best {
			best, outline = m.as, bounds{}
		}
		outline.add(here.south, here.west)
		outline.add(here.north, here.east)
	}
	return outline
}
