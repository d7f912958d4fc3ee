package yamldoc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\n": "", "---\na: 1\n": "", "{a: 1}": "", "a: &x {b: 1}\nc: *x\n": "", "a:\n  b: 1\nc:\n  b: 2\n": "",
		"": "mapping", "# x\n": "mapping", "- a\n": "mapping", "a\n": "mapping", "a: 1\n---\nb: 2\n": "mapping",
		"a: [": "syntax", "a: 1\na: 2\n": "2 twice", "a:\n  b: 1\n  b: 2\n": "3 twice", "l:\n  - {b: 1, b: 2}\n": "2 twice", "\"a\": 1\na: 2": "2 twice",
	} {
		_, err := Parse(text)
		got, e := "", (*Error)(nil)
		switch {
		case errors.Is(err, ErrNotOneMapping):
			got = "mapping"
		case errors.As(err, &e) && strings.Contains(e.Text, "twice"):
			got = fmt.Sprint(e.Line, " twice")
		case err != nil:
			got = "syntax"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestValues(t *testing.T) {
	d, err := Parse("text: yes\ndate: 2026-01-26\nquoted: \"1\"\nnothing: null\ntilde: ~\nbare:\nwhole: 0x10\nfraction: 0.0\ntruth: true\nlist: [a, \"1\"]\nmixed: [a, 1]\nmap: {k: v}\nalias: &a word\nuse: *a\nhuge: 99999999999999999999999\nplan: 01\nlists: [[a]]\n")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]Kind{
		"text": Text, "date": Text, "quoted": Text, "nothing": Null, "tilde": Null, "bare": Null, "whole": Whole, "fraction": Fraction, "truth": Truth,
		"list": List, "map": Mapping, "use": Text, "none": Absent,
	} {
		if got := d.Kind(key); got != want {
			t.Errorf("%s is %d, want %d", key, got, want)
		}
	}
	for key, want := range map[string]string{"plan": "01", "quoted": "1", "nothing": "", "list": "", "map": "", "none": "", "use": "word"} {
		if got := d.String(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	for key, want := range map[string]string{"whole": "16 true", "quoted": "0 false", "huge": "0 false"} {
		if n, ok := d.Int64(key); fmt.Sprint(n, ok) != want {
			t.Errorf("%s is %d, %v, want %s", key, n, ok, want)
		}
	}
	for key, want := range map[string]string{"truth": "true true", "text": "false false"} {
		if is, ok := d.Bool(key); fmt.Sprint(is, ok) != want {
			t.Errorf("%s is %v, %v, want %s", key, is, ok, want)
		}
	}
	for key, want := range map[string]string{"list": "[a 1] true", "mixed": "[] false", "lists": "[] false", "text": "[] false"} {
		if texts, ok := d.Texts(key); fmt.Sprint(texts, ok) != want {
			t.Errorf("%s has %q, %v, want %s", key, texts, ok, want)
		}
	}
	if others := d.Doc("map").Others(); !slices.Equal(others, []string{"k"}) || len(d.Others("text", "date")) != 15 {
		t.Errorf("%q", others)
	}
}
