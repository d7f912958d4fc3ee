// Package edit turns what a human wants done into changes of bytes: of the values meant, and of nothing else. It holds what
// the protocols' own edit.go files share, and the terms in which they answer the registry. It opens no file; writing is
// statefile's.
package edit

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Request is an action, with what is needed to say what it changes.
type Request struct {
	model.Action
	// Content is the file the action is about, as it is now.
	Content string
	// Who is the login name of the human who decides.
	Who string
	// Last is the last decision about the target that was not taken back, for [model.VerbUndo]; nil where there is none.
	Last *model.Decision
	Now  time.Time
	// Asking says that the answer is only to be shown: what has yet to be typed is not missed, but named in
	// [model.Proposal.Wants].
	Asking bool
}

// Target is what an action is about.
type Target struct {
	// File is the one that a decision is written to, relative to the project's root, "/"-separated.
	File string
	// Judge takes in what that file holds. Its error is a [*model.Refusal], or says that the content is broken.
	Judge func(content string) (Answer, error)
}

// Answer says what an action changes in a content that was judged once, by what is typed. The request is one for the action
// and with the content that it was made for; its error is a [*model.Refusal].
type Answer func(q Request) (*Change, error)

// Change is what an action does to a file.
type Change struct {
	model.Proposal
	Was, Is string // the status before and after, in the file's words
	// Node is the ID of the row that the change is about, for an action that names none: it makes that row.
	Node string
	// Of and Began tell the work that is changed from other work in the same file, see [model.Decision].
	Of    string
	Began time.Time
	// Spans are the bytes replaced, in the order of the file. None: nothing is written.
	Spans []model.Span
	// Keeps are new files, written before it.
	Keeps []Copy
}

// Copy is a file in which something is kept, relative to the project's root, "/"-separated.
type Copy struct{ File, Content string }

// ErrUnreadable is the error of an editor whose file can't be read as it is now: it may be in the middle of being written.
var ErrUnreadable = errors.New("it can't be read now; mend it, or wait until it is written")

// errSpans is what Apply says of spans that are not of the text.
var errSpans = errors.New("the file is not the one that the change was made for")

// Apply returns the content with the spans replaced. It fails where the bytes to be replaced are not there, or where spans
// overlap.
func Apply(content string, spans []model.Span) (string, error) {
	var b strings.Builder
	at := 0
	for _, s := range sorted(spans) {
		if s.At < at || s.At > len(content) || !strings.HasPrefix(content[s.At:], s.Old) {
			return "", errSpans
		}
		b.WriteString(content[at:s.At])
		b.WriteString(s.New)
		at = s.At + len(s.Old)
	}
	b.WriteString(content[at:])
	return b.String(), nil
}

// List returns what spans change in a file, each value with its place, cleaned for any screen.
func List(file, content string, spans []model.Span) []model.Edit {
	edits := make([]model.Edit, len(spans))
	for i, span := range spans {
		before, after, at := span.Old, span.New, span.At
		if before == "" || after == "" { // it comes, or goes, with what parts it from its neighbours
			at += len(before) - len(strings.TrimLeft(before, betweenValues))
			before, after = strings.Trim(before, betweenValues), strings.Trim(after, betweenValues)
		}
		edits[i] = model.Edit{Label: line.Clean(span.Label), Pos: position(file, content, at), Old: line.Clean(before), New: line.Clean(after)}
	}
	return edits
}

// betweenValues are the characters between the values of a file.
const betweenValues = ", \t\r\n"

// position returns the place of an offset in a file.
func position(file, content string, at int) model.Pos {
	before := content[:min(max(at, 0), len(content))]
	return model.Pos{File: file, Line: strings.Count(before, "\n") + 1, Col: len(before) - strings.LastIndexByte(before, '\n')}
}

// Invert returns the spans that take applied ones back.
func Invert(spans []model.Span) []model.Span {
	inverse := sorted(spans)
	moved := 0
	for i, s := range inverse {
		inverse[i].At, inverse[i].Old, inverse[i].New = s.At+moved, s.New, s.Old
		moved += len(s.New) - len(s.Old)
	}
	return inverse
}

// sorted returns the spans in the order of the file.
func sorted(spans []model.Span) []model.Span {
	return slices.SortedStableFunc(slices.Values(spans), func(a, b model.Span) int { return cmp.Compare(a.At, b.At) })
}
