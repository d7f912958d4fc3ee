// What a human changes in fctry's files: an item is put into the inbox or taken out of it, or a run is cleared.
//
// lastUpdated belongs to state.json and is set with every write of that; the inbox is a file of its own, kept independent of
// it, and has the time in each item. So adding an item does not touch state.json: a run would look as if it went on.

package fctry

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
)

// absent is how the journal says that an item or a run is not there, before or after a decision.
const absent = "not there"

// New returns a reader of a project's build also where none of its files is there yet.
func New(m *mirror.Mirror) *Reader { return &Reader{m: m} }

// Target returns the file that an action is about. Its error is a [*model.Refusal].
func (r *Reader) Target(a model.Action, _ time.Time) (protocol.Target, error) {
	file, err := r.fileOf(a)
	if err != nil {
		return protocol.Target{}, err
	}
	return protocol.Target{File: file, Judge: func(content string) (protocol.Answer, error) { return judge(a, file, content) }}, nil
}

func (r *Reader) fileOf(a model.Action) (file string, err error) {
	ofItem := strings.HasPrefix(a.Node, inboxRow)
	switch {
	case a.Verb == model.VerbAdd, (a.Verb == model.VerbDismiss || a.Verb == model.VerbUndo) && ofItem:
		return inboxFile, nil
	case a.Verb == model.VerbFresh && a.Node == "":
		if _, ok := r.m.Stat(stateFile); !ok {
			return "", noRun()
		}
		return stateFile, nil
	case a.Verb == model.VerbUndo && a.Node == "":
		return stateFile, nil
	}
	refused := &model.Refusal{Code: protocol.Forbidden, Text: "fctry's files have no place for that", Fix: "answer in the agent's session, or put what you want into the inbox"}
	if a.Node == "" {
		refused.Text = fmt.Sprintf("a fctry build knows no %q", string(a.Verb))
	}
	return "", refused
}

// Begins returns what the file of an action begins with where it is missing, "" where it has to be there.
func (r *Reader) Begins(a model.Action) string {
	if a.Verb == model.VerbAdd {
		return "[]\n"
	}
	return ""
}

// judge reads the file of an action. Its error says what is wrong with the content.
func judge(a model.Action, file, content string) (protocol.Answer, error) {
	var d *document
	var in *inbox
	var err error
	if file == stateFile {
		d, err = parseObject(content)
	} else {
		in, err = parseInbox(content)
	}
	switch {
	case err != nil:
		return nil, broken(file, err)
	case a.Verb == model.VerbUndo:
		return func(q protocol.Request) (*protocol.Change, error) { return undo(q, file) }, nil
	case a.Verb == model.VerbFresh:
		return func(q protocol.Request) (*protocol.Change, error) { return fresh(q, d) }, nil
	case a.Verb == model.VerbAdd:
		return in.add, nil
	}
	return in.dismiss, nil
}

// broken says why a file is not written.
func broken(file string, err error) error {
	var place *mirror.Fault
	if errors.As(err, &place) && place.Line > 0 {
		return fmt.Errorf("%s:%d:%d: %s; nothing is written to a file that can't be read", file, place.Line, max(place.Col, 1), place.Text)
	}
	return fmt.Errorf("%s: %w; nothing is written to a file that can't be read", file, err)
}

// Kept reports whether what a decision did still stands in the content of its file. known is false where that can't be read.
func (r *Reader) Kept(d model.Decision, content string) (kept, known bool) {
	var there bool
	if d.File == stateFile {
		state, err := parseObject(content)
		if err != nil {
			return false, false
		}
		there = slices.ContainsFunc(runKeys(state), func(key string) bool {
			return key == runKey || slices.ContainsFunc(d.Spans, func(s model.Span) bool { return s.Label == key })
		})
	} else {
		in, err := parseInbox(content)
		if err != nil {
			return false, false
		}
		there = slices.Contains(in.rows(), d.Node)
	}
	return there == (d.Is != absent), true
}

// stamp is how a time is written: UTC, milliseconds, "Z".
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// The members of state.json that are written.
const (
	runKey      = "buildRun"
	progressKey = "chunkProgress"
	timeKey     = "lastUpdated"
)

// runKeys returns the members of a state that tell of a run: the run itself, and the count of its chunks beside it.
func runKeys(d *document) (keys []string) {
	for _, key := range [...]string{runKey, progressKey} {
		if !d.top.get(key).none() {
			keys = append(keys, key)
		}
	}
	return keys
}

// confirmFresh is the word that has to be typed before a run is cleared.
const confirmFresh = "fresh"

// fresh clears the run, as a user does who chooses "Start fresh".
func fresh(q protocol.Request, d *document) (*protocol.Change, error) {
	keys := runKeys(d)
	if len(keys) == 0 {
		return nil, noRun()
	}
	var cleared []doc.Assignment
	for _, key := range keys {
		cleared = append(cleared, doc.Assignment{Path: []string{key}, JSON: "null"})
	}
	spans, err := protocol.SetJSON(q.Content, append(cleared, doc.AssignText(stamp(q.Now), timeKey)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stateFile, err)
	}
	run := readRun(d)
	s := run.Standing()
	if run.counted {
		s.Done, s.Total = run.progress.Done, run.progress.Total
	}
	c := &protocol.Change{Was: line.Tidy(run.Status), Is: absent, Spans: spans}
	if c.Was == "" {
		c.Was = "begun"
	}
	c.Name = run.name()
	c.Confirm = confirmFresh
	c.Effect = fmt.Sprintf("%s, %d of %d chunks done → no run", c.Was, s.Done, s.Total)
	c.Warnings = []string{"which chunks are done is forgotten: the next /fctry:execute plans anew; the code they have made stays"}
	if s.Busy > 0 {
		c.Warnings = append(c.Warnings, line.Tidy("chunk "+run.Chunks[s.Running].ID+" "+run.Chunks[s.Running].Name+" is being worked on: stop its agent first, or it writes the run again"))
	}
	return c, nil
}

func noRun() error {
	return &model.Refusal{Code: protocol.Forbidden, Text: "there is no run to clear", Fix: "/fctry:execute begins one"}
}

// name is what people call the run.
func (r *run) name() string {
	if id := r.object.first("runId", "id").text(); id != "" {
		return id
	}
	return "the run"
}

// undo puts back what the last decision about a target has replaced; state.json gets the time of that.
func undo(q protocol.Request, file string) (*protocol.Change, error) {
	if refused := protocol.CheckUndo(q); refused != nil {
		return nil, refused
	}
	if file == inboxFile && statefile.Hash(q.Content) != q.Last.After {
		return undoItem(q)
	}
	c, refused := protocol.UndoChange(q, file, protocol.Region{}, timeKey)
	if refused != nil {
		return nil, refused
	}
	if file == stateFile {
		stamped, err := protocol.SetJSON(q.Content, []doc.Assignment{doc.AssignText(stamp(q.Now), timeKey)})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		c.Spans = append(slices.DeleteFunc(c.Spans, func(s model.Span) bool { return s.Label == timeKey }), stamped...)
		slices.SortFunc(c.Spans, func(a, b model.Span) int { return a.At - b.At })
	}
	c.Name, c.Effect = line.Tidy(q.Last.Name), line.Tidy(q.Last.Is+" → "+q.Last.Was)
	return c, nil
}
