//go:build !unix

package tty

import (
	"context"
	"io"
	"os"
)

// console is an output in which the framework finds the console's modes.
type console struct {
	*output
	file *os.File
}

func (c console) Fd() uintptr              { return c.file.Fd() }
func (c console) Read([]byte) (int, error) { return 0, io.EOF }
func (c console) Close() error             { return nil }

// outputOf returns what the framework writes to for a terminal.
func outputOf(o *output, screen *os.File) io.Writer { return console{o, screen} }

// listen does nothing: the framework finds changes of the size among the keys.
func (t *Terminal) listen() {}

// hangUp ends a program, for there is nothing to tell it.
func hangUp(p *os.Process) { p.Kill() }

// ignoreQuit does nothing: there is no such key.
func ignoreQuit() (stop func()) { return func() {} }

// foreground is true: there are no jobs.
func (t *Terminal) foreground() bool { return true }

// Suspend does nothing: there are no jobs.
func (t *Terminal) Suspend(context.Context) error { return nil }
