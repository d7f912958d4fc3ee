// Package journal stores users' decisions: one file for each project, in the user's own state directory. It is the
// memory of undo, and it delivers requests for changes to the waiting agents, because state files have no field for them.
//
// The file is JSON, one entry a line, and only grows. A decision is entered before the state file is replaced and ended
// after it, so that a process killed in between leaves a trace and never an unknown change:
//
//	{"entry":"begin","id":"20260201T110000.000000Z-7QK3…","prev":"9f86d081…","decision":{"verb":"approve",…}}
//	{"entry":"done","id":"20260201T110000.000000Z-7QK3…","prev":"60303ae2…"}
//
// A decision with a begin and no end was carried out if its file is byte for byte as the entry says: see [Prove].
//
// Each entry has the hash of the line before it, and a file next to the journal has the hash of the newest line:
// [Log.Read] reports a line that was changed, inserted or removed. This shows damage and careless edits. It proves nothing against an attacker who can write the directory.
//
// A directory or file that belongs to another user, or that others may write, is neither read nor written.
//
// Each entry is one write at the end of the file, under the file's lock. Its content comes from state files and from
// people, and is kept verbatim: cleaning is up to the display.
package journal

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
)

const (
	// ReadLimit is how much of the end of the file is read: 4 MiB, thousands of decisions.
	ReadLimit = 4 << 20
	// unfinishedLimit is how much of it is searched for interrupted decisions.
	unfinishedLimit = 64 << 10
	// entryLimit is the longest entry that is made, in bytes.
	entryLimit = 1 << 20
	// nameLimit is the length of the project name in the name of its journal.
	nameLimit = 64
)

// Log is the journal of one project. Its methods may be called from several goroutines, and several processes may write the
// same one.
type Log struct {
	system    *statefile.System
	dir, name string
}

// Open returns the journal of the project at root, an absolute path, in an absolute directory on a system. It
// creates nothing. With the directory "" the journal is empty and every write fails.
func Open(system *statefile.System, dir, root string) *Log {
	sum := sha256.Sum256([]byte(root))
	return &Log{system: system, dir: dir, name: fileName(filepath.Base(root)) + "-" + hex.EncodeToString(sum[:4]) + ".jsonl"}
}

// File returns the path of the journal, whether it exists or not.
func (l *Log) File() string { return filepath.Join(l.dir, l.name) }

// fileName encodes the name of a project for use in a file name on any system.
func fileName(project string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, project)
	return name[:min(len(name), nameLimit)]
}

// The kinds of entries.
const (
	begin    = "begin"    // a decision is about to be carried out
	done     = "done"     // it was carried out
	void     = "void"     // nothing was written
	reported = "reported" // it was handed on to a waiter
)

// entry is a line of the journal.
type entry struct {
	Kind     string          `json:"entry"`
	ID       string          `json:"id"`
	Prev     string          `json:"prev,omitempty"` // hash of the previous line, "" in the first one
	Decision *model.Decision `json:"decision,omitempty"`
}

// Begin enters a decision that is about to be carried out, and returns it with its ID: its time, so that IDs sort by it, and
// something random. When Begin returns, the entry has reached the disk. Bytes that are not UTF-8 are not kept: such a decision can't be undone. With an error, nothing may be carried out.
func (l *Log) Begin(d model.Decision) (model.Decision, error) {
	d.ID = d.At.UTC().Format("20060102T150405.000000Z") + "-" + rand.Text()
	d.Undone, d.Reported, d.Interrupted, d.Overwritten = false, false, false, false
	return d, l.appendEntry(entry{Kind: begin, ID: d.ID, Decision: &d})
}

// End enters the result of a decision: it was carried out, or nothing was written.
func (l *Log) End(id string, carriedOut bool) error {
	if carriedOut {
		return l.appendEntry(entry{Kind: done, ID: id})
	}
	return l.appendEntry(entry{Kind: void, ID: id})
}

// Reported enters that the waiter has received a decision.
func (l *Log) Reported(id string) error { return l.appendEntry(entry{Kind: reported, ID: id}) }

// appendEntry writes an entry at the end of the file, by one call, and creates the file and its directory if needed.
func (l *Log) appendEntry(e entry) error {
	if l.dir == "" {
		return errors.New("there is no place for the journal of decisions; set HOME or XDG_STATE_HOME")
	}
	if text, err := encodeEntry(e); err != nil {
		return l.wrapFault("cannot hold this decision", "report it with what you decided", err)
	} else if len(text) > entryLimit {
		return l.wrapFault("takes no decision", "make its text shorter", errors.New("it is longer than 1 MiB"))
	}
	err := l.system.MakeAll(l.dir, 0o700)
	if err == nil {
		err = l.appendLine(e)
	}
	if err != nil {
		return l.wrapFault("cannot be written", "nothing can be decided before that is fixed", err)
	}
	return nil
}

// encodeEntry returns the line of an entry.
func encodeEntry(e entry) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	err := out.Encode(e)
	return b.Bytes(), err
}

// appendLine writes an entry at the end of the file, chained to the line before it.
func (l *Log) appendLine(e entry) error {
	dir, err := l.system.Open(peek.Resolve(l.dir))
	if err != nil {
		return err
	}
	defer dir.Close()
	f, err := l.openIn(dir, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	f.Lock()
	size, err := l.writeEntry(dir, f, e)
	if err = cmp.Or(err, f.Close()); err == nil && size == 0 {
		dir.Sync() // a failure does not affect the entry, which is already visible
	}
	return err
}

// openIn opens the file of the journal; that and its directory have to be the user's own.
func (l *Log) openIn(dir *statefile.Directory, flag int) (*statefile.File, error) {
	info, err := dir.Lstat(".")
	if err == nil {
		err = checkTrust("its directory", info)
	}
	if err != nil {
		return nil, err
	}
	f, err := dir.OpenFile(l.name, flag, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = checkTrust("it", info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// errDistrusted is the error of a file that other users could have written.
type errDistrusted struct{ text string }

func (e errDistrusted) Error() string { return e.text }

func checkTrust(what string, info fs.FileInfo) error {
	if err := statefile.Trusted(info); err != nil {
		return errDistrusted{what + " " + err.Error()}
	}
	return nil
}

// writeEntry adds the line of an entry to a file, and returns the former size of the file.
func (l *Log) writeEntry(dir *statefile.Directory, f *statefile.File, e entry) (size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size = info.Size()
	tail, err := readTail(f, size)
	if err != nil {
		return size, err
	}
	e.Prev = previousHash(tail, l.readHead(dir))
	text, err := encodeEntry(e)
	if err != nil {
		return size, err
	}
	line := text
	if len(tail) > 0 && tail[len(tail)-1] != '\n' {
		line = append([]byte("\n"), text...) // another writer was stopped in the middle of a line
	}
	if _, err = f.Write(line); err == nil && e.Kind == begin {
		err = f.Sync()
	}
	if err == nil {
		l.setHead(dir, text)
	}
	return size, err
}

// readTail returns the end of the file, with at least one whole line.
func readTail(f *statefile.File, size int64) ([]byte, error) {
	for want := int64(unfinishedLimit); ; want *= 4 {
		from := max(0, size-want)
		tail := make([]byte, size-from)
		if n, err := f.ReadAt(tail, from); err != nil && !(errors.Is(err, io.EOF) && n == len(tail)) {
			return nil, err
		}
		if from == 0 || bytes.ContainsRune(bytes.TrimRight(tail, "\n"), '\n') || want > 4*entryLimit {
			return tail, nil
		}
	}
}

// wrapFault returns an error about the journal.
func (l *Log) wrapFault(text, fix string, err error) error {
	return fmt.Errorf("%s: the journal %s: %w; %s", l.File(), text, err, fix)
}
