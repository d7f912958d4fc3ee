package markdown

import (
	"slices"
	"testing"
)

func TestItem(t *testing.T) {
	for _, c := range []struct {
		line, text string
		indent     int
		ok         bool
	}{
		{"- a", "a", 0, true}, {"* a", "a", 0, true}, {"+ a", "a", 0, true}, {"-\ta ", "a", 0, true},
		{"1. a", "a", 0, true}, {"12) a", "a", 0, true}, {"123456789. a", "a", 0, true}, {"1234567890. a", "", 0, false},
		{"  - a", "a", 2, true}, {"\t- a", "a", 4, true}, {" \t- a", "a", 5, true},
		{"-", "", 0, true}, {"- ", "", 0, true}, {"1.", "", 0, true},
		{"", "", 0, false}, {"   ", "", 0, false}, {"a", "", 0, false}, {"-a", "", 0, false}, {"1.a", "", 0, false}, {"1", "", 0, false},
		{"---", "", 0, false}, {"**a** b", "", 0, false}, {"4.5 a", "", 0, false},
	} {
		if text, indent, ok := Item(c.line); text != c.text || indent != c.indent || ok != c.ok {
			t.Errorf("%q: %q, %d, %v, want %q, %d, %v", c.line, text, indent, ok, c.text, c.indent, c.ok)
		}
	}
}

func TestCheckBox(t *testing.T) {
	for _, c := range []struct {
		line, text  string
		checked, ok bool
	}{
		{"- [ ] a", "a", false, true}, {"- [x] a", "a", true, true}, {"* [X] a", "a", true, true}, {"1. [x]a", "a", true, true}, {"    - [x] a", "a", true, true},
		{"- [] a", "a", false, true}, {"- [  ] a", "a", false, true}, {"- [ x ] a", "a", true, true}, {"- [ ]", "", false, true},
		{"- [√] a", "a", true, true}, {"- [✓] a", "a", true, true}, {"- [✔\uFE0F] a", "a", true, true},
		{"- [~] begun", "begun", false, true}, {"- [-] given up", "given up", false, true}, {"- [?] a", "a", false, true},
		{"- [x](there) a link", "", false, false}, {"- [x][there] a link", "", false, false}, {"- [[x]] a", "", false, false},
		{"- [TODO] a", "", false, false}, {"- [1] a source", "", false, false}, {"- [P1] a", "", false, false},
		{"- [x a", "", false, false}, {"- x] a", "", false, false}, {"[x] a", "", false, false}, {"- a [x]", "", false, false}, {"- [", "", false, false},
		{"- [\xff] a", "a", false, true},
	} {
		if text, checked, ok := CheckBox(c.line); text != c.text || checked != c.checked || ok != c.ok {
			t.Errorf("%q: %q, %v, %v, want %q, %v, %v", c.line, text, checked, ok, c.text, c.checked, c.ok)
		}
	}
}

func TestField(t *testing.T) {
	for _, c := range []struct {
		line, name, value string
		ok                bool
	}{
		{"**Goal**: a", "Goal", "a", true}, {"**Goal:** a", "Goal", "a", true}, {"  **Goal** : a  ", "Goal", "a", true},
		{"**Goal:**", "Goal", "", true}, {"**Goal**:", "Goal", "", true}, {"**Depends on**: **a**: b", "Depends on", "**a**: b", true},
		{"**Goal** a", "", "", false}, {"**Goal** a: b", "", "", false}, {"Goal: a", "", "", false}, {"a **Goal**: b", "", "", false},
		{"**Goal: a", "", "", false}, {"****: a", "", "", false}, {"**:** a", "", "", false}, {"** **: a", "", "", false}, {"**", "", "", false},
	} {
		if name, value, ok := Field(c.line); name != c.name || value != c.value || ok != c.ok {
			t.Errorf("%q: %q, %q, %v, want %q, %q, %v", c.line, name, value, ok, c.name, c.value, c.ok)
		}
	}
}

func TestCells(t *testing.T) {
	for _, c := range []struct {
		line  string
		cells []string
	}{
		{"| a | b |", []string{"a", "b"}}, {"|a|b|", []string{"a", "b"}}, {"  | a | b", []string{"a", "b"}}, {"| a | | c |", []string{"a", "", "c"}},
		{`| a \| b | c |`, []string{"a | b", "c"}}, {`| a \| b`, []string{"a | b"}}, {`| a \`, []string{`a \`}}, {`| a \\| b |`, []string{`a \\`, "b"}},
		{"||", []string{""}}, {"|", nil}, {"", nil}, {"a | b", nil}, {"| größe |", []string{"größe"}},
	} {
		if got := Cells(c.line); !slices.Equal(got, c.cells) {
			t.Errorf("%q: %q, want %q", c.line, got, c.cells)
		}
	}
}

func TestRule(t *testing.T) {
	for line, want := range map[string]bool{
		"|---|:--:|": true, "| - | -: |": true, "|---": true, "| -- - |": true,
		"| a | - |": false, "|---| |": false, "| : |": false, "---": false, "": false,
	} {
		if got := Rule(Cells(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestPlain(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "  a  ": "a", "**a** `b`": "a b", "__a__ ~~b~~": "a b", "***a***": "*a*", "a * b_c": "a * b_c",
		"write `__init__.py` and `**kwargs`": "write __init__.py and **kwargs",
		"an open ` and **a**":                "an open  and a", "``a``": "a", "`a` **b** `c": "a b c",
	} {
		if got := Plain(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}
