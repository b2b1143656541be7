//go:build linux || darwin || freebsd

package doctor

import "syscall"

// freeShare is how much of a folder's disk is free to its user.
func freeShare(folder string) (float64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return float64(s.Bavail) / float64(max(s.Blocks, 1)), nil
}
