// Reading a file through the mirror: from memory while it is unchanged, and
// its last good state while it is broken.

package mirror

import (
	"errors"
	"path"
	"time"

	"gatehouse/parse/disk/peek"
)

// The reasons why a text is not a state file at all, in the words shown to the user.
var (
	// errEmpty is the error of a file without a byte: one that is being
	// written, or was cut off.
	errEmpty = errors.New("the file is empty")
	// errBinary is the error of a file that holds NUL bytes.
	errBinary = errors.New("the file is not text, it holds NUL bytes")
	// errTruncated comes with the content of a file larger than [peek.Limit].
	errTruncated = &Fault{Text: "the file is larger than 8 MiB, so it is not read"}
	// errTooMuch is the error of a file whose values do not fit into the cache, see keptLimit.
	errTooMuch = errors.New("it says too much: what is kept of one project's files is at most 128 MiB; archive what is over")
)

// keptLimit limits the bytes of a project's files whose values are cached. Real projects have some hundred KiB. Each
// parser has to bound the size of its values itself.
const keptLimit = 128 << 20

// Fault is a parse error.
type Fault struct {
	Line, Col int // from 1; 0: not known
	Text      string
	// Minor faults cost a part of the value: the rest is valid. Any other makes the value worthless, and the last good
	// one is shown.
	Minor bool
}

// Error returns the text.
func (f *Fault) Error() string { return f.Text }

func isMinor(err error) bool {
	var f *Fault
	return errors.As(err, &f) && f.Minor
}

// Result is the state of a file, with a value of the parsed type.
type Result[T any] struct {
	// Value is the content of the file. With Held it is the last good content. Otherwise, with Err, it is the usable
	// part.
	Value T
	// Exists is false when there is no such file; everything else is zero then.
	Exists bool
	Held   bool
	Err    error // why the file, or a part of it, could not be read
	Size   int64
	// ModTime is the file's modification time.
	ModTime time.Time
}

// Read returns the content of a file, parsed by parse, which gets the text and may return an error with a value, a
// [*Fault] if it knows the position. Its result must depend on the text alone. The path is relative to the root,
// separated by "/". A path may be parsed into several types, each cached, but into one type always by the same
// function; all of them come from the same bytes, which are read from disk once (see [Mirror.Sweep]).
//
// When reading or parse fails by more than a minor fault, and the file was good before, the result holds the earlier
// value.
func Read[T any](m *Mirror, rel string, parse func(text string) (T, error)) Result[T] {
	rel = path.Clean(rel)
	entry, exists := m.Stat(rel)
	if !exists {
		return Result[T]{}
	}
	f := m.cachedFile(rel)
	f.mu.Lock()
	defer f.mu.Unlock()
	v, c := valueOf[T](f), f.held
	if !f.isFresh(entry) || v.version != f.version && !f.holds {
		c = m.loadFile(f, rel, entry)
	}
	if v.version != f.version {
		v.makeValue(m, f, c, parse)
	}
	r := v.last
	r.Exists, r.Size, r.ModTime = true, entry.Size, entry.ModTime
	return r
}

// makeValue recomputes the value from the content of the file.
func (v *value[T]) makeValue(m *Mirror, f *file, c content, parse func(text string) (T, error)) {
	r := Result[T]{Err: c.err}
	size, room := 0, true
	switch {
	case c.err != nil:
	case c.truncated:
		r.Err = errTruncated
	default:
		r.Value, r.Err = parse(c.text)
		size = len(c.text)
	}
	switch {
	case v.good && !isWhole(r.Err): // its value will not be kept
	case m.chargeBytes(f, size-v.size):
		v.size = size
	default:
		var none T
		r.Value, r.Err = none, errTooMuch
		room = false
	}
	if isWhole(r.Err) {
		v.lastGood, v.good = r.Value, true
	} else if v.good {
		r.Value, r.Held = v.lastGood, true
	}
	// Last, so that a parse function that panics is asked again.
	v.last, v.version = r, f.version
	if !room {
		f.unread, f.digest = true, 0 // it is made again once there may be room
	}
}

// isWhole reports whether a file was good except for minor faults.
func isWhole(err error) bool { return err == nil || isMinor(err) }

// Text reads the current text of a file from disk.
func (m *Mirror) Text(rel string) (string, error) {
	rel = path.Clean(rel)
	entry, exists := m.Stat(rel)
	if !exists {
		return "", peek.ErrNotExist
	}
	c := m.fetchText(rel, entry)
	switch {
	case c.err != nil:
		return "", c.err
	case c.truncated:
		return c.text, errTruncated
	}
	return c.text, nil
}
