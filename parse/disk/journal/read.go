// Reading the journal: entries become decisions, and what became of them.

package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"gatehouse/model"
	"gatehouse/parse/disk/process"
)

// Read returns the decisions, newest first, with what became of each, and without those of which nothing was written. Of a
// journal beyond 4 MiB it reads the newest part. A decision that is being carried out at this moment counts as interrupted:
// nothing tells the two apart but the state file, see [Prove].
//
// Where there is no journal there are no decisions. An error comes beside what could be read; a last line that was never
// finished is none.
func (l *Log) Read() ([]model.Decision, error) {
	if l.dir == "" {
		return nil, nil
	}
	text, all, head, err := l.newest(ReadLimit)
	if errors.Is(err, fs.ErrNotExist) {
		if head == "" {
			return nil, nil
		}
		return nil, l.fault("is gone", "put it back; if you removed it yourself, remove "+l.headName()+", too", errors.New("there were decisions in it"))
	}
	var distrusted errDistrusted
	switch {
	case errors.As(err, &distrusted):
		return nil, l.fault("is not read", "nothing can be decided until that is fixed", err)
	case errors.Is(err, errNoEntries):
		err = l.fault("is damaged", "cut off what is no entry; decisions made before are not known", err)
	case err != nil:
		err = l.fault("cannot be read", "check its permissions; decisions made before are not known", err)
	}
	b := book{ends: map[string]string{}, handed: map[string]entry{}}
	bad := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !b.enter(line) {
			bad++
		}
	}
	if bad > 0 && err == nil {
		err = l.fault("is damaged", "the others are read; remove what is no entry", fmt.Errorf("%d of its lines cannot be read", bad))
	}
	if gap := broken(text, all, head); gap != "" && err == nil {
		err = l.fault("is damaged or was changed by hand", "do not rely on what it says of earlier decisions", errors.New(gap))
	}
	return b.decisions(l.system), err
}

// Unfinished returns the decisions that were begun last and not ended, the newest first. It is for whoever is about to
// decide, who has no time to read the whole: it looks at the last 64 KiB.
func (l *Log) Unfinished() []model.Decision {
	if l.dir == "" {
		return nil
	}
	text, _, _, _ := l.newest(unfinishedLimit) // what can't be read is met again when the decision is entered
	ended := map[string]bool{}
	b := book{}
	for _, line := range slices.Backward(bytes.Split(text, []byte("\n"))) {
		switch kind, id := head(line); {
		case kind == done || kind == void:
			ended[id] = true
		case kind == begin && !ended[id]:
			b.enter(line)
		}
	}
	slices.Reverse(b.begun)
	return b.decisions(l.system)
}

// head returns what an entry is and about which decision, without reading the rest.
func head(line []byte) (kind, id string) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"entry":"`))
	k, rest, _ := bytes.Cut(rest, []byte(`","id":"`))
	i, _, found := bytes.Cut(rest, []byte(`"`))
	if !ok || !found || !bytes.HasSuffix(bytes.TrimSpace(line), []byte("}")) { // or only its beginning was written
		return "", ""
	}
	return string(k), string(i)
}

// errNoEntries is said of a file whose end is one line that no entry is as long as, such as blocks of zeros after a power failure.
var errNoEntries = errors.New("its end holds no entries")

// newest returns the last lines of the file, as many as a number of bytes allows, whether those are all, and the hash of
// the newest one.
func (l *Log) newest(limit int64) (text []byte, all bool, head string, err error) {
	dir, err := l.system.Open(l.place())
	if err != nil {
		return nil, false, "", err
	}
	defer dir.Close()
	head = readHead(dir, l.headName())
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

// book is what the entries say, taken together.
type book struct {
	begun  []model.Decision  // in the order of the file
	ends   map[string]string // ID → done or void
	handed map[string]entry  // ID → the last entry about whether it was handed on
}

// enter takes in a line, and reports whether it is an entry, of a known kind or not, or the beginning of one, as whoever is
// stopped while writing leaves it: what such a line would have said was never carried out.
func (b *book) enter(line []byte) bool {
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
		if len(e.Bytes) == len(d.Spans) {
			for i, texts := range e.Bytes {
				d.Spans[i].Old, d.Spans[i].New = string(texts[0]), string(texts[1])
			}
		}
		b.begun = append(b.begun, d)
	case done, void:
		b.ends[e.ID] = e.Kind
	case reporting, reported, lost:
		b.handed[e.ID] = e
	}
	return true
}

// decisions returns the decisions, newest first, as those who were handed one run now.
func (b *book) decisions(processes process.Table) []model.Decision {
	var newest []model.Decision
	for _, d := range slices.Backward(b.begun) {
		end, handed := b.ends[d.ID], b.handed[d.ID]
		if end == void {
			continue
		}
		d.Interrupted = end == ""
		d.Reported = handed.Kind == reported || handed.Kind == reporting
		d.Unheard = handed.Kind == reporting && handed.By != nil && process.LifeOf(processes, *handed.By) == process.Gone
		newest = append(newest, d)
	}
	markUndone(newest)
	return newest
}

// markUndone marks the decisions that others have taken back, which were carried out and not taken back themselves.
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

// Prove returns the decisions of a journal, newest first, so that none is called interrupted any more that was carried out, as
// far as its file tells: it is byte for byte as the entry says, or was when somebody decided about it later. hash returns the
// hash of a file of the project as it is now, "" where it can't be read, and is asked for what was interrupted alone.
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
