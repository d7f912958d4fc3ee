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

	"gatehouse/model"
)

// Read returns the decisions, newest first, with what became of each, and without those of which nothing was written. Of a
// journal beyond 4 MiB it reads the newest part. A decision that is being carried out at this moment counts as interrupted:
// nothing tells the two apart but the state file.
//
// Where there is no journal there are no decisions. An error comes beside what could be read; a last line that was never
// finished is none.
func (l *Log) Read() ([]model.Decision, error) {
	if l.dir == "" {
		return nil, nil
	}
	text, err := l.newest()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		err = l.fault("cannot be read", "check its permissions; decisions made before are not known", err)
	}
	b := book{ends: map[string]string{}, reported: map[string]bool{}}
	bad := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !b.enter(line) {
			bad++
		}
	}
	if bad > 0 && err == nil {
		err = l.fault("is damaged", "the others are read; remove what is no entry", fmt.Errorf("%d of its lines cannot be read", bad))
	}
	return b.decisions(), err
}

// newest returns the last lines of the file, as many as the limit allows.
func (l *Log) newest() ([]byte, error) {
	f, err := l.open(os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-readLimit)
	text, err := io.ReadAll(io.NewSectionReader(f, from, readLimit))
	if from > 0 {
		_, text, _ = bytes.Cut(text, []byte("\n")) // the rest of a line that began before
	}
	return text, err
}

// book is what the entries say, taken together.
type book struct {
	begun    []model.Decision  // in the order of the file
	ends     map[string]string // ID → done or void
	reported map[string]bool   // by ID
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
	case reported, lost:
		b.reported[e.ID] = e.Kind == reported
	}
	return true
}

// decisions returns the decisions, newest first.
func (b *book) decisions() []model.Decision {
	var newest []model.Decision
	undone := map[string]bool{} // by decisions that were not undone themselves
	for i := len(b.begun) - 1; i >= 0; i-- {
		d := b.begun[i]
		end := b.ends[d.ID]
		if end == void {
			continue
		}
		d.Undone, d.Reported, d.Interrupted = undone[d.ID], b.reported[d.ID], end == ""
		if end == done && !d.Undone && d.Undoes != "" {
			undone[d.Undoes] = true
		}
		newest = append(newest, d)
	}
	return newest
}
