package scan

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestFrontmatter(t *testing.T) {
	for _, c := range []struct {
		text, block, rest string
		ok                bool
	}{
		{"", "", "", false}, {"---", "", "---", false}, {"---\n", "", "---\n", false}, {"---\n---\n", "", "---\n---\n", false},
		{"---\na\n---\nb", "a", "\nb", true}, {"---\r\na\r\n---\r\nb", "a", "\r\nb", true}, {"---\n\n---", "", "", true},
		{"---\n\r\n---", "", "", true}, {"---\n---\na\n---\n", "---\na", "\n", true}, {"---\na\n---x", "a", "x", true},
		{"---\na\n----", "a", "-", true}, {"---\na\n ---\n", "", "---\na\n ---\n", false}, {"--- \na\n---\n", "", "--- \na\n---\n", false},
		{"\n---\na\n---\n", "", "\n---\na\n---\n", false}, {"\ufeff---\na\n---\n", "", "\ufeff---\na\n---\n", false},
		{"---\ra\r---\r", "", "---\ra\r---\r", false}, {"---\na\r\r\n---", "a\r", "", true}, {"----\na\n---\n", "", "----\na\n---\n", false},
	} {
		block, rest, ok := Frontmatter(c.text)
		if block != c.block || rest != c.rest || ok != c.ok {
			t.Errorf("Frontmatter(%q) = %q, %q, %v, want %q, %q, %v", c.text, block, rest, ok, c.block, c.rest, c.ok)
		}
	}
}

func scalars(block string) (all [][2]string) {
	for s := (Scalars{block}); ; {
		key, value, ok := s.Next()
		if !ok {
			return all
		}
		all = append(all, [2]string{key, value})
	}
}

func TestScalars(t *testing.T) {
	got := scalars("a: 1\r\nb:2\n c: 3\nd-e: 4\nf:\ng:  \nh: 'x\" \n# i: 5\nj: : k\nl: m\u2028n: o\np:\u2028q\n_9: \"\"\nr: s # t\n:u\nv:\r\nw")
	want := [][2]string{{"a", "1"}, {"b", "2"}, {"g", ""}, {"h", "x"}, {"j", ": k"}, {"l", "m"}, {"p", "q"}, {"_9", ""}, {"r", "s # t"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The rules of frontmatter once more, as regular expressions in Go's syntax with JavaScript's classes.
const jsSpace = `[\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

var (
	fenceExpr  = regexp.MustCompile(`^---\r?\n((?s:.*?))\r?\n---`)
	breakExpr  = regexp.MustCompile(`\r?\n`)
	scalarExpr = regexp.MustCompile(`^(\w+):` + jsSpace + `*([^\n\r\x{2028}\x{2029}]+)`)
	trimExpr   = regexp.MustCompile(`^` + jsSpace + `+|` + jsSpace + `+$`)
)

func FuzzFrontmatter(f *testing.F) {
	for _, seed := range []string{"---\na: 1\n---\n", "---\r\na: '1'\r\n---\r\n", "---\n---\n", "---\na:\u2028 \nb: \"c\n---", "---\n\r\r\n---x", "a: \r"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\ufffd") // as the reference implementation gets it
		block, rest, ok := Frontmatter(text)
		m := fenceExpr.FindStringSubmatch(text)
		if ok != (m != nil) || ok && (block != m[1] || rest != text[len(m[0]):]) {
			t.Fatalf("Frontmatter(%q) = %q, %q, %v, want %q", text, block, rest, ok, m)
		}
		var want [][2]string
		for _, l := range breakExpr.Split(text, -1) {
			if m := scalarExpr.FindStringSubmatch(l); m != nil {
				want = append(want, [2]string{m[1], Unquote(trimExpr.ReplaceAllString(m[2], ""))})
			}
		}
		if got := scalars(text); !reflect.DeepEqual(got, want) {
			t.Fatalf("scalars of %q:\n got %q\nwant %q", text, got, want)
		}
	})
}
