package doc

import (
	"strings"
	"testing"
)

// checkLines fails unless the lines of a text are complete, in order and correctly numbered.
func checkLines(t *testing.T, text string) {
	t.Helper()
	index := IndexLines(text)
	at := 0
	if HasPrefix(text, ByteOrderMark) {
		at = len(ByteOrderMark)
	}
	for l := range Lines(text, 0, len(text)) {
		if number, _ := index.Position(l.At); l.At != at || l.Number != number || text[l.At:l.At+len(l.Text)] != l.Text {
			t.Fatalf("%q: %+v, want line %d at %d", text, l, number, at)
		}
		if l.Level < 0 || l.Level > 6 || l.Level > 0 && (l.Code || l.Comment || !Contains(l.Text, l.Title)) {
			t.Fatalf("%q: the heading %+v", text, l)
		}
		at = lineAfter(text, at)
		checkLine(t, l.Text)
	}
	if at != len(text) {
		t.Fatalf("%q: lines are missing from %d on", text, at)
	}
}

// checkLine fails unless the parts of a line occur in it.
func checkLine(t *testing.T, line string) {
	t.Helper()
	item, indent, isItem := ParseItem(line)
	box, _, isBox := ParseCheckBox(line)
	name, value, isField := ParseField(line)
	for _, part := range []string{item, box, name, value} {
		if part != Trim(part) || !Contains(line, part) {
			t.Fatalf("%q: the part %q", line, part)
		}
	}
	if isBox && !isItem || !isField && name+value != "" || indent < 0 || !isItem && indent > 0 || len(StripMarks(line)) > len(line) {
		t.Fatalf("%q: item %v, box %v, field %v, indent %d, plain %q", line, isItem, isBox, isField, indent, StripMarks(line))
	}
	cells := SplitCells(line)
	if IsTableRule(cells) && len(cells) == 0 || len(strings.Join(cells, "")) > len(line) {
		t.Fatalf("%q: cells %q", line, cells)
	}
}

// FuzzMarkdown checks lines, the elements parsed from a line, and the frontmatter.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"", "\n\n", "# 0\r#", "a\n\r=====", "# a #\r\n```x\n~~~\n```\n", "<!-- a\n--> <!--\n# b\n-->", "~~~~\n~~~\n", "a\rb\r", "- [x] a\n| a \\| b |\n**a:** b", "\xff\x00<!---->",
		"a\n=======\n>>>>>>>\n", "A\n-----\n", "---\na: b\n---\n# c\n", "1) [ y ] `a` **b**\n| --- |\n", "a\n=====\r\n", "\ufeff# a\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkLines(t, text)
		front := SplitFrontmatter(text)
		if front.Exists && (front.Block > front.BlockEnd || front.BlockEnd >= front.Body || !HasPrefix(text[front.BlockEnd:], "---")) || front.Exists && front.Unclosed {
			t.Fatalf("%q: %+v", text, front)
		}
	})
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
