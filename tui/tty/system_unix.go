//go:build unix

package tty

// What terminals and the programs on them are told by signals.

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
	// stopLimit is how long it may take until the system has stopped this process.
	stopLimit = 100 * time.Millisecond
	// wakeLimit is how long it takes at most, once it goes on, until the signals that came meanwhile have told what they mean.
	wakeLimit = 20 * time.Millisecond
)

// outputOf returns what the framework writes to for a terminal.
func outputOf(o *output, _ *os.File) io.Writer { return o }

// listen has the system tell when the size changes, and when this process goes on after it was stopped from outside.
func (t *Terminal) listen() {
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
				t.heed(sig)
			case <-t.closed:
				return
			}
		}
	}()
}

func (t *Terminal) heed(sig os.Signal) {
	t.mu.Lock()
	elsewhere := t.elsewhere
	t.mu.Unlock()
	switch {
	case sig == syscall.SIGWINCH:
		tell(t.resized)
	case !elsewhere && t.foreground():
		tell(t.continued)
		tell(t.resized) // of which only those are told that are not stopped
	}
}

// hangUp tells a program that its terminal goes away.
func hangUp(p *os.Process) { p.Signal(syscall.SIGHUP) }

// ignoreQuit keeps ctrl+\, typed for the program that has the terminal, from ending this one, until what it returns is called.
func ignoreQuit() (stop func()) {
	typed := make(chan os.Signal, 1)
	signal.Notify(typed, syscall.SIGQUIT) // and not Ignore, which the program would inherit
	return func() { signal.Stop(typed) }
}

// Suspend stops this process, and all of its job, until the shell has it go on in the foreground. Where there is no shell that
// could, nothing happens. When ctx has ended by then it does not return: the line is the shell's, and the framework must not
// have it again.
func (t *Terminal) Suspend(ctx context.Context) error {
	if !t.output.drain(takeLimit) {
		return nil
	}
	t.give(true)
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	for stop := syscall.SIGTSTP; ; stop = syscall.SIGTTOU { // what the system says to who writes in the background
		syscall.Kill(0, stop)
		select {
		case <-goesOn:
		case <-time.After(stopLimit): // not stopped: a job without a shell is not
		}
		select {
		case <-ctx.Done(): // a signal was waiting
			select {}
		case <-time.After(wakeLimit):
		}
		if t.foreground() {
			t.takeBack()
			return nil
		}
	}
}

// foreground reports whether this process may use the terminal now.
func (t *Terminal) foreground() bool {
	if t.keys == nil {
		return true
	}
	var group int32
	_, _, err := syscall.Syscall(syscall.SYS_IOCTL, t.keys.Fd(), syscall.TIOCGPGRP, uintptr(unsafe.Pointer(&group)))
	return err != 0 || int(group) == syscall.Getpgrp() // not its own terminal: there is no job to be in
}
