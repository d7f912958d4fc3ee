package danger

import (
	"strings"
	"testing"
	"time"

	"gatehouse/parse/conformance"
)

func TestInCommand(t *testing.T) {
	const dir = "/home/me/shop"
	conformance.OwnRows(t, "commands.jsonl", func(t *testing.T, c struct {
		Line, Want string
	}) {
		var got []string
		for _, p := range InCommand(c.Line, dir) {
			got = append(got, p.Part+": "+p.Why)
		}
		if s := strings.Join(got, " | "); s != c.Want {
			t.Errorf("%s:\n got %s\nwant %s", c.Line, s, c.Want)
		}
	})
}

func TestInPath(t *testing.T) {
	conformance.OwnRows(t, "inpath.jsonl", func(t *testing.T, c struct {
		File, Want string
	}) {
		var got []string
		for _, p := range InPath(c.File, "/home/me/shop") {
			got = append(got, p.Why)
		}
		if s := strings.Join(got, ", "); s != c.Want {
			t.Errorf("%s: %q, want %q", c.File, s, c.Want)
		}
	})
}

// FuzzInCommand: no command line makes the scanner panic, hang or return more than it promises.
func FuzzInCommand(f *testing.F) {
	for _, seed := range []string{"rm -rf a", "a $(b `c` \"d $(e)\") | sh", "sh -c 'sh -c \"rm -r x\"'", "((((", "\\", "'", "\"$(", ">(", ">>&|", "a#b", "{a;}",
		"a(){ a|a", "()()}", "sh <<a\nrm -r $(b)\na", "find -exec sudo -u x env a=b git -C", "function a b { a|a; }", "eval \x00 $'\\n'", "a=(b) >&1 c <<<d", "command", "docker -v /:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if parts := InCommand(line, "/x"); len(parts) > maxParts {
			t.Errorf("%d parts", len(parts))
		}
	})
}

// TestHostileCommands: deep nesting and long chains are scanned quickly and never exhaust the stack; a command longer than the limit is
// reported as not parsed.
func TestHostileCommands(t *testing.T) {
	for _, unit := range []string{"(", "((", "$(", "`", "\"$(", "{ ", "if ", "while ", "${a:-", "<(", "a|", "sh|", "a&&", "a<<b ", "rm -r a;",
		"eval ", "sudo ", "find -exec ", "env -exec ", "x -ok docker ", "sh -c ", "env a=b ", "docker -v /:", "a(){ ", "! ", "f|f&", "\\'", "\x00", "\xff", ">a "} {
		for _, size := range []int{maxParse - 1, 4 * maxParse} {
			start := time.Now()
			parts := InCommand(strings.Repeat(unit, size/len(unit)), "/x")
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%q in %d bytes took %v", unit, size, took)
			}
			if size > maxParse && (len(parts) != 1 || parts[0].Why != unparsed) {
				t.Errorf("%q in %d bytes: %v", unit, size, parts)
			}
		}
	}
}
