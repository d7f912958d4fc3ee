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
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// absent is the journal's word for an item or a run that does not exist, before or after a decision.
const absent = "not there"

// The members of state.json that are written.
const (
	runKey      = "buildRun"
	progressKey = "chunkProgress"
	timeKey     = "lastUpdated"
)

// Target returns the file that an action is about. Its error is a [*model.Refusal].
func (r *Reader) Target(a model.Action, _ time.Time) (protocol.Target, error) {
	isItem := strings.HasPrefix(a.Node, itemPrefix)
	_, hasState := r.m.Stat(stateFile)
	target := protocol.Target{File: stateFile}
	switch {
	case a.Verb == model.VerbAdd, (a.Verb == model.VerbDismiss || a.Verb == model.VerbUndo) && isItem:
		target.File = inboxFile
	case a.Verb == model.VerbFresh && a.Node == "" && !hasState:
		return target, noRun()
	case (a.Verb == model.VerbFresh || a.Verb == model.VerbUndo) && a.Node == "":
	default:
		text := "fctry's files have no place for that"
		if a.Node == "" {
			text = fmt.Sprintf("a fctry build knows no %q", string(a.Verb))
		}
		return target, &model.Refusal{Code: protocol.Forbidden, Text: text, Fix: "answer in the agent's session, or put what you want into the inbox"}
	}
	target.Judge = func(content string) (protocol.Answer, error) { return judge(a, target.File, content) }
	return target, nil
}

// Begins returns the initial content of an action's file if it may be missing, "" if it must exist.
func (r *Reader) Begins(a model.Action) string {
	if a.Verb == model.VerbAdd {
		return "[]\n"
	}
	return ""
}

// judge parses the file of an action. Its error describes the problem with the content.
func judge(a model.Action, file, content string) (protocol.Answer, error) {
	var state *document
	var in *inbox
	var err error
	if file == stateFile {
		state, err = parseState(content)
	} else {
		in, err = parseInbox(content)
	}
	var fault *mirror.Fault
	switch {
	case errors.As(err, &fault):
		return nil, fmt.Errorf("%s:%d:%d: %s; nothing is written to a file that can't be read", file, max(fault.Line, 1), max(fault.Col, 1), fault.Text)
	case err != nil:
		return nil, fmt.Errorf("%s: %w; nothing is written to a file that can't be read", file, err)
	case a.Verb == model.VerbUndo:
		return func(q protocol.Request) (*protocol.Change, error) { return undo(q, file) }, nil
	case a.Verb == model.VerbFresh:
		return func(q protocol.Request) (*protocol.Change, error) { return clearRun(q, state.Root) }, nil
	case a.Verb == model.VerbAdd:
		return in.addItem, nil
	}
	return in.dismissItem, nil
}

// formatTime formats a time as fctry does: UTC, milliseconds, "Z".
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// runKeys returns the members of a state about a run: the run itself, and the count of its chunks.
func runKeys(root doc.Value) (keys []string) {
	for _, key := range [...]string{runKey, progressKey} {
		if !root.Get(key).IsEmpty() {
			keys = append(keys, key)
		}
	}
	return keys
}

// clearRun clears the run, as for a user who chooses "Start fresh".
func clearRun(q protocol.Request, root doc.Value) (*protocol.Change, error) {
	var cleared []doc.Assignment
	for _, key := range runKeys(root) {
		cleared = append(cleared, doc.Assignment{Path: []string{key}, JSON: "null"})
	}
	if cleared == nil {
		return nil, noRun()
	}
	spans, err := protocol.SetJSON(q.Content, append(cleared, doc.AssignText(formatTime(q.Now), timeKey)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stateFile, err)
	}
	r := core.New(root, doc.Value{}).Run
	done, total := r.Done, r.Total
	if r.IsCounted {
		done, total = r.Progress.Done, r.Progress.Total
	}
	c := &protocol.Change{Was: line.Tidy(r.Status), Is: absent, Spans: spans}
	if c.Was == "" {
		c.Was = "begun"
	}
	if c.Name = firstText(r.Value, "runId", "id"); c.Name == "" {
		c.Name = "the run"
	}
	c.Confirm = "fresh"
	c.Effect = c.Was + ", " + ofChunks(done, total) + " done → no run"
	c.Warnings = []string{"the record of finished chunks is lost and the next /fctry:execute plans from the beginning; the code stays"}
	if r.Running >= 0 {
		chunk := &r.Chunks[r.Running]
		c.Warnings = append(c.Warnings, line.Tidy("chunk "+chunk.ID+" "+chunk.Name+" is being worked on: stop its agent first, or it writes the run again"))
	}
	return c, nil
}

func noRun() error {
	return &model.Refusal{Code: protocol.Forbidden, Text: "there is no run to clear", Fix: "/fctry:execute begins one"}
}

// undo reverts the last decision about a target. state.json gets the time of the undo.
func undo(q protocol.Request, file string) (*protocol.Change, error) {
	if refused := protocol.CheckUndo(q); refused != nil {
		return nil, refused
	}
	c, refused := protocol.UndoChange(q, file, protocol.Region{}, timeKey)
	if refused != nil {
		return nil, refused
	}
	if file == stateFile {
		stamped, err := protocol.SetJSON(q.Content, []doc.Assignment{doc.AssignText(formatTime(q.Now), timeKey)})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		c.Spans = append(slices.DeleteFunc(c.Spans, func(s model.Span) bool { return s.Label == timeKey }), stamped...)
		slices.SortFunc(c.Spans, func(a, b model.Span) int { return a.At - b.At })
	}
	c.Name, c.Effect = line.Tidy(q.Last.Name), line.Tidy(q.Last.Is+" → "+q.Last.Was)
	return c, nil
}
