package rules

import "testing"

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
