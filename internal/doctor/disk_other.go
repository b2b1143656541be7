//go:build !linux && !darwin && !freebsd

package doctor

// freeShare is not known here.
func freeShare(string) (float64, error) { return 1, nil }
