package doc

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestHostileTexts checks that the parsers take linear time: each of these texts of 256 KiB takes less than a tenth of a second.
func TestHostileTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	const size = 256 << 10
	for _, unit := range []string{
		"- ", "-\n", "[", "{a: ", "{\"a\":[", "a: [", "a: [\n", "a: {\n", "a:\n ", "\"", "'", "a: \"\n", "a: '\n", " \"\n '\n", "- \"x\n", "? ", "? a\n", "&a ", "a: &b\n", "!!x ", "*a\n", "a: *b\n",
		"a: |\n", "a: |\n \n", "- |\n  x\n", "a: >\n  x\n\n", "x\n", "x\n  y\n", "a: b\n  c\n", "a: b\n", "a: 1\n b: 2\n", " a: 1\nb: 2\n", "\t\n", "\ta: b\n", "#\n", "a: # b\n", "<<<<<<< a\n", "\\",
		"a: \"\\\n", "[a: b\n", "[\n]\n", "a: [\n]\n", "- - - - a\n", "- a:\n", "-\n -\n", "\r", "\x00", "%a\n", "---\n", "...\n", ": \n", "a: {b: c, b: d}\n", "{a: b, ", ",", "a: 'x'y\n",
		"```\n", "~~~\n````\n", "<!--\n", "<!-- -->\n", "-->", "x\n=======\n\n", "x\n-----\n", "**", "`", "|", "#", "<task>\n", "<task ", "\n<task", "<!--\n<task>\n", "<task>\n<action>\n", "<action>", "<a>", "<name>", "</task>\n<task>\n",
		"`` `", "<task>\n```\n", "|\\|", "  <!--",
	} {
		for _, text := range []string{strings.Repeat(unit, size/len(unit)), "a: [" + strings.Repeat(unit, size/len(unit)), "<task>\n<action>\n" + strings.Repeat(unit, size/len(unit)) + "-->\n>>>>>>> x\n</action>"} {
			begin := time.Now()
			checkTree(t, ParseYAML(text, 0, len(text)))
			yaml := time.Since(begin)
			for l := range Lines(text, 0, len(text)) {
				_, _, _ = ParseCheckBox(l.Text)
				_, _, _ = ParseField(l.Text)
				_, _ = SplitCells(l.Text), StripMarks(l.Text)
			}
			lines := time.Since(begin) - yaml
			ParseTasks(text, 0, len(text))
			FindChildren(text, "a", "name")
			tasks := time.Since(begin) - yaml - lines
			if time.Since(begin) > 3*time.Second {
				t.Errorf("%q …: YAML takes %v, Markdown %v, tasks %v", text[:min(len(text), 40)], yaml, lines, tasks)
			}
		}
	}
}

// TestLongKeysAreNotDecodedAgain checks that objects with repeated keys and long escaped keys take linear time.
func TestLongKeysAreNotDecodedAgain(t *testing.T) {
	object := func(n int) string {
		text := "{"
		for i := range 30 {
			text += `"` + strings.Repeat(`\u0061`, 1000) + strconv.Itoa(i) + `": 1, `
		}
		return text + strings.Repeat(`"k": 1, `, n) + `"k": 1}`
	}
	start := time.Now()
	if _, err := ParseJSON(object(50_000)); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("50,000 repeated keys took %v", took)
	}
}
