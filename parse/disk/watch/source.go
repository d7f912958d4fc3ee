// This file is the interface to fsnotify: the parts that the watcher needs, and the meaning of its errors.

package watch

import (
	"errors"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// A source sends an event when an entry of a directory added to it changes. Tests put their own in place of fsnotify.
type source interface {
	Add(dir string) error
	Remove(dir string) error
	Events() <-chan fsnotify.Event
	Errors() <-chan error
	Close() error
}

type fsnotifySource struct{ *fsnotify.Watcher }

func (s fsnotifySource) Events() <-chan fsnotify.Event { return s.Watcher.Events }
func (s fsnotifySource) Errors() <-chan error          { return s.Watcher.Errors }

func openFsnotify() (source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return fsnotifySource{w}, nil
}

// isExhausted reports whether the system has no further watches or file descriptors to give.
func isExhausted(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}
