package series

import (
	"slices"
	"testing"
)

func TestBridge(t *testing.T) {
	t.Parallel()
	const no = NotChecked
	tests := []struct {
		name     string
		in, want []int16
	}{
		{"nothing checked yet", []int16{no, no, 4}, []int16{no, no, 4}},
		{"a failed check in between", []int16{4, no, 6}, []int16{4, 4, 6}},
		{"unranked is carried as unranked", []int16{0, no, 6}, []int16{0, 0, 6}},
		{"seven days at most", []int16{9, no, no, no, no, no, no, no, no, no, 3}, []int16{9, 9, 9, 9, 9, 9, 9, 9, no, no, 3}},
		{"empty", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := slices.Clone(tt.in)
			if Bridge(got); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
