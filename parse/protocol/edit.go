package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// Request is an action with the data for computing its change.
type Request struct {
	model.Action
	// Content is the current file of the action.
	Content string
	// Who is the login name of the human who decides.
	Who string
	// Last is the last decision about the target that was not undone, for [model.VerbUndo]; nil without one.
	Last *model.Decision
	Now  time.Time
	// Asking reports whether the answer is only shown: text still to be typed is not missing, but listed in
	// [model.Proposal.Wants].
	Asking bool
}

// Target is the file that an action changes, with the judgment of its content.
type Target struct {
	// File is the file that a decision is written to, relative to the root of the project, "/"-separated.
	File string
	// Judge takes the content of that file. Its error is a [*model.Refusal], or the reason why the content can't be
	// read.
	Judge func(content string) (Answer, error)
}

// Answer returns the change of an action to the judged content. Its error is a [*model.Refusal].
type Answer func(q Request) (*Change, error)

// Change is the effect of an action on a file.
type Change struct {
	model.Proposal
	Was, Is string // the status before and after, in the words of the file
	// Node is the ID of the row that the change makes, for an action that names none.
	Node string
	// Of and Began distinguish the changed work from other work in the same file, see [model.Decision].
	Of    string
	Began time.Time
	// Spans are the bytes replaced, in the order of the file. Without any, nothing is written.
	Spans []model.Span
	// Keeps are new files, written before it.
	Keeps []Copy
	// Command is run in the project instead of a change, for a format that is only read. No shell reads its words.
	Command []string
}

// NewChange returns a change of a status, its spans in the order of the file.
func NewChange(p model.Proposal, was, is string, spans []model.Span) *Change {
	slices.SortStableFunc(spans, func(a, b model.Span) int { return a.At - b.At })
	for i := range spans {
		spans[i].Label = line.Clean(spans[i].Label)
	}
	if p.Effect == "" {
		p.Effect = line.Tidy(WordOr(was) + " → " + is)
	}
	return &Change{Proposal: p, Was: was, Is: is, Spans: spans}
}

// AssignStamp returns the assignment of the time of a decision: now, or the existing time if that is later.
func AssignStamp(now time.Time, old string, path ...string) doc.Assignment {
	if ParseTime(old).After(now.Truncate(time.Second)) {
		return doc.AssignText(old, path...)
	}
	return doc.AssignText(FormatTime(now), path...)
}

// Copy is a new file, relative to the root of the project, "/"-separated.
type Copy struct{ File, Content string }

// ErrUnreadable is the error of an editor whose file can't be read.
var ErrUnreadable = errors.New("the file can't be read now; fix it, or wait until it is written")

// errSpans is the error of spans that do not belong to a text.
var errSpans = errors.New("the file is not the one that the change was made for")

// ModelSpans returns spans of a document as the model has them.
func ModelSpans(spans []doc.Span) []model.Span {
	all := make([]model.Span, len(spans))
	for i, s := range spans {
		all[i] = model.Span(s)
	}
	return all
}

// SetJSON returns the spans that make assignments in a JSON document, see [doc.SetJSON]. The error has the place of a syntax error.
func SetJSON(content string, assignments []doc.Assignment) ([]model.Span, error) {
	spans, err := doc.SetJSON(content, assignments)
	if syntax, ok := err.(*doc.SyntaxError); ok {
		fault := SyntaxFault(content, syntax)
		return nil, fmt.Errorf("line %d, column %d: %s; fix the file, or wait until it is written", fault.Line, fault.Col, fault.Text)
	}
	return ModelSpans(spans), err
}

func docSpans(spans []model.Span) []doc.Span {
	all := make([]doc.Span, len(spans))
	for i, s := range spans {
		all[i] = doc.Span(s)
	}
	return all
}

// Apply returns content with spans replaced. It fails if the expected bytes are not there, or if spans overlap.
func Apply(content string, spans []model.Span) (string, error) {
	result, ok := doc.Apply(content, docSpans(spans))
	if !ok {
		return "", errSpans
	}
	return result, nil
}

// Invert returns the spans that revert applied ones.
func Invert(spans []model.Span) []model.Span { return ModelSpans(doc.Invert(docSpans(spans))) }

// ListEdits returns the values that spans change in a file, each with its place, cleaned for the screen.
func ListEdits(file, content string, spans []model.Span) []model.Edit {
	const separators = ", \t\r\n"
	edits, lines := make([]model.Edit, len(spans)), doc.IndexLines(content)
	for i, span := range spans {
		before, after, at := span.Old, span.New, span.At
		if before == "" || after == "" { // it is added or removed with its separators
			at += len(before) - len(strings.TrimLeft(before, separators))
			before, after = strings.Trim(before, separators), strings.Trim(after, separators)
		}
		row, _ := lines.Position(at)
		column := at - strings.LastIndexByte(content[:min(max(at, 0), len(content))], '\n')
		edits[i] = model.Edit{Label: line.Clean(span.Label), Pos: model.Pos{File: file, Line: row, Col: column}, Old: line.Clean(before), New: line.Clean(after)}
	}
	return edits
}
