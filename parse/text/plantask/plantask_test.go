package plantask

import (
	"fmt"
	"strings"
	"testing"
)

func TestBlocks(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"none":                      {"text\n", ""},
		"two":                       {"<tasks>\n<task type=\"auto\">\na\n</task>\n\n<task type=\"x\">\nb\n</task>\n", "2 a|6 b"},
		"indented":                  {"  <task>\n  a\n  </task>\n", "1 a"},
		"never closed":              {"<task>\na\n<task>\nb\n", "1 a|3 b"},
		"within a line is none":     {"see <task> here\n<task>\na\n</task>\n", "2 a"},
		"an example in a fence":     {"```\n<task>\nx\n</task>\n```\n<task>\na\n</task>\n", "6 a"},
		"in an action that is open": {"<task>\n<action>\n```\n<task>\n<action>x</action>\n</task>\n```\n</action>\n</task>\n<task>\nb\n</task>\n", "1 <action> ``` <task> <action>x</action> </task> ``` </action>|10 b"},
		"a fence that never ends":   {"<task>\n<action>\n```\nx\n</action>\n</task>\n<task>\nb\n</task>\n", "1 <action> ``` x </action>|7 b"},
		"an action that never ends": {"<task>\n<action>\n```\nx\n</task>\n<task>\nb\n</task>\n", "1 <action> ``` x|6 b"},
		"closed on its line":        {"<task><name>a</name></task>\n<task>\nb\n</task>\n", "1 <name>a</name>|2 b"},
		"a tag that never ends":     {"<task " + strings.Repeat("x", 2000) + "\n<task>\na\n</task>\n", "2 a"},
		"in a comment":              {"<task>\na\n</task>\n<!--\n<task>\nb\n</task>\n<task>\nc\n</task>\n-->\n<task>\nd\n</task>\n", "1 a|12 d"},
		"a comment in a task":       {"<task>\na <!--\n</task>\n<task>\nb -->\n</task>\n", "1 a <!--|4 b -->"},
		"a comment never closed":    {"<!--\n<task>\na\n</task>\n", "2 a"},
		"a sign in a sentence":      {"write <!-- first\n<task>\na\n</task>\nthen -->\n", "2 a"},
		"windows":                   {"<task>\r\na\r\n</task>\r\n", "1 a"},
	} {
		var got []string
		for _, b := range Blocks(c.body, 1) {
			got = append(got, fmt.Sprint(b.Line, " ", strings.Join(strings.Fields(b.Inner), " ")))
			if !strings.HasPrefix(c.body[b.At:], b.Tag) {
				t.Errorf("%s: the tag is not at %d", name, b.At)
			}
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s: %q, want %q", name, s, c.want)
		}
	}
}

func TestChildren(t *testing.T) {
	const inner = "<name> a && b </name>\n<options><option><name>x</name></option></options>\n<done>never closed\n<verify>List<T> < 3</verify><name>again</name>"
	got := Children(inner, "name", "options", "done", "verify", "files")
	if len(got) != 3 || got["name"] != "a && b" || got["verify"] != "List<T> < 3" || !strings.Contains(got["options"], "<name>x</name>") {
		t.Errorf("%q", got)
	}
	if got := Children("<options><name>x</name></options>", "name", "options"); got["name"] != "" {
		t.Errorf("the name of an option is the task's: %q", got)
	}
}

func TestAttribute(t *testing.T) {
	const tag = `<task type="auto" gate='blocking' status=x open="`
	for name, want := range map[string]string{"type": "auto", "gate": "blocking", "status": "", "none": "", "open": ""} {
		if got := Attribute(tag, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := Element("a <x> b </x> <x>c</x>", "x"); got != "b" || Element("<x>", "x") != "" || Element("x", "x") != "" {
		t.Errorf("%q", got)
	}
}

func TestNumber(t *testing.T) {
	for name, want := range map[string]string{
		"Task 1: a": "1|a", "Task 007: a": "7|a", "Task  2:b": "2|b", "Task 2.10: c": "2.10|c", "Task 02.05: c": "2.5|c", "Task 0: z": "0|z",
		"Task 1 a": "", "Task: a": "", "Task x: a": "", "task 1: a": "", "1: a": "", "Task 1-2: a": "", "Task .1: a": "", "Task 1..2: a": "", "": "",
	} {
		got := ""
		if number, rest, ok := Number(name); ok {
			got = number + "|" + rest
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
