// Package faults makes systems for tests of writes: at a chosen call such a system fails, or its process appears to be killed, as far as
// the files show.
package faults

import (
	"errors"
	"io/fs"
	"sync"

	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
)

// ErrKilled is the result of every call of a killed process, which can't see it. Such a call does nothing.
var ErrKilled = errors.New("this process was killed")

// The names of calls, as passed to a step. A write is made in two halves, with a step before each.
const (
	OpenDir  = "open directory"
	MakeAll  = "make directories"
	Open     = "open"
	Create   = "create"
	Write    = "write"
	WriteOn  = "write on"
	Chmod    = "chmod"
	Chown    = "chown"
	Sync     = "sync"
	Close    = "close"
	Link     = "link"
	Rename   = "rename"
	Exchange = "exchange names"
	Remove   = "remove"
	SyncDir  = "sync directory"
)

// Changing reports whether a call changes something on disk, or waits until a change has reached it.
func Changing(call string) bool {
	return call != OpenDir && call != Open && call != Close
}

// Gone returns the ID of a process that has ended: no system assigns such an ID.
func Gone() process.ID {
	return process.ID{PID: 1<<22 + 1, Host: process.System{}.Self().Host}
}

// Stepping returns a system with steps that run before each call. If one returns an error, the call returns it and does nothing else.
func Stepping(steps ...func(call string) error) *statefile.System {
	return &statefile.System{Do: func(call string, do func() error) error {
		for _, step := range steps {
			if err := step(call); err != nil {
				return err
			}
		}
		return do()
	}}
}

// At returns a system on which the nth call that changes something, from 1, fails with an error; with [ErrKilled] the process
// is killed there. For all other processes it has ended. Hit returns the name of that call, "" if it was not reached. Further steps
// run before each call.
func At(n int, err error, further ...func(call string) error) (s *statefile.System, hit func() string) {
	var mu sync.Mutex
	var what string
	dead := false
	s = Stepping(append([]func(string) error{func(call string) error {
		mu.Lock()
		defer mu.Unlock()
		if dead {
			return ErrKilled
		}
		if !Changing(call) {
			return nil
		}
		if n--; n != 0 {
			return nil
		}
		what, dead = call, err == ErrKilled
		if dead {
			return err
		}
		return &fs.PathError{Op: call, Path: "x", Err: err}
	}}, further...)...)
	s.As = Gone()
	return s, func() string {
		mu.Lock()
		defer mu.Unlock()
		return what
	}
}
