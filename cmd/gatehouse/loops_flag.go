package main

// The flag that says where definitions of loops are.

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// loopsFlag is the value of --loops: it may be given several times, and goes before what the environment names.
type loopsFlag struct{ s *env }

// Set implements the flag's interface.
func (f loopsFlag) Set(dir string) error {
	if dir == "" {
		return usageError{errors.New("--loops: the name of a directory is empty; write . for this one")}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return usageError{err}
	}
	u := &f.s.user
	u.Loops = slices.Insert(u.Loops, f.s.loops, abs)
	f.s.loops++
	return nil
}

func (f loopsFlag) String() string {
	if f.s == nil {
		return ""
	}
	return strings.Join(f.s.user.Loops[:f.s.loops], string(filepath.ListSeparator))
}

// Type implements the flag's interface.
func (f loopsFlag) Type() string { return "directory" }
