package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

func TestWhatVendorsWrite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw    string
		text   wire.Text
		number wire.Number
		fails  bool
	}{
		{`" 4.5 "`, "4.5", 4.5, false},
		{`4.5`, "4.5", 4.5, false},
		{`-0`, "-0", 0, false},
		{`null`, "", 0, false},
		{`""`, "", 0, false},
		{`{"a":1}`, "", 0, true},
		{`[1]`, "", 0, true},
		{`true`, "", 0, true},
	} {
		var text wire.Text
		if err := json.Unmarshal([]byte(c.raw), &text); text != c.text || (err != nil) != c.fails {
			t.Errorf("%s as text: %q, %v", c.raw, text, err)
		}
		var number wire.Number
		if err := json.Unmarshal([]byte(c.raw), &number); number != c.number || (err != nil) != c.fails {
			t.Errorf("%s as a number: %v, %v", c.raw, number, err)
		}
	}
	for _, raw := range []string{`"NaN"`, `"4,5"`, `"1e999"`} {
		var number wire.Number
		if json.Unmarshal([]byte(raw), &number) == nil {
			t.Errorf("%s is the number %v", raw, number)
		}
	}
	var text wire.Text
	if err := json.Unmarshal([]byte(`"\u0000Café\n du\tNord "`), &text); err != nil || text != "Café  du Nord" {
		t.Errorf("control characters: %q, %v", text, err)
	}
	if !text.Same("café DU nord") || text.Same("café") {
		t.Error("case and spacing make a difference, or another word does not")
	}
	if n := wire.Number(1e300).Count(); n <= 0 || wire.Number(-3).Count() != 0 {
		t.Errorf("counts %d and %d", n, wire.Number(-3).Count())
	}
}

func TestAbsentListIsEmptyAndNullIsBroken(t *testing.T) {
	t.Parallel()
	var answer struct {
		Rows wire.List[int] `json:"rows"`
	}
	if err := json.Unmarshal([]byte(`{}`), &answer); err != nil || answer.Rows != nil {
		t.Errorf("absent: %v, %v", answer.Rows, err)
	}
	if err := json.Unmarshal([]byte(`{"rows":[1,2]}`), &answer); err != nil || len(answer.Rows) != 2 {
		t.Errorf("two: %v, %v", answer.Rows, err)
	}
	if err := json.Unmarshal([]byte(`{"rows":null}`), &answer); err == nil {
		t.Error("null was read")
	}
}
