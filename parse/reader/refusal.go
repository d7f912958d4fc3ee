// Why a decision is refused, where all protocols refuse it alike.

package reader

import (
	"strings"
	"unicode/utf8"

	"gatehouse/model"
)

// The codes of refusals, for [model.Refusal.Code]. Of the four protocols the loop's alone names them, and has more.
const (
	Forbidden        = "E_FORBIDDEN"         // the protocol has no such step
	SameStatus       = "E_SAME_STATUS"       // it is so already
	UnknownStatus    = "E_UNKNOWN_STATUS"    // the file says a word that the protocol does not know
	NoGate           = "E_NO_GATE"           // there is no such gate
	NotPending       = "E_NOT_PENDING"       // it is not for a human to decide now
	ReasonRequired   = "E_REASON_REQUIRED"   // a skip needs a reason
	ReasonTooShort   = "E_REASON_TOO_SHORT"  // and one of [model.LeastReason] characters
	FeedbackRequired = "E_FEEDBACK_REQUIRED" // a request for changes needs a text
)

// SkipReason returns why a text will not do as the reason of a skip, nil where it will.
func SkipReason(text string) *model.Refusal {
	r := &model.Refusal{Fix: "give one of more than 10 characters"}
	switch n := utf8.RuneCountInString(strings.Trim(text, " \t\r\n")); {
	case n == 0:
		r.Code, r.Text = ReasonRequired, "a skip needs a reason"
	case n < model.LeastReason:
		r.Code, r.Text = ReasonTooShort, "the reason is too short"
	default:
		return nil
	}
	return r
}
