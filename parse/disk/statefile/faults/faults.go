// Package faults is an operating system for tests of writes: at a chosen call it fails, or the process is killed, as
// far as files can show.
package faults

import (
	"errors"
	"io/fs"
	"os"
	"sync"

	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
)

// ErrKilled is the result of every call of a killed process, which can't see it. Such a call does nothing.
var ErrKilled = errors.New("this process was killed")

// The names of calls, as they are given to a step. A write is made in two halves, with a call before each.
const (
	OpenDir   = "open directory"
	MakeAll   = "make directories"
	Open      = "open"
	Create    = "create"
	Write     = "write"
	WriteOn   = "write on"
	Chmod     = "chmod"
	Chown     = "chown"
	SetAttr   = "set attribute"
	DropAttr  = "remove attribute"
	Sync      = "sync"
	Close     = "close"
	Link      = "link"
	Rename    = "rename"
	RenameNew = "rename to a new name"
	Exchange  = "exchange names"
	Remove    = "remove"
	Mkdir     = "make directory"
	SyncDir   = "sync directory"
)

// Changing reports whether a call changes something on disk, or sees to it that a change has got there.
func Changing(call string) bool {
	return call != OpenDir && call != Open && call != Close
}

// System is the operating system of a process with a step that runs before each call. If the step returns an error, the
// call returns it and does nothing else.
type System struct {
	Step func(call string) error
	// As is the process that writes; without a PID it is the test.
	As process.ID
}

// Gone is a process that has ended: no system gives such an ID.
func Gone() process.ID {
	return process.ID{PID: 1<<22 + 1, Host: statefile.OS{}.Self().Host}
}

// At returns a system on which the nth call that changes something, from 1, fails with an error; with [ErrKilled] the process
// is killed there. To all others the process has ended. Hit returns which call that was, "" as long as there was none.
func At(n int, err error) (s *System, hit func() string) {
	var mu sync.Mutex
	var what string
	dead := false
	s = &System{As: Gone()}
	s.Step = func(call string) error {
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
	}
	return s, func() string {
		mu.Lock()
		defer mu.Unlock()
		return what
	}
}

// Self implements [statefile.System].
func (s *System) Self() process.ID {
	if s.As.PID != 0 {
		return s.As
	}
	return statefile.OS{}.Self()
}

// Look implements [statefile.System].
func (s *System) Look(pid int) (process.Info, bool) { return statefile.OS{}.Look(pid) }

// MakeAll implements [statefile.System].
func (s *System) MakeAll(dir string, perm fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil // nothing is asked to change
	}
	return s.try(MakeAll, func() error { return statefile.OS{}.MakeAll(dir, perm) })
}

// Open implements [statefile.System].
func (s *System) Open(dir string) (statefile.Directory, error) {
	if err := s.Step(OpenDir); err != nil {
		return nil, err
	}
	d, err := statefile.OS{}.Open(dir)
	if err != nil {
		return nil, err
	}
	return directory{d, s}, nil
}

func (s *System) try(call string, do func() error) error {
	if err := s.Step(call); err != nil {
		return err
	}
	return do()
}

type directory struct {
	statefile.Directory
	s *System
}

func (d directory) OpenFile(name string, flag int, perm fs.FileMode) (statefile.File, error) {
	call := Open
	if flag&os.O_CREATE != 0 {
		call = Create
	}
	if err := d.s.Step(call); err != nil {
		return nil, err
	}
	f, err := d.Directory.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return file{f, d.s}, nil
}

func (d directory) Link(old, new string) error {
	return d.s.try(Link, func() error { return d.Directory.Link(old, new) })
}

func (d directory) Rename(old, new string) error {
	return d.s.try(Rename, func() error { return d.Directory.Rename(old, new) })
}

func (d directory) RenameNew(old, new string) error {
	return d.s.try(RenameNew, func() error { return d.Directory.RenameNew(old, new) })
}

func (d directory) Exchange(one, other string) error {
	return d.s.try(Exchange, func() error { return d.Directory.Exchange(one, other) })
}

func (d directory) Remove(name string) error {
	return d.s.try(Remove, func() error { return d.Directory.Remove(name) })
}

func (d directory) Mkdir(name string, perm fs.FileMode) error {
	return d.s.try(Mkdir, func() error { return d.Directory.Mkdir(name, perm) })
}

func (d directory) Sync() error { return d.s.try(SyncDir, d.Directory.Sync) }

type file struct {
	statefile.File
	s *System
}

func (f file) Write(b []byte) (int, error) {
	if err := f.s.Step(Write); err != nil {
		return 0, err
	}
	n, err := f.File.Write(b[:len(b)/2])
	if err == nil {
		err = f.s.Step(WriteOn)
	}
	if err != nil {
		return n, err
	}
	m, err := f.File.Write(b[n:])
	return n + m, err
}

func (f file) Chmod(mode fs.FileMode) error {
	return f.s.try(Chmod, func() error { return f.File.Chmod(mode) })
}

func (f file) Chown(uid, gid int) error {
	return f.s.try(Chown, func() error { return f.File.Chown(uid, gid) })
}

func (f file) SetAttribute(name, value string) error {
	return f.s.try(SetAttr, func() error { return f.File.SetAttribute(name, value) })
}

func (f file) RemoveAttribute(name string) error {
	return f.s.try(DropAttr, func() error { return f.File.RemoveAttribute(name) })
}

func (f file) Sync() error { return f.s.try(Sync, f.File.Sync) }

func (f file) Close() error {
	err := f.File.Close()
	if err := f.s.Step(Close); err != nil {
		return err
	}
	return err
}
