// Why a decision is refused, where all protocols refuse it alike.

package reader

import (
	"strings"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/text/edit"
)

// The codes of refusals, for [model.Refusal.Code].
const (
	Forbidden        = "E_FORBIDDEN"         // the protocol has no such step
	SameStatus       = "E_SAME_STATUS"       // it is so already: nothing is written
	UnknownStatus    = "E_UNKNOWN_STATUS"    // the file says a word that the protocol does not know
	NoGate           = "E_NO_GATE"           // there is no such gate
	NotPending       = "E_NOT_PENDING"       // it can be judged only while it is pending
	ReasonRequired   = "E_REASON_REQUIRED"   // a skip needs a reason
	ReasonTooShort   = "E_REASON_TOO_SHORT"  // and one of at least [model.LeastReason] characters
	FeedbackRequired = "E_FEEDBACK_REQUIRED" // a request for changes needs a text
)

// SkipReason returns why a text will not do as the reason of a skip, nil where it will.
func SkipReason(text string) *model.Refusal {
	const fix = "give one of more than 10 characters"
	switch n := utf8.RuneCountInString(strings.Trim(text, " \t\r\n")); {
	case n == 0:
		return &model.Refusal{Code: ReasonRequired, Text: "a skip needs a reason", Fix: fix}
	case n < model.LeastReason:
		return &model.Refusal{Code: ReasonTooShort, Text: "the reason is too short", Fix: fix}
	}
	return nil
}

// Undoable returns why the last decision about a target can't be taken back, nil where it can: while nobody has been told of
// it, and its file is byte for byte what it left, so that nobody has built upon it.
func Undoable(q edit.Request, file string) *model.Refusal {
	switch last := q.Last; {
	case last == nil || last.Node != q.Node || last.Undone || last.Verb == model.VerbUndo:
		return &model.Refusal{Code: Forbidden, Text: "there is no decision about it to take back"}
	case last.Reported:
		return &model.Refusal{Code: Forbidden, Text: "the decision has been handed on already", Fix: "tell the agents what you want instead"}
	case statefile.Hash(q.Content) != last.After:
		return &model.Refusal{Code: Forbidden, Text: file + " has been changed since", Fix: "look at it and decide anew"}
	}
	return nil
}

// Undone returns the change that puts back the bytes that the last decision has replaced, which has to be [Undoable]; or a
// refusal, where the journal's note of it does not fit the file.
func Undone(q edit.Request, file string) (*edit.Change, *model.Refusal) {
	c := &edit.Change{Was: q.Last.Is, Is: q.Last.Was, Spans: edit.Invert(q.Last.Spans)}
	if _, err := edit.Apply(q.Content, c.Spans); err != nil {
		return nil, &model.Refusal{Code: Forbidden, Text: "the journal's note of the decision does not fit " + file, Fix: "edit the file by hand"}
	}
	return c, nil
}
