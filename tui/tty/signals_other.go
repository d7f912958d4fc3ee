//go:build !unix

package tty

import (
	"context"
	"io"
	"os"
)

// console is an output that gives the framework access to the console's modes.
type console struct {
	*output
	file *os.File
}

func (c console) Fd() uintptr              { return c.file.Fd() }
func (c console) Read([]byte) (int, error) { return 0, io.EOF }
func (c console) Close() error             { return nil }

// outputOf returns the framework's writer for a terminal.
func outputOf(o *output, screen *os.File) io.Writer { return console{o, screen} }

// listenSignals does nothing: the framework finds size changes among the keys.
func (t *Terminal) listenSignals() {}

// hangUp ends a program, which cannot be signaled.
func hangUp(p *os.Process) { p.Kill() }

// ignoreQuit does nothing: there is no such key.
func ignoreQuit() (stop func()) { return func() {} }

// isForeground is true: there are no jobs.
func (t *Terminal) isForeground() bool { return true }

// Suspend does nothing: there are no jobs.
func (t *Terminal) Suspend(context.Context) error { return nil }
