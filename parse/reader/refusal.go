// Why a decision is refused, where all protocols refuse it alike.

package reader

import (
	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/text/edit"
)

// The codes of refusals, for [model.Refusal.Code]: of the four protocols the loop's alone names them.
const (
	Forbidden        = string(rules.Forbidden)
	SameStatus       = string(rules.SameStatus)
	UnknownStatus    = string(rules.UnknownStatus)
	NoGate           = string(rules.NoGate)
	NotPending       = string(rules.NotPending)
	ReasonRequired   = string(rules.ReasonRequired)
	ReasonTooShort   = string(rules.ReasonTooShort)
	FeedbackRequired = string(rules.FeedbackRequired)
)

// SkipReason returns why a text will not do as the reason of a skip, nil where it will.
func SkipReason(text string) *model.Refusal {
	r := &model.Refusal{Code: string(rules.SkipReason(text)), Fix: "give one of more than 10 characters"}
	switch r.Code {
	case ReasonRequired:
		r.Text = "a skip needs a reason"
	case ReasonTooShort:
		r.Text = "the reason is too short"
	default:
		return nil
	}
	return r
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
