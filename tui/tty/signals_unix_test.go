//go:build unix

package tty

import (
	"syscall"
	"testing"
)

// TestResizeWhileStopped: a stopped program gets no signal for a new size, so SIGCONT reports a resize, too. While another program has
// the terminal, taking the terminal back reports it.
func TestResizeWhileStopped(t *testing.T) {
	signaled := func(c <-chan struct{}) bool {
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
		if !signaled(term.Continued()) || !signaled(term.Resized()) {
			t.Error("going on does not tell of both")
		}
		term.markLent(false)
		term.handleSignal(syscall.SIGCONT)
		if signaled(term.Continued()) || signaled(term.Resized()) {
			t.Error("going on tells while another program has the terminal")
		}
		term.takeBack()
		if !signaled(term.Resized()) {
			t.Error("the return does not tell of the size")
		}
	})
}
