// The state of one file: its bytes, read once and held while a reading lasts, and the values parsed from them.

package mirror

import (
	"cmp"
	"hash/maphash"
	"strings"
	"sync"
	"time"

	"gatehouse/parse/disk/peek"
)

// textsLimit is how many bytes of texts are held while a reading lasts. Files beyond it are read again for each type
// that they are parsed into.
const textsLimit = 2 * peek.Limit

// racy is how soon after its modification a file may be read for an unchanged
// time still to prove unchanged content: kernels stamp files by a clock that
// ticks every 1 to 10 ms. (Coarser stamps, as on FAT, are made up for by the
// watcher, which names the path.)
const racy = 20 * time.Millisecond

// file is the last read state of one file, with its parsed values.
type file struct {
	mu      sync.Mutex
	seen    Entry // as it was listed when it was read
	readAt  time.Time
	dirty   bool   // a change was reported: read it again even if the listing is unchanged
	unread  bool   // it could not be read or kept, possibly for reasons that a listing does not show
	version uint64 // counts the contents that it had; 0: it was never read
	digest  uint64 // of the content; 0: not known
	holds   bool   // its text is held until the reading is over
	held    content
	values  []any // a *value for each type that was asked for

	size  int    // bytes that are kept of the values; guarded by the mirror, like the fields below
	asked uint64 // the round of the last request
}

// content is the result of reading a file.
type content struct {
	text      string // "" with an error
	truncated bool
	err       error
	unread    bool // the error is not one of the text
}

// value is the parsed value of a file.
type value[T any] struct {
	version  uint64 // of the file
	last     Result[T]
	lastGood T
	good     bool // lastGood is set
	size     int  // bytes that are kept of it
}

// valueOf returns the value of a file for a type, at first an empty one.
func valueOf[T any](f *file) *value[T] {
	for _, known := range f.values {
		if v, ok := known.(*value[T]); ok {
			return v
		}
	}
	v := &value[T]{}
	f.values = append(f.values, v)
	return v
}

// cachedFile returns the state of a file, initially empty.
func (m *Mirror) cachedFile(rel string) *file {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[rel]
	if f == nil {
		f = &file{}
		m.files[strings.Clone(rel)] = f // a path may be cut out of a file
	}
	f.asked = m.round
	return f
}

// loadFile reads a file from disk, and holds its text while the reading lasts, if there is room.
func (m *Mirror) loadFile(f *file, rel string, entry Entry) content {
	readAt := time.Now()
	c := m.fetchText(rel, entry)
	var digest uint64
	if c.err == nil {
		digest = maphash.String(m.seed, c.text) | 1
	}
	if digest == 0 || digest != f.digest || c.truncated {
		f.version++
	}
	f.seen, f.readAt, f.dirty, f.unread, f.digest = entry, readAt, false, c.unread, digest
	f.held, f.holds = content{}, m.holdText(len(c.text))
	if f.holds {
		f.held = c
	}
	return c
}

// holdText counts the bytes of a text as held until the reading ends, and reports whether there is room for them.
func (m *Mirror) holdText(size int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.texts+size > textsLimit {
		return false
	}
	m.texts += size
	return true
}

// chargeBytes adds to the bytes that a file keeps, and reports whether there is room for them.
func (m *Mirror) chargeBytes(f *file, more int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bytes+more > m.most.kept {
		return false
	}
	m.bytes += more
	f.size += more
	return true
}

// fetchText reads the text of a file from disk.
func (m *Mirror) fetchText(rel string, entry Entry) content {
	if entry.refused != nil {
		return content{err: entry.refused, unread: true}
	}
	m.reads.Add(1)
	text, truncated, err := peek.ReadFile(m.absPath(rel), cmp.Or(entry.within, m.root), peek.Limit)
	if err != nil {
		return content{err: err, unread: true}
	}
	if err := checkText(text); err != nil {
		return content{err: err}
	}
	return content{text: text, truncated: truncated}
}

// checkText returns the reason why a text can't be a state file.
func checkText(text string) error {
	switch {
	case text == "":
		return errEmpty
	case strings.IndexByte(text, 0) >= 0:
		return errBinary
	}
	return nil
}

// isFresh reports whether the read content of a file is up to date.
func (f *file) isFresh(e Entry) bool {
	switch {
	case f.dirty || f.seen.listing == 0 || e.listing == 0:
		return false
	case f.seen.listing == e.listing:
		return true // the directory was not even listed again
	case f.unread:
		return false
	}
	return e.isSame(f.seen) && f.readAt.Sub(e.ModTime) > racy
}
