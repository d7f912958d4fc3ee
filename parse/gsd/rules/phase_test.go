package rules

import "testing"

func TestStatusOfAPhasesFiles(t *testing.T) {
	for status, want := range map[string]bool{
		"gaps_found": true, "Gaps_Found": true, "gaps_found # two": true, `"gaps_found" # two`: true, `gaps_found" # two`: true, " gaps_found\t#": true, "gaps found": true, "Gaps-Found": true,
		"": false, "#": false, "gaps_found#two": false, "no gaps_found": false, "passed # not gaps_found": false, "gaps_foun": false,
	} {
		if got := Word(status); got == GapsFound != want {
			t.Errorf("Word(%q) = %q", status, got)
		}
	}
	for status, want := range map[string]bool{"superseded": true, "Superseded": true, "SUPERSEDED # by 03": false, `"superseded"`: true, "": false, "unsuperseded": false} {
		if got := Superseded(status); got != want {
			t.Errorf("Superseded(%q) = %v", status, got)
		}
	}
}

func TestVerification(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""}, {[]string{"VERIFICATION.md.bak", "XVERIFICATION.md", "01-01-PLAN.md"}, ""}, {[]string{"VERIFICATION.md"}, "VERIFICATION.md"},
		{[]string{"VERIFICATION.md", "02-VERIFICATION.md", "01-VERIFICATION.md"}, "01-VERIFICATION.md"}, {[]string{"-VERIFICATION.md"}, "-VERIFICATION.md"},
	} {
		if got := Verification(c.names); got != c.want {
			t.Errorf("Verification(%q) = %q, want %q", c.names, got, c.want)
		}
	}
}
