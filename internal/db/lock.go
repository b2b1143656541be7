package db

import "os"

// WorkerLock is the file, in the folder of a SQLite store, that whoever works the store holds: see LockFile.
const WorkerLock = "worker.lock"

// LockFile takes an exclusive lock that the system drops when the process dies. Without wait it fails
// at once when another process holds it.
func LockFile(path string, wait bool) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f, wait); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
