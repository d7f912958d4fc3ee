//go:build unix

package tty

import (
	"syscall"
	"testing"
)

// TestTheSizeMayBeAnotherAfterAStop: who is stopped is not told of a new size, so going on tells of it. While another program has
// the terminal, its return does.
func TestTheSizeMayBeAnotherAfterAStop(t *testing.T) {
	told := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	on(t, &screen{}, func(t *testing.T, term *Terminal) {
		defer term.Close(true)
		term.handleSignal(syscall.SIGCONT)
		if !told(term.Continued()) || !told(term.Resized()) {
			t.Error("going on does not tell of both")
		}
		term.markLent(false)
		term.handleSignal(syscall.SIGCONT)
		if told(term.Continued()) || told(term.Resized()) {
			t.Error("going on tells while another program has the terminal")
		}
		term.takeBack()
		if !told(term.Resized()) {
			t.Error("the return does not tell of the size")
		}
	})
}
