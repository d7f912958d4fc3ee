package doc

import (
	"testing"
)

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
