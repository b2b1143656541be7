package db

// AfterCommit registers fn to run once the transaction is on disk, and not at all if it is not. It is
// for wake-up calls: work that must not be lost belongs in the transaction itself.
func (t *Tx) AfterCommit(fn func()) { t.afterCommit = append(t.afterCommit, fn) }

// AfterRollback registers fn to run if the transaction fails, to undo what was done beside the store.
func (t *Tx) AfterRollback(fn func()) { t.afterRollback = append(t.afterRollback, fn) }

// ended runs the hooks in the goroutine that called DB.Tx.
func (t *Tx) ended(err error) {
	hooks := t.afterCommit
	if err != nil {
		hooks = t.afterRollback
	}
	for _, fn := range hooks {
		fn()
	}
}
