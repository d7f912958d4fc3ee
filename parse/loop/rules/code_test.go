package rules

import "testing"

func TestSkipReason(t *testing.T) {
	for text, want := range map[string]Code{"": ReasonRequired, " \n": ReasonRequired, "0123456789 ": ReasonTooShort, "01234567890": OK, "ünïcödé wörd": OK} {
		if got := SkipReason(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
