// Reading a file through the mirror: from memory while it is unchanged, and
// its last good state while it is broken.

package mirror

import (
	"errors"
	"os"
	"path"
	"strings"
	"time"

	"gatehouse/parse/peek"
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
// is relative to the root, separated by "/". A path must always be read with
// the same parse function.
//
// When reading or parse fails by more than a minor fault, and the file was good
// before, the result holds the value from then.
func Read[T any](m *Mirror, rel string, parse func(text string) (T, error)) Result[T] {
	rel = path.Clean(rel)
	entry, exists := m.Stat(rel)
	m.mu.Lock()
	if !exists {
		delete(m.files, rel)
		m.mu.Unlock()
		return Result[T]{}
	}
	f := m.files[rel]
	if f == nil {
		f = &file{}
		m.files[rel] = f
	}
	m.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if last, ok := f.last.(*Result[T]); ok && f.fresh(entry) {
		return *last
	}
	f.stamp, f.readAt, f.dirty = entry.info, time.Now(), false
	m.reads.Add(1)
	r := &Result[T]{Exists: true, Size: entry.Size, ModTime: entry.ModTime}
	r.Value, r.Err = readFile(m, rel, entry, parse)
	if r.Err == nil || minor(r.Err) {
		f.good = r.Value
	} else if good, ok := f.good.(T); ok {
		r.Value, r.Held = good, true
	}
	f.last = r
	return *r
}

func readFile[T any](m *Mirror, rel string, entry Entry, parse func(string) (T, error)) (value T, err error) {
	if entry.refused != nil {
		return value, entry.refused
	}
	text, truncated, err := peek.ReadFile(m.abs(rel), m.linkRoot(), make([]byte, min(entry.Size, peek.Limit)+1), peek.Limit)
	switch {
	case err != nil:
		return value, err
	case len(text) == 0:
		return value, ErrEmpty
	case strings.IndexByte(text, 0) >= 0:
		return value, ErrBinary
	}
	value, err = parse(text)
	if err == nil && truncated {
		err = ErrTruncated
	}
	return value, err
}

// Text returns the text of a file as it is on disk now, read anew.
func (m *Mirror) Text(rel string) (string, error) {
	rel = path.Clean(rel)
	entry, exists := m.Stat(rel)
	if !exists {
		return "", peek.ErrNotExist
	}
	return readFile(m, rel, entry, func(text string) (string, error) { return text, nil })
}

// fresh reports whether what was read of a file still holds.
func (f *file) fresh(e Entry) bool {
	if f.dirty || f.stamp == nil {
		return false
	}
	if f.stamp == e.info {
		return true // the directory was not even listed again
	}
	return f.stamp.Size() == e.info.Size() && f.stamp.ModTime().Equal(e.info.ModTime()) && os.SameFile(f.stamp, e.info) &&
		f.readAt.Sub(e.info.ModTime()) > racy
}

// linkRoot returns the directory that links to files may not leave.
func (m *Mirror) linkRoot() string {
	if len(m.inside) == 0 {
		return m.root
	}
	return m.inside[0]
}
