package alertrule

import "testing"

func at(v float64) *float64 { return &v }

func TestWhenAConditionHolds(t *testing.T) {
	t.Parallel()
	var none *float64
	for _, c := range []struct {
		condition     Condition
		threshold     float64
		before, after *float64
		holds         bool
	}{
		{PositionLost, 5, at(3), at(8), true},
		{PositionLost, 5, at(3), at(7), false},
		{PositionLost, 5, at(8), at(3), false},
		{PositionLost, 5, at(3), none, true},
		{PositionLost, 5, at(99), none, false}, // at best it is 101 now
		{PositionLost, 1, none, at(100), false},
		{PositionGained, 5, at(8), at(3), true},
		{PositionGained, 5, at(7), at(3), false},
		{PositionGained, 5, none, at(96), true},
		{PositionGained, 5, none, at(97), false},
		{PositionGained, 1, at(3), none, false},
		{LeftTop, 10, at(10), at(11), true},
		{LeftTop, 10, at(10), none, true},
		{LeftTop, 10, at(3), at(10), false},
		{LeftTop, 10, at(11), at(12), false},
		{LeftTop, 10, none, at(11), false},
		{EnteredTop, 3, at(4), at(3), true},
		{EnteredTop, 3, none, at(1), true},
		{EnteredTop, 3, at(3), at(1), false},
		{EnteredTop, 3, at(9), at(4), false},
		{NotFound, 0, at(50), none, true},
		{NotFound, 0, none, at(50), false},
		{NotFound, 0, at(1), at(100), false},
		{AveragePositionLost, 1, at(3.3), at(4.3), true},
		{AveragePositionLost, 1, at(3.3), at(4.2), false},
		{AveragePositionGained, 1, at(4.3), at(3.3), true},
		{AveragePositionGained, 1, at(3.3), at(4.3), false},
		{ShareOfVoiceLost, 5, at(30), at(25), true},
		{ShareOfVoiceLost, 5, at(25), at(30), false},
		{ShareOfVoiceGained, 5, at(25), at(30), true},
		{ShareOfVoiceGained, 5, at(30), at(25), false},
		{TopShareLost, 0.1, at(0.3), at(0.2), true},
		{TopShareGained, 0.1, at(0.2), at(0.3), true},
	} {
		d, known := Find(c.condition)
		if !known {
			t.Fatal(c.condition)
		}
		r := Rule{AccountID: "a", On: d.On, SubjectID: "s", Condition: c.condition, Threshold: c.threshold}
		f := Fact{AccountID: "a", On: d.On, SubjectID: "s", Figure: d.figure, Move: Move{Before: c.before, After: c.after, Beyond: 101}}
		if r.Holds(&f) != c.holds {
			t.Errorf("%s %g from %s to %s: %v", c.condition, c.threshold, f.shown(c.before), f.shown(c.after), !c.holds)
		}
		for _, other := range []Fact{{AccountID: "b", On: d.On, SubjectID: "s"}, {AccountID: "a", On: d.On, SubjectID: "t"}, {AccountID: "a", On: "else", SubjectID: "s"}} {
			other.Figure, other.Move = f.Figure, f.Move
			if r.Holds(&other) {
				t.Errorf("%s holds for %+v", c.condition, other)
			}
		}
	}
}

func TestWhatHappensIsNamed(t *testing.T) {
	t.Parallel()
	rule := Rule{AccountID: "a", On: Tracking, Condition: RivalPassed, Rival: "rival.example"}
	for _, c := range []struct {
		happened Condition
		rival    string
		holds    bool
	}{{RivalPassed, "rival.example", true}, {RivalPassed, "other.example", false}, {SnippetLost, "rival.example", false}} {
		f := Fact{AccountID: "a", On: Tracking, SubjectID: "any", Happened: c.happened, Rival: c.rival}
		if rule.Holds(&f) != c.holds {
			t.Errorf("%s by %s: %v", c.happened, c.rival, !c.holds)
		}
	}
}

func TestEveryConditionHasASentence(t *testing.T) {
	t.Parallel()
	for _, d := range Conditions() {
		r := Rule{Condition: d.Condition, Threshold: 10}
		f := Fact{Name: "site.com", Keyword: "pizza", Detail: "it is told.", Figure: d.figure, Move: Move{Before: at(3), After: at(12)}}
		if text := r.sentence(&f); len(text) < 12 || text[:10] != "site.com: " || text[len(text)-1] != '.' {
			t.Errorf("%s: %q", d.Condition, text)
		}
	}
}
