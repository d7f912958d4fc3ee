package loop

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
)

// What all protocols refuse alike, the rules of a loop refuse by the same codes and for the same texts.
func TestRefusalsAreThoseOfTheRules(t *testing.T) {
	for shared, own := range map[string]rules.Code{
		reader.Forbidden: rules.Forbidden, reader.SameStatus: rules.SameStatus, reader.UnknownStatus: rules.UnknownStatus, reader.NoGate: rules.NoGate,
		reader.NotPending: rules.NotPending, reader.FeedbackRequired: rules.FeedbackRequired,
	} {
		if shared != string(own) {
			t.Errorf("%q is %q here", shared, own)
		}
	}
	for _, text := range []string{"", " \n", "0123456789 ", "01234567890", "\t0123456789\r\n", "ünïcödé wörd", "\u00a0", "\xff",
		strings.Repeat("ä", model.LeastReason), strings.Repeat("ä", model.LeastReason-1)} {
		got := rules.OK
		if r := reader.SkipReason(text); r != nil {
			got = rules.Code(r.Code)
		}
		if want := rules.SkipReason(text); got != want {
			t.Errorf("%q: %q, and by the rules %q", text, got, want)
		}
	}
}
