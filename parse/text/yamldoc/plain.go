// The frontmatter that nearly every file has, read without the library: keys
// with plain words, numbers and flow lists of them. A tree of a thousand files
// opens in a third of the time. What is not of this form, down to the last
// character, goes to the library; a fuzz test holds both to the same answer.

package yamldoc

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// plain reads a text in which every line is empty or "key: value" with a value
// that means the same to every reader of YAML. ok is false for any other text.
func plain(text string, first int) (d Doc, ok bool) {
	d = Doc{values: map[string]*yaml.Node{}, shift: first - 1}
	no := 0
	for rest := text; rest != ""; {
		line, more, _ := strings.Cut(rest, "\n")
		rest = more
		no++
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			continue
		}
		key, value, found := strings.Cut(line, ": ")
		if !found || !plainKey(key) || d.values[key] != nil {
			return Doc{}, false
		}
		indent := len(line) - len(value)
		n, isPlain := plainValue(value, no, indent+1)
		if !isPlain {
			return Doc{}, false
		}
		d.values[key] = n
	}
	return d, true
}

// maxPlainKey is well below the 1024 bytes at which YAML refuses a key.
const maxPlainKey = 64

func plainKey(key string) bool {
	if key == "" || len(key) > maxPlainKey || !letter(key[0]) {
		return false
	}
	for i := range len(key) {
		if !letter(key[i]) && key[i] != '_' {
			return false
		}
	}
	return !special(key)
}

func plainValue(value string, line, col int) (*yaml.Node, bool) {
	if inner, isList := strings.CutPrefix(value, "["); isList {
		inner, closed := strings.CutSuffix(inner, "]")
		if !closed {
			return nil, false
		}
		list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: line, Column: col}
		if inner == "" {
			return list, true
		}
		for item := range strings.SplitSeq(inner, ",") {
			n, ok := plainScalar(strings.TrimPrefix(item, " "), line, col)
			if !ok {
				return nil, false
			}
			list.Content = append(list.Content, n)
		}
		return list, true
	}
	return plainScalar(value, line, col)
}

// plainScalar reads a word or several, a number, or such text in quotes. The
// tag tells text from what is not; a bare number is left to the library's view
// by the tag alone.
func plainScalar(s string, line, col int) (*yaml.Node, bool) {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Line: line, Column: col}
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		n.Value = s[1 : len(s)-1]
		return n, words(n.Value) || n.Value == ""
	}
	return n, words(s) && !special(s)
}

// words reports whether a text is letters, digits and the few signs that never
// mean anything to YAML inside a word, single blanks between.
func words(s string) bool {
	if s == "" || !letter(s[0]) && !digit(s[0]) || s[len(s)-1] == ' ' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !letter(c) && !digit(c) && c != '-' && c != '_' && c != '.' && c != '/' && (c != ' ' || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// special reports whether a word stands for nothing at all in YAML.
func special(s string) bool { return strings.EqualFold(s, "null") }

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
