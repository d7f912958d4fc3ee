package doc

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sketchLines writes lines one a row: number, H and level with the title, = for an underline, C for code, ! for a comment, text.
func sketchLines(text string, from, to int) string {
	var rows []string
	for l := range Lines(text, from, to) {
		mark := ""
		if l.Level > 0 {
			mark = fmt.Sprintf("H%d(%s)", l.Level, l.Title)
		}
		for _, m := range []struct {
			set  bool
			mark string
		}{{l.Underline, "="}, {l.Code, "C"}, {l.Comment, "!"}} {
			if m.set {
				mark += m.mark
			}
		}
		rows = append(rows, fmt.Sprintf("%d%s|%s", l.Number, mark, l.Text))
	}
	return strings.Join(rows, "\n")
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"one empty line", "\n", "1|"},
		{"last line without an end", "a\nb", "1|a\n2|b"},
		{"no further line behind the last end", "a\nb\n", "1|a\n2|b"},
		{"CR LF and LF", "a\r\n\r\nb\nc\r", "1|a\n2|\n3|b\n4|c"},
		{"a lone CR ends nothing", "a\rb\n", "1|a\rb"},
		{"one CR of two belongs to the text", "a\r\r\n", "1|a\r"},

		{"a fence hides headings", "```\n# a\n```\n# b", "1C|```\n2C|# a\n3C|```\n4H1(b)|# b"},
		{"CR LF behind fences", "```go\r\n# a\r\n```\r\n# b\r\n", "1C|```go\n2C|# a\n3C|```\n4H1(b)|# b"},
		{"backquotes in tildes", "~~~\n```\n~~~\n# b", "1C|~~~\n2C|```\n3C|~~~\n4H1(b)|# b"},
		{"a shorter fence closes nothing", "````\n```\n````\n# b", "1C|````\n2C|```\n3C|````\n4H1(b)|# b"},
		{"a longer fence closes", "```\n`````\n# b", "1C|```\n2C|`````\n3H1(b)|# b"},
		{"an info string does not close", "```yaml x\n```yaml\n```\n# b", "1C|```yaml x\n2C|```yaml\n3C|```\n4H1(b)|# b"},
		{"blanks behind a closing fence", "```\n``` \t\n# b", "1C|```\n2C|``` \t\n3H1(b)|# b"},
		{"inline code is no fence", "``` a`b\n# b", "1|``` a`b\n2H1(b)|# b"},
		{"tildes take backquotes", "~~~ a`b\n# b", "1C|~~~ a`b\n2C|# b"},
		{"an unclosed fence", "```\n# a\n# b\n", "1C|```\n2C|# a\n3C|# b"},
		{"three blanks before a fence", "   ```\n# a\n  ```\n# b", "1C|   ```\n2C|# a\n3C|  ```\n4H1(b)|# b"},
		{"four blanks", "    ```\n# b", "1|    ```\n2H1(b)|# b"},

		{"a comment of several lines", "<!-- a\n# b\n-->\n# c", "1|<!-- a\n2!|# b\n3!|-->\n4H1(c)|# c"},
		{"a comment of one line", "a <!-- b --> c\n# d", "1|a <!-- b --> c\n2H1(d)|# d"},
		{"a second comment stays open", "<!-- a --> <!-- b\n# c\n-->", "1|<!-- a --> <!-- b\n2!|# c\n3!|-->"},
		{"a comment begins where one ends", "<!-- a\n--> <!-- b\n# c\n-->\n# d", "1|<!-- a\n2!|--> <!-- b\n3!|# c\n4!|-->\n5H1(d)|# d"},
		{"a heading begins a comment", "# a <!--\n# b\n-->", "1H1(a <!--)|# a <!--\n2!|# b\n3!|-->"},
		{"an unclosed comment", "<!-- a\n# b\n```\nx\n", "1|<!-- a\n2H1(b)|# b\n3C|```\n4C|x"},
		{"an end before the comment", "-->\n<!-- a\n# b", "1|-->\n2|<!-- a\n3H1(b)|# b"},
		{"a comment in a fence", "```\n<!--\n```\n# b\n-->", "1C|```\n2C|<!--\n3C|```\n4H1(b)|# b\n5|-->"},

		{"underlined", "Title\n=====\n\ntext", "1H1(Title)|Title\n2=|=====\n3|\n4|text"},
		{"underlined by dashes", "Phase 3: Lamp\r\n-----\r\n", "1H2(Phase 3: Lamp)|Phase 3: Lamp\n2=|-----"},
		{"two lines", "two\nlines\n=====\n", "1|two\n2|lines\n3|====="},
		{"a rule", "text\n---\n", "1|text\n2|---"},
		{"a field", "Status: done\n-----\n**A:** b\n-----\n", "1|Status: done\n2|-----\n3|**A:** b\n4|-----"},
		{"an item and a table", "- a\n-----\n\n|a|b|\n-----\n", "1|- a\n2|-----\n3|\n4||a|b|\n5|-----"},
		{"a conflict", "Status\n=======\nx\n>>>>>>> b\n", "1|Status\n2|=======\n3|x\n4|>>>>>>> b"},
		{"no conflict", "Status\n=======\nx >>>>>>> b\n", "1H1(Status)|Status\n2=|=======\n3|x >>>>>>> b"},
	} {
		if got := sketchLines(c.text, 0, len(c.text)); got != c.want {
			t.Errorf("%s: %q reads\n%s\nwant\n%s", c.name, c.text, got, c.want)
		}
	}
	if got, want := sketchLines("---\n---\n# a\nb\nc\n", 8, 14), "3H1(a)|# a\n4|b"; got != want {
		t.Errorf("a part of a text reads\n%s\nwant\n%s", got, want)
	}
}

func TestHeadings(t *testing.T) {
	for line, want := range map[string]string{
		"# a": "1 a", "###### a": "6 a", "####### a": "0 ", "#\ta": "1 a", "#   a   ": "1 a", "#a": "0 ", "#": "0 ", "# ": "1 ", " # a": "0 ",
		"## a ##": "2 a", "## a #####  ": "2 a", "## a\t##": "2 a", "## a##": "2 a##", "## C# ##": "2 C#", "## # a": "2 # a", "## ##": "2 ",
	} {
		if level, title := parseHeading(line); fmt.Sprint(level, " ", title) != want {
			t.Errorf("%q: %d %q, want %s", line, level, title, want)
		}
	}
}

func TestParseItem(t *testing.T) {
	for line, want := range map[string]string{
		"- a": "a 0", "* a": "a 0", "+ a": "a 0", "-\ta ": "a 0", "12) a": "a 0", "123456789. a": "a 0", " \t- a": "a 5", "-": " 0", "1.": " 0",
		"1234567890. a": "", "": "", "   ": "", "a": "", "-a": "", "1.a": "", "1": "", "---": "", "**a** b": "", "4.5 a": "",
	} {
		got := ""
		if text, indent, ok := ParseItem(line); ok {
			got = fmt.Sprint(text, " ", indent)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestParseCheckBox(t *testing.T) {
	for line, want := range map[string]string{
		"- [ ] a": "a false", "- [x] a": "a true", "* [X] a": "a true", "1. [x]a": "a true", "- [] a": "a false", "- [ x ] a": "a true", "- [ ]": " false",
		"- [√] a": "a true", "- [✔\uFE0F] a": "a true", "- [~] a": "a false", "- [-] a": "a false", "- [\xff] a": "a false",
		"- [x](there) a": "", "- [x][there] a": "", "- [[x]] a": "", "- [TODO] a": "", "- [1] a": "", "- [P1] a": "", "- [x a": "", "[x] a": "", "- a [x]": "", "- [": "",
	} {
		got := ""
		if text, checked, ok := ParseCheckBox(line); ok {
			got = fmt.Sprint(text, " ", checked)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestParseField(t *testing.T) {
	for line, want := range map[string]string{
		"**Goal**: a": "Goal=a", "**Goal:** a": "Goal=a", "  **Goal** : a  ": "Goal=a", "**Goal:**": "Goal=", "**A**: **a**: b": "A=**a**: b",
		"**Goal** a: b": "", "Goal: a": "", "a **Goal**: b": "", "**Goal: a": "", "****: a": "", "**:** a": "", "** **: a": "", "**": "", "**a:": "",
	} {
		got := ""
		if name, value, ok := ParseField(line); ok {
			got = name + "=" + value
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestTables(t *testing.T) {
	for line, want := range map[string][]string{
		"| a | b |": {"a", "b"}, "  | a | b": {"a", "b"}, "| a | | c |": {"a", "", "c"}, `| a \| b | c |`: {"a | b", "c"}, `| a \`: {`a \`}, `| a \\| b |`: {`a \\`, "b"},
		"||": {""}, "|": nil, "": nil, "a | b": nil,
	} {
		if got := SplitCells(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]bool{"|---|:--:|": true, "| - | -: |": true, "| -- - |": true, "| a | - |": false, "|---| |": false, "| : |": false, "---": false} {
		if got := IsTableRule(SplitCells(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestStripMarks(t *testing.T) {
	for text, want := range map[string]string{
		"  a  ": "a", "**a** `b`": "a b", "__a__ ~~b~~": "a b", "***a***": "*a*", "a * b_c": "a * b_c", "an open ` and **a**": "an open  and a", "``a``": "a",
		"write `__init__.py` and `**kwargs`": "write __init__.py and **kwargs", "`a` **b** `c": "a b c",
	} {
		if got := StripMarks(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

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

func TestRealLines(t *testing.T) {
	walkReal(t, func(path, text string) { checkLines(t, text) })
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
