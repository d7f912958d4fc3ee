package doc

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseTasks(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"none":                    {"text\n", ""},
		"two":                     {"<tasks>\n<task type=\"auto\">\na\n</task>\n\n<task type=\"x\">\nb\n</task>\n", "2 a|6 b"},
		"indented":                {"  <task>\n  a\n  </task>\n", "1 a"},
		"unclosed":                {"<task>\na\n<task>\nb\n", "1 a|3 b"},
		"within a line":           {"see <task> here\n<task>\na\n</task>\n", "2 a"},
		"an example in a fence":   {"```\n<task>\nx\n</task>\n```\n<task>\na\n</task>\n", "6 a"},
		"an example in an action": {"<task>\n<action>\n```\n<task>\n<action>x</action>\n</task>\n```\n</action>\n</task>\n<task>\nb\n</task>\n", "1 <action> ``` <task> <action>x</action> </task> ``` </action>|10 b"},
		"an unclosed fence":       {"<task>\n<action>\n```\nx\n</action>\n</task>\n<task>\nb\n</task>\n", "1 <action> ``` x </action>|7 b"},
		"an unclosed action":      {"<task>\n<action>\n```\nx\n</task>\n<task>\nb\n</task>\n", "1 <action> ``` x|6 b"},
		"closed on its line":      {"<task><name>a</name></task>\n<task>\nb\n</task>\n", "1 <name>a</name>|2 b"},
		"an unclosed tag":         {"<task " + strings.Repeat("x", 2000) + "\n<task>\na\n</task>\n", "2 a"},
		"in a comment":            {"<task>\na\n</task>\n<!--\n<task>\nb\n</task>\n<task>\nc\n</task>\n-->\n<task>\nd\n</task>\n", "1 a|12 d"},
		"a comment in a task":     {"<task>\na <!--\n</task>\n<task>\nb -->\n</task>\n", "1 a <!--|4 b -->"},
		"an unclosed comment":     {"<!--\n<task>\na\n</task>\n", "2 a"},
		"a comment within a line": {"write <!-- first\n<task>\na\n</task>\nthen -->\n", "2 a"},
		"Windows":                 {"<task>\r\na\r\n</task>\r\n", "1 a"},
	} {
		var got []string
		for _, task := range ParseTasks(c.body, 0, len(c.body)) {
			line, _ := IndexLines(c.body).Position(task.At)
			got = append(got, fmt.Sprint(line, " ", strings.Join(strings.Fields(task.Inner), " ")))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s: %q, want %q", name, s, c.want)
		}
	}
}

func TestElements(t *testing.T) {
	const inner = "<name> a && b </name>\n<options><option><name>x</name></option></options>\n<done>open\n<verify>List<T> < 3</verify><name>again</name>"
	got := FindChildren(inner, "name", "options", "done", "verify", "files")
	if len(got) != 3 || got["name"] != "a && b" || got["verify"] != "List<T> < 3" || !strings.Contains(got["options"], "<name>x</name>") {
		t.Errorf("%q", got)
	}
	if got := FindChildren("<options><name>x</name></options>", "name", "options"); got["name"] != "" {
		t.Errorf("the name of an option is the task's: %q", got)
	}
	const tag = `<task type="auto" gate='blocking' status=x open="`
	for name, want := range map[string]string{"type": "auto", "gate": "blocking", "status": "", "none": "", "open": ""} {
		if got := ParseAttribute(tag, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := FindElement("a <x> b </x> <x>c</x>", "x"); got != "b" || FindElement("<x>", "x") != "" || FindElement("x", "x") != "" {
		t.Errorf("%q", got)
	}
	for name, want := range map[string]string{
		"Task 1: a": "1|a", "Task 007: a": "7|a", "Task  2:b": "2|b", "Task 2.10: c": "2.10|c", "Task 02.05: c": "2.5|c", "Task 0: z": "0|z", "Task 2.: c": "2|c",
		"Task 1 a": "", "Task: a": "", "Task x: a": "", "task 1: a": "", "1: a": "", "Task 1-2: a": "", "Task .1: a": "", "Task 1..2: a": "", "": "",
	} {
		got := ""
		if number, rest, ok := ParseTaskNumber(name); ok {
			got = number + "|" + rest
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// checkTasks fails unless tasks are parts of the text, in order and each at its place.
func checkTasks(t *testing.T, text string, from int) int {
	t.Helper()
	index, end := IndexLines(text), from
	tasks := ParseTasks(text, from, len(text))
	for _, task := range tasks {
		line, _ := index.Position(task.At)
		inner := task.At + len(task.Tag)
		if task.At < end || task.Line != line || !HasPrefix(text[task.At:], task.Tag+task.Inner) || parseTaskTag(task.Tag) != task.Tag {
			t.Fatalf("%q: %+v, want line %d behind %d", text, task, line, end)
		}
		if end = inner + len(task.Inner); task.Open == HasPrefix(text[end:], closingTask) {
			t.Fatalf("%q: open is wrong: %+v", text, task)
		}
	}
	return len(tasks)
}

func FuzzTasks(f *testing.F) {
	for _, seed := range []string{"<task>\na\n</task>\n", "```\n<task>\n```\n <task type='a'>\n<action>\n```\n<task>\n```\n</action></task>", "<!--\n<task>\n-->\n<task>", "<task>\n<action>\n</task>\n<task>\n",
		"x <!-- <task>\n\t<task\n>-->", "<name>Task 01.2: a</name><name>", "<task></task>\n<task>\n\n</task> <task>\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkTasks(t, text, 0)
		for _, child := range FindChildren(text, "a", "name") {
			if child != Trim(child) || !Contains(text, child) {
				t.Fatalf("%q: the child %q", text, child)
			}
		}
		if number, rest, ok := ParseTaskNumber(text); !Contains(text, FindElement(text, "a")) || !Contains(text, ParseAttribute(text, "a")) || ok && (number == "" || !Contains(text, rest)) {
			t.Fatalf("%q: number %q, rest %q", text, number, rest)
		}
	})
}

func TestRealTasks(t *testing.T) {
	tasks := 0
	walkReal(t, func(path, text string) { tasks += checkTasks(t, text, SplitFrontmatter(text).Body) })
	if tasks < 100 {
		t.Errorf("%d tasks in all plans", tasks)
	}
}
