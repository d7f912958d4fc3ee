// Reading the journal: entries become decisions with results.

package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"gatehouse/model"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/statefile"
)

// Read returns the decisions, newest first, with their results, and without those that wrote nothing. If a journal
// exceeds 4 MiB it reads the newest part. A decision in progress counts as interrupted: only the state file can tell
// the two apart, see [Prove].
//
// Without a journal there are no decisions. An error may come with a partial result; an unfinished last line is not an
// error.
func (l *Log) Read() ([]model.Decision, error) {
	if l.dir == "" {
		return nil, nil
	}
	text, all, head, err := l.newestText(ReadLimit)
	if errors.Is(err, fs.ErrNotExist) {
		if head == "" {
			return nil, nil
		}
		return nil, l.wrapFault("is gone", "put it back; if you removed it yourself, remove "+l.headName()+", too", errors.New("there were decisions in it"))
	}
	var distrusted errDistrusted
	switch {
	case errors.As(err, &distrusted):
		return nil, l.wrapFault("is not read", "nothing can be decided until that is fixed", err)
	case errors.Is(err, errNoEntries):
		err = l.wrapFault("is damaged", "cut off what is no entry; decisions made before are not known", err)
	case err != nil:
		err = l.wrapFault("cannot be read", "check its permissions; decisions made before are not known", err)
	}
	b, bad := readBook(text)
	if bad > 0 && err == nil {
		err = l.wrapFault("is damaged", "the others are read; remove what is no entry", fmt.Errorf("%d of its lines cannot be read", bad))
	}
	if gap := findBreak(text, all, head); gap != "" && err == nil {
		err = l.wrapFault("is damaged or was changed by hand", "do not rely on what it says of earlier decisions", errors.New(gap))
	}
	return b.listDecisions(), err
}

// Unfinished returns the latest decisions without an end, newest first. It is a fast check before a new decision: it
// looks at the last 64 KiB.
func (l *Log) Unfinished() []model.Decision {
	if l.dir == "" {
		return nil
	}
	text, _, _, _ := l.newestText(unfinishedLimit) // read errors show again when the decision is entered
	ended, b := map[string]bool{}, book{}
	for _, line := range slices.Backward(bytes.Split(text, []byte("\n"))) {
		switch kind, id := entryHead(line); {
		case kind == done || kind == void:
			ended[id] = true
		case kind == begin && !ended[id]:
			b.enterLine(line)
		}
	}
	slices.Reverse(b.begun)
	return b.listDecisions()
}

// entryHead returns the kind of an entry and the ID of its decision, without parsing the rest.
func entryHead(line []byte) (kind, id string) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"entry":"`))
	k, rest, _ := bytes.Cut(rest, []byte(`","id":"`))
	i, _, found := bytes.Cut(rest, []byte(`"`))
	if !ok || !found || !bytes.HasSuffix(bytes.TrimSpace(line), []byte("}")) { // or only its beginning was written
		return "", ""
	}
	return string(k), string(i)
}

// errNoEntries is the error for a file that ends in one line longer than any entry, such as blocks of zeros after a
// power failure.
var errNoEntries = errors.New("its end holds no entries")

// newestText returns the last lines of the file, as many as a number of bytes allows, whether those are all, and the hash of
// the newest one.
func (l *Log) newestText(limit int64) (text []byte, all bool, head string, err error) {
	dir, err := l.system.Open(peek.Resolve(l.dir))
	if err != nil {
		return nil, false, "", err
	}
	defer dir.Close()
	head = l.readHead(dir)
	f, err := l.openIn(dir, os.O_RDONLY)
	if err != nil {
		return nil, false, head, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false, head, err
	}
	from := max(0, info.Size()-limit)
	text, err = io.ReadAll(io.NewSectionReader(f, from, limit))
	if from > 0 {
		var whole bool
		_, text, whole = bytes.Cut(text, []byte("\n")) // the rest of a line that began before
		if !whole && err == nil {
			err = errNoEntries
		}
	}
	return text, from == 0, head, err
}

// book is the combined content of the entries.
type book struct {
	begun  []model.Decision  // in the order of the file
	ends   map[string]string // ID → done or void
	handed map[string]bool   // IDs of those that were handed on
}

// readBook reads the lines of a journal, and counts those that are no entries.
func readBook(text []byte) (b book, bad int) {
	b = book{ends: map[string]string{}, handed: map[string]bool{}}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !b.enterLine(line) {
			bad++
		}
	}
	return b, bad
}

// enterLine adds a line, and reports whether it is an entry, known or not, or the beginning of one, as an interrupted
// writer leaves it. The decision of a partial line was never carried out.
func (b *book) enterLine(line []byte) bool {
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		cut := json.NewDecoder(bytes.NewReader(line)).Decode(&e)
		return errors.Is(cut, io.ErrUnexpectedEOF)
	}
	switch e.Kind {
	case begin:
		if e.Decision == nil {
			return false
		}
		d := *e.Decision
		d.ID = e.ID
		b.begun = append(b.begun, d)
	case done, void:
		b.ends[e.ID] = e.Kind
	case reported:
		b.handed[e.ID] = true
	}
	return true
}

// listDecisions returns the decisions, newest first.
func (b *book) listDecisions() []model.Decision {
	var newest []model.Decision
	for _, d := range slices.Backward(b.begun) {
		end := b.ends[d.ID]
		if end == void {
			continue
		}
		d.Interrupted = end == ""
		d.Reported = b.handed[d.ID]
		newest = append(newest, d)
	}
	markUndone(newest)
	return newest
}

// markUndone marks the decisions that later ones undo, if those were carried out and not undone themselves.
func markUndone(newest []model.Decision) {
	undone := map[string]bool{}
	for i := range newest {
		d := &newest[i]
		d.Undone = undone[d.ID]
		if !d.Interrupted && !d.Undone && d.Undoes != "" {
			undone[d.Undoes] = true
		}
	}
}

// Prove returns the decisions of a journal, newest first, after resolving interrupted ones: such a decision was carried
// out if its file is byte for byte as the entry says, or was so at a later decision. hash returns the current hash of a
// file of the project, "" if it can't be read; it is called only for interrupted decisions.
func Prove(newest []model.Decision, hash func(file string) string) []model.Decision {
	type state struct{ file, hash string }
	seen := map[state]bool{} // by later decisions
	proven := slices.Clone(newest)
	for i := range proven {
		d := &proven[i]
		if d.Interrupted && (seen[state{d.File, d.After}] || hash(d.File) == d.After) {
			d.Interrupted = false
		}
		seen[state{d.File, d.Before}] = true
	}
	markUndone(proven)
	return proven
}

// All returns the journals in a directory, by name, on a system as in [Open]. A missing directory has none.
func All(system *statefile.System, dir string) ([]*Log, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		err = fmt.Errorf("%s: the journals cannot be listed: %w; check the permissions of the directory", dir, statefile.Cause(err))
	}
	var all []*Log
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".jsonl" {
			all = append(all, &Log{system: system, dir: dir, name: e.Name()})
		}
	}
	return all, err
}
