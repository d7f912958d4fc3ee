//go:build unix

package tty

// The signals of terminals and of the programs on them.

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
	"unsafe"
)

const (
	// stopLimit is how long the system may take to stop this process.
	stopLimit = 100 * time.Millisecond
	// wakeLimit is the longest time until pending signals are delivered after the process continues.
	wakeLimit = 20 * time.Millisecond
)

// outputOf returns the framework's writer for a terminal.
func outputOf(o *output, _ *os.File) io.Writer { return o }

// listenSignals subscribes to size changes, and to the continuation of this process after a stop from outside.
func (t *Terminal) listenSignals() {
	if t.screen == nil {
		return
	}
	told := make(chan os.Signal, 2)
	signal.Notify(told, syscall.SIGWINCH, syscall.SIGCONT)
	go func() {
		defer signal.Stop(told)
		for {
			select {
			case sig := <-told:
				t.handleSignal(sig)
			case <-t.closed:
				return
			}
		}
	}()
}

func (t *Terminal) handleSignal(sig os.Signal) {
	t.mu.Lock()
	elsewhere := t.elsewhere
	t.mu.Unlock()
	switch {
	case sig == syscall.SIGWINCH:
		notifyOn(t.resized)
	case !elsewhere && t.isForeground():
		notifyOn(t.continued)
		notifyOn(t.resized) // a stopped process missed them
	}
}

// hangUp sends a program the signal of a lost terminal.
func hangUp(p *os.Process) { p.Signal(syscall.SIGHUP) }

// ignoreQuit keeps ctrl+\, typed for the program that has the terminal, from ending this one, until the returned function is called.
func ignoreQuit() (stop func()) {
	typed := make(chan os.Signal, 1)
	signal.Notify(typed, syscall.SIGQUIT) // not Ignore, which the program would inherit
	return func() { signal.Stop(typed) }
}

// Suspend stops this process, and all of its job, until the shell continues it in the foreground. Without a shell that
// could do so, nothing happens. If ctx has ended by then it does not return: the line belongs to the shell, and the framework must not
// get it again.
func (t *Terminal) Suspend(ctx context.Context) error {
	if !t.output.waitEmpty(takeLimit) {
		return nil
	}
	t.markLent(true)
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	for stop := syscall.SIGTSTP; ; stop = syscall.SIGTTOU { // SIGTTOU is what the system sends to a background process that writes
		syscall.Kill(0, stop)
		select {
		case <-goesOn:
		case <-time.After(stopLimit): // not stopped: a job without a shell is not
		}
		select {
		case <-ctx.Done(): // a signal was pending
			select {}
		case <-time.After(wakeLimit):
		}
		if t.isForeground() {
			t.takeBack()
			return nil
		}
	}
}

// isForeground reports whether this process may use the terminal now.
func (t *Terminal) isForeground() bool {
	if t.keys == nil {
		return true
	}
	var group int32
	_, _, err := syscall.Syscall(syscall.SYS_IOCTL, t.keys.Fd(), syscall.TIOCGPGRP, uintptr(unsafe.Pointer(&group)))
	return err != 0 || int(group) == syscall.Getpgrp() // the terminal is not the controlling one: there is no job
}
