// Reading a file through the mirror: from memory while it is unchanged, and
// its last good state while it is broken.

package mirror

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"reflect"
	"strings"
	"sync"
	"time"

	"gatehouse/parse/disk/peek"
)

// The ways in which a text can be no state file at all, in the words shown to
// the user.
var (
	// ErrEmpty is the error of a file without a byte: one that is being
	// written, or was cut off.
	ErrEmpty = errors.New("the file is empty")
	// ErrBinary is the error of a file that holds NUL bytes.
	ErrBinary = errors.New("the file is not text, it holds NUL bytes")
	// ErrTruncated is the error beside what was read of a file that is larger
	// than [peek.Limit].
	ErrTruncated = &Fault{Text: "the file is larger than 8 MiB, only its beginning is read", Minor: true}
	// ErrTooDense is the error of a file that would take more than valueLimit
	// in memory.
	ErrTooDense = errors.New("it holds more than 16 MiB of entries, which no state file does")
	// ErrTooMuch is the error of a file that says too much to be kept beside
	// all others, see keptLimit.
	ErrTooMuch = errors.New("it says too much: what is kept of one project's files is at most 128 MiB; archive what is over")
)

// How many bytes are kept of what the files of a project say, as [footprint]
// counts them. Real projects have some hundred KiB.
const (
	keptLimit  = 128 << 20
	valueLimit = 16 << 20 // of one file: twice of what is read of it, and nothing like what its text could be made into
)

// Fault is what a parse function says is wrong with a text.
type Fault struct {
	Line, Col int // from 1; 0: not known
	Text      string
	// Minor faults cost a part of the value: what else was read stands. Any
	// other makes the value worthless, and the last good one is shown.
	Minor bool
}

// Error returns the text.
func (f *Fault) Error() string { return f.Text }

func minor(err error) bool {
	var f *Fault
	return errors.As(err, &f) && f.Minor
}

// Result is what is known of a file, as a value of the type it is parsed into.
type Result[T any] struct {
	// Value is what the file says. With Held it is what the file said when it
	// could last be read. Otherwise, with Err, it is what could be made of it.
	Value T
	// Exists is false when there is no such file; everything else is zero then.
	Exists bool
	Held   bool
	Err    error // why the file, or a part of it, could not be read
	Size   int64
	// ModTime is the file's modification time.
	ModTime time.Time
}

// Read returns what a file says, parsed by parse, which gets the text and may
// return an error beside a value, a [*Fault] where it knows the place. The path
// is relative to the root, separated by "/". A path may be parsed into several
// types, each of which is kept, but into one type always by the same function.
//
// When reading or parse fails by more than a minor fault, and the file was good
// before, the result holds the value from then.
func Read[T any](m *Mirror, rel string, parse func(text string) (T, error)) Result[T] {
	rel = path.Clean(rel)
	entry, exists := m.Stat(rel)
	if !exists {
		return Result[T]{}
	}
	f := m.file(rel, reflect.TypeFor[T]())
	f.mu.Lock()
	defer f.mu.Unlock()
	if last, ok := f.last.(*Result[T]); ok && f.fresh(entry) {
		return *last
	}
	readAt := time.Now()
	text, truncated, err := m.load(rel, entry)
	unread := err != nil
	if err == nil {
		err = textual(text)
	}
	r := &Result[T]{Exists: true, Size: entry.Size, ModTime: entry.ModTime, Err: err}
	size := 0
	if err == nil {
		r.Value, r.Err = parse(text)
		if r.Err == nil && truncated {
			r.Err = ErrTruncated
		}
		size = footprint(r.Value, text)
	}
	good, held := f.good.(T)
	switch {
	case size > valueLimit:
		r.leaveOut(ErrTooDense)
	case held && !whole(r.Err): // its value will not be kept
	case !m.charge(f, size):
		r.leaveOut(ErrTooMuch)
		unread = true // until there is room
	}
	if whole(r.Err) {
		f.good = r.Value
	} else if held {
		r.Value, r.Held = good, true
	}
	// Last, so that a parse function that panics is asked again.
	f.stamp, f.readAt, f.dirty, f.unread, f.last = entry.info, readAt, false, unread, r
	return *r
}

// whole reports whether a file was good but for what a minor fault has cost.
func whole(err error) bool { return err == nil || minor(err) }

// leaveOut makes the result one without a value.
func (r *Result[T]) leaveOut(because error) {
	var none T
	r.Value, r.Err = none, because
}

// charge has a file keep so many bytes from now on, and reports whether there is room for them.
func (m *Mirror) charge(f *file, size int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bytes-f.size+size > keptLimit {
		return false
	}
	m.bytes += size - f.size
	f.size = size
	return true
}

// file is one file as last read into a type.
type file struct {
	as reflect.Type

	mu     sync.Mutex
	stamp  fs.FileInfo
	readAt time.Time
	dirty  bool // somebody said it changed: read it again whatever its stamp says
	unread bool // it could not be read, which need not be the fault of what the stamp tells
	last   any  // a *Result[T]
	good   any  // a T that was read without an error, nil if there never was one

	size  int    // bytes that are kept of it; guarded by the mirror, as is
	asked uint64 // the round in which it was asked for last
}

// file returns what is known of a file as a type, at first nothing.
func (m *Mirror) file(rel string, as reflect.Type) *file {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.files[rel] {
		if f.as == as {
			f.asked = m.round
			return f
		}
	}
	f := &file{as: as, asked: m.round}
	m.files[strings.Clone(rel)] = append(m.files[rel], f) // a path may be cut out of a file
	return f
}

// load reads the text of a file from disk.
func (m *Mirror) load(rel string, entry Entry) (text string, truncated bool, err error) {
	if entry.refused != nil {
		return "", false, entry.refused
	}
	m.reads.Add(1)
	room := min(entry.Size, peek.Limit) + 1
	text, truncated, err = peek.ReadFile(m.abs(rel), cmp.Or(entry.within, m.root), make([]byte, room), peek.Limit)
	if int64(len(text)) < room/2 { // it was longer when it was looked at, and would keep all that room
		text = strings.Clone(text)
	}
	return text, truncated, err
}

// textual returns what keeps a text from being a state file's.
func textual(text string) error {
	switch {
	case text == "":
		return ErrEmpty
	case strings.IndexByte(text, 0) >= 0:
		return ErrBinary
	}
	return nil
}

// Text returns the text of a file as it is on disk now, read anew.
func (m *Mirror) Text(rel string) (string, error) {
	rel = path.Clean(rel)
	entry, exists := m.Stat(rel)
	if !exists {
		return "", peek.ErrNotExist
	}
	text, truncated, err := m.load(rel, entry)
	if err == nil {
		err = textual(text)
	}
	switch {
	case err != nil:
		return "", err
	case truncated:
		return text, ErrTruncated
	}
	return text, nil
}

// fresh reports whether what was read of a file still holds.
func (f *file) fresh(e Entry) bool {
	switch {
	case f.dirty || f.stamp == nil || e.info == nil:
		return false
	case f.stamp == e.info:
		return true // the directory was not even listed again
	case f.unread:
		return false
	}
	return f.stamp.Size() == e.info.Size() && f.stamp.ModTime().Equal(e.info.ModTime()) && f.stamp.Mode() == e.info.Mode() &&
		os.SameFile(f.stamp, e.info) && f.readAt.Sub(e.info.ModTime()) > racy
}
