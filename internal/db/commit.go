package db

// hooks run once, in the goroutine that called DB.Tx, when it is known how the transaction has ended.
type hooks struct{ afterCommit, afterRollback []func() }

// AfterCommit registers fn to run once the transaction is on disk, and not at all if it is not. It is
// for wake-up calls: work that must not be lost belongs in the transaction itself.
func (h *hooks) AfterCommit(fn func()) { h.afterCommit = append(h.afterCommit, fn) }

// AfterRollback registers fn to run if the transaction has finally failed, to undo what was done beside
// the store. It does not run between two attempts.
func (h *hooks) AfterRollback(fn func()) { h.afterRollback = append(h.afterRollback, fn) }

// keep takes the hooks of a later attempt. One that failed before it had come to register anything
// leaves what an earlier one wanted undone.
func (h *hooks) keep(later hooks) {
	h.afterCommit = later.afterCommit
	if len(later.afterRollback) > 0 {
		h.afterRollback = later.afterRollback
	}
}

func (h *hooks) ended(committed bool) {
	end := h.afterRollback
	if committed {
		end = h.afterCommit
	}
	for _, fn := range end {
		fn()
	}
}
