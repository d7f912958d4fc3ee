// Why a decision is refused, where all protocols refuse it alike.

package reader

import (
	"gatehouse/model"
	"gatehouse/parse/loop/rules"
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
