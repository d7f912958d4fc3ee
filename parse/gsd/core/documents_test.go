package core

import (
	"testing"
)

func TestParseSummaryHalted(t *testing.T) {
	for text, want := range map[string]bool{
		"---\nstatus: halted\n---\n":                      true,
		"---\nstatus: Halted # by design\n---\n":          true,
		"\uFEFF---\r\nstatus: \"halted\"\r\n---\r\nx\r\n": true,
		"---\nstatus: complete\n---\n":                    false,
		"status: halted\n":                                false,
		"# Summary\nstatus: halted\n":                     false,
	} {
		s, err := ParseSummary(text, nil)
		if err != nil || s.IsHalted != want {
			t.Errorf("%q: halted %v, %v; want %v", text, s.IsHalted, err, want)
		}
	}
}

func TestUnclosedFrontmatterIsAnError(t *testing.T) {
	_, err := ParseSummary("---\nstatus: hal", nil)
	if e, ok := err.(*ParseError); !ok || e.Minor || e.Line != 1 {
		t.Errorf("error %v, want one that holds the last good state", err)
	}
	_, err = ParseSummary("---\nstatus: \"x\ncompleted: y\n---\n", nil)
	if e, ok := err.(*ParseError); !ok || !e.Minor {
		t.Errorf("error %v, want a minor error", err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
