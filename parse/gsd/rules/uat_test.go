package rules

import (
	"strings"
	"testing"
)

func TestResultWords(t *testing.T) {
	for value, want := range map[string]string{
		"PASS — note": "pass", "passed – seen": "passed", "PASS (after a restart)": "pass", "[pending deploy]": "pending", "`pass`": "pass",
		"pass -- note": "pass", "passed on retest": "passed", "✅ pass": "pass", "pass ✓": "pass", "✔️ PASS": "pass",
		"pass with issues": "pass with issues", "partial pass": "partial pass", "not passed": "not passed", "✅": "✅",
		"PASS. Works": "pass", "pass with a crash. Twice": "pass with a crash", "skipped because of rain": "skipped", "pass with a crash": "pass with a crash", "**PASS**": "pass", "pass, twice": "pass", "": "",
	} {
		if got := Result(value); got != want {
			t.Errorf("%q is %q, want %q", value, got, want)
		}
	}
}

// TestSectionsOfTests: the tests of a UAT are found below either form of heading, and with either end of line.
func TestSectionsOfTests(t *testing.T) {
	for text, want := range map[string]Standing{
		"## Tests\n\n### 1. The lamp\nresult: pass\n":                                                          TestsPassed,
		"Tests\n-----\n\n### 1. The lamp\nresult: pass\n":                                                      TestsPassed,
		"Tests\n-----\n\n### 1. The lamp\nresult: [pending]\n":                                                 TestsPending,
		"Tests\n-----\n\n### 1. The lamp\nresult: pass\nNotes\n-----\nresult: [pending]\n":                     TestsPending,
		"Tests\n-----\n\n### 1. The lamp\nresult: pass\n\nNotes\n-----\nresult: [pending]\n":                   TestsPassed,
		"## Tests\n\n### 1. The lamp\n\nNotes\n=======\nresult: pass\n>>>>>>> theirs\n":                        TestsPassed,
		"Tests\n-----\n\n### 1. The lamp\nresult: pass\n\nGaps\n----\n\n- truth: it is dark\n  status: failed": TestsPassed,
	} {
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
			if got := Tests(text, func() bool { return false }); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
}
