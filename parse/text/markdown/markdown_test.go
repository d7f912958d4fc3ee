package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sketch writes lines down one a row: number, H and level, C for code, ! for a
// comment, and the text.
func sketch(text string, first int) string {
	var rows []string
	for l := range Lines(text, first) {
		mark := ""
		if l.Level > 0 {
			mark = fmt.Sprintf("H%d(%s)", l.Level, l.Title)
		}
		if l.Code {
			mark += "C"
		}
		if l.Comment {
			mark += "!"
		}
		rows = append(rows, fmt.Sprintf("%d%s|%s", l.No, mark, l.Text))
	}
	return strings.Join(rows, "\n")
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"one empty line", "\n", "1|"},
		{"the last line needs no end", "a\nb", "1|a\n2|b"},
		{"an end makes no further line", "a\nb\n", "1|a\n2|b"},
		{"CR LF", "a\r\n\r\nb\r\n", "1|a\n2|\n3|b"},
		{"mixed ends", "a\r\nb\nc\r", "1|a\n2|b\n3|c"},
		{"a lone CR ends nothing", "a\rb\n", "1|a\rb"},
		{"one CR of two is the text's", "a\r\r\n", "1|a\r"},

		{"a fence hides headings", "```\n# a\n```\n# b", "1C|```\n2C|# a\n3C|```\n4H1(b)|# b"},
		{"CR LF behind fences", "```go\r\n# a\r\n```\r\n# b\r\n", "1C|```go\n2C|# a\n3C|```\n4H1(b)|# b"},
		{"backquotes in tildes", "~~~\n```\n~~~\n# b", "1C|~~~\n2C|```\n3C|~~~\n4H1(b)|# b"},
		{"tildes in backquotes", "```\n~~~\n```\n# b", "1C|```\n2C|~~~\n3C|```\n4H1(b)|# b"},
		{"a longer fence is not closed by a shorter", "````\n```\n````\n# b", "1C|````\n2C|```\n3C|````\n4H1(b)|# b"},
		{"a longer one closes", "```\n`````\n# b", "1C|```\n2C|`````\n3H1(b)|# b"},
		{"an info string opens and does not close", "```yaml x\n```yaml\n```\n# b", "1C|```yaml x\n2C|```yaml\n3C|```\n4H1(b)|# b"},
		{"blanks behind a closing fence", "```\n``` \t\n# b", "1C|```\n2C|``` \t\n3H1(b)|# b"},
		{"backquotes in the info string make code in the line", "``` a`b\n# b", "1|``` a`b\n2H1(b)|# b"},
		{"tildes take backquotes in the info string", "~~~ a`b\n# b", "1C|~~~ a`b\n2C|# b"},
		{"unclosed reaches to the end", "```\n# a\n# b\n", "1C|```\n2C|# a\n3C|# b"},
		{"three blanks before a fence", "   ```\n# a\n  ```\n# b", "1C|   ```\n2C|# a\n3C|  ```\n4H1(b)|# b"},
		{"four blanks are none", "    ```\n# b", "1|    ```\n2H1(b)|# b"},
		{"two backquotes are none", "``\n# b", "1|``\n2H1(b)|# b"},

		{"a comment over lines", "<!-- a\n# b\n-->\n# c", "1|<!-- a\n2!|# b\n3!|-->\n4H1(c)|# c"},
		{"a comment on one line", "a <!-- b --> c\n# d", "1|a <!-- b --> c\n2H1(d)|# d"},
		{"a second one of a line stays open", "<!-- a --> <!-- b\n# c\n-->", "1|<!-- a --> <!-- b\n2!|# c\n3!|-->"},
		{"one that ends where the next begins", "<!-- a\n--> <!-- b\n# c\n-->\n# d", "1|<!-- a\n2!|--> <!-- b\n3!|# c\n4!|-->\n5H1(d)|# d"},
		{"the shortest comment", "<!-->\n# a", "1|<!-->\n2H1(a)|# a"},
		{"a heading may begin one", "# a <!--\n# b\n-->", "1H1(a <!--)|# a <!--\n2!|# b\n3!|-->"},
		{"never closed is none", "<!-- a\n# b\n```\nx\n", "1|<!-- a\n2H1(b)|# b\n3C|```\n4C|x"},
		{"an end that came before closes nothing", "-->\n<!-- a\n# b", "1|-->\n2|<!-- a\n3H1(b)|# b"},
		{"a fence in a comment is none", "<!--\n```\n-->\n# b", "1|<!--\n2!|```\n3!|-->\n4H1(b)|# b"},
		{"a comment in a fence is none", "```\n<!--\n```\n# b\n-->", "1C|```\n2C|<!--\n3C|```\n4H1(b)|# b\n5|-->"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sketch(c.text, 1); got != c.want {
				t.Errorf("%q reads\n%s\nwant\n%s", c.text, got, c.want)
			}
		})
	}
}

func TestLinesCountFromTheGivenNumber(t *testing.T) {
	if got, want := sketch("a\nb", 40), "40|a\n41|b"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLinesCanBeReadTwiceAndLeft(t *testing.T) {
	lines := Lines("a\nb\nc", 1)
	for range 2 {
		var seen []string
		for l := range lines {
			if seen = append(seen, l.Text); l.No == 2 {
				break
			}
		}
		if !slices.Equal(seen, []string{"a", "b"}) {
			t.Errorf("read %q", seen)
		}
	}
}

func TestHeadings(t *testing.T) {
	for _, c := range []struct {
		line  string
		level int
		title string
	}{
		{"# a", 1, "a"}, {"###### a", 6, "a"}, {"####### a", 0, ""}, {"#\ta", 1, "a"}, {"#   a   ", 1, "a"},
		{"#a", 0, ""}, {"#", 0, ""}, {"# ", 1, ""}, {" # a", 0, ""}, {"a # b", 0, ""},
		{"## a ##", 2, "a"}, {"## a #", 2, "a"}, {"## a #####  ", 2, "a"}, {"## a\t##", 2, "a"},
		{"## a##", 2, "a##"}, {"## C#", 2, "C#"}, {"## C# ##", 2, "C#"}, {"## # a", 2, "# a"}, {"## ##", 2, ""},
		{"### Phase 4.5: Größe", 3, "Phase 4.5: Größe"},
	} {
		for l := range Lines(c.line, 1) {
			if l.Level != c.level || l.Title != c.title {
				t.Errorf("%q is level %d %q, want %d %q", c.line, l.Level, l.Title, c.level, c.title)
			}
		}
	}
}

func FuzzLines(f *testing.F) {
	for _, seed := range []string{"", "a", "\n\n", "# a #\r\n```x\n~~~\n```\n", "<!-- a\n--> <!--\n# b\n-->", "~~~~\n~~~\n", "a\rb\r", "- [x] a\n| a \\| b |\n**a:** b", "\xff\x00<!---->"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		no := 0
		var texts []string
		for l := range Lines(text, 1) {
			no++
			if l.No != no {
				t.Fatalf("line %d has the number %d", no, l.No)
			}
			if l.Code && l.Comment || l.Level < 0 || l.Level > 6 || l.Level > 0 && (l.Code || l.Comment) {
				t.Fatalf("%q cannot be: %+v", text, l)
			}
			texts = append(texts, l.Text)
			// What reads a single line takes anything.
			_, _, _ = Item(l.Text)
			_, _, _ = CheckBox(l.Text)
			_, _, _ = Field(l.Text)
			_ = Rule(Cells(l.Text))
			_ = Plain(l.Text)
		}
		want := strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
		if !strings.HasSuffix(text, "\n") {
			want = strings.TrimSuffix(want, "\r")
		}
		if got := strings.Join(texts, "\n"); got != want {
			t.Fatalf("%q reads %q", text, got)
		}
	})
}

// TestUnderlinedHeadings: a line over "=====" or "-----" is a heading, where it can be nothing else.
func TestUnderlinedHeadings(t *testing.T) {
	for text, want := range map[string]string{
		"Title\n=====\n\ntext":                            "1 Title",
		"Title\r\n=======\r\n\r\nNext one\r\n-----\r\n":   "1 Title, 2 Next one",
		"# A\nB\n===\n":                                   "1 A, 1 B",
		"Phase 3: Lamp\n-------------\n":                  "2 Phase 3: Lamp",
		"two lines\nof text\n=====\n":                     "",
		"text\n---\n":                                     "",
		"Status: done\n----------\n":                      "",
		"**Status:** done\n----------\n":                  "",
		"- item\n------\n":                                "",
		"| a | b |\n|---|---|\n":                          "",
		"```\nTitle\n=====\n```\n":                        "",
		"<<<<<<< HEAD\n\nStatus\n=======\nx\n>>>>>>> b\n": "",
		"=====\n=====\n":                                  "",
	} {
		var got []string
		for l := range Lines(text, 1) {
			if l.Level > 0 {
				got = append(got, fmt.Sprint(l.Level, " ", l.Title))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
