package rules

import "testing"

// TestUsableInPath holds that the name of a loop leads nowhere but to its definition.
func TestUsableInPath(t *testing.T) {
	for id, want := range map[string]bool{
		"x": true, "sample-loop": true, "A.b_9": true, "": false, ".x": false, "..": false, "a/b": false, `a\b`: false, "a b": false, "é": false, "a\x00": false,
	} {
		if UsableInPath(id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
}
