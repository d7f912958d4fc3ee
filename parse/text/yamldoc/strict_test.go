package yamldoc

import (
	"errors"
	"fmt"
	"testing"
)

func TestStrict(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\n": "", "---\na: 1\n": "", "{a: 1}": "", "a: &x {b: 1}\nc: *x\n": "", "a:\n  b: 1\nc:\n  b: 2\n": "",
		"": "mapping", "# x\n": "mapping", "- a\n": "mapping", "a\n": "mapping", "a: 1\n---\nb: 2\n": "mapping",
		"a: [": "syntax", "a: 1\na: 2\n": "2 twice", "a:\n  b: 1\n  b: 2\n": "3 twice", "l:\n  - {b: 1, b: 2}\n": "2 twice", "\"a\": 1\na: 2": "2 twice",
	} {
		_, err := Strict(text)
		got, e := "", (*Error)(nil)
		switch {
		case errors.Is(err, ErrNotOneMapping):
			got = "mapping"
		case errors.As(err, &e) && e.Text == "the key a is there twice" || e != nil && e.Text == "the key b is there twice":
			got = fmt.Sprint(e.Line, " twice")
		case err != nil:
			got = "syntax"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	d, err := Strict("text: yes\ndate: 2026-01-26\nquoted: \"1\"\nnothing: null\ntilde: ~\nbare:\nwhole: 0x10\nfraction: 0.0\ntruth: true\nlist: [a, \"1\"]\nmixed: [a, 1]\nmap: {k: v}\nalias: &a word\nuse: *a\nhuge: 99999999999999999999999\n")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]Kind{
		"text": Text, "date": Text, "quoted": Text, "nothing": Null, "tilde": Null, "bare": Null, "whole": Whole, "fraction": Fraction, "truth": Truth,
		"list": List, "map": Mapping, "use": Text, "none": Absent,
	} {
		if got := d.Kind(key); got != want {
			t.Errorf("%s is of kind %d, want %d", key, got, want)
		}
	}
	if n, ok := d.Int64("whole"); n != 16 || !ok {
		t.Error(n, ok)
	}
	if _, ok := d.Int64("quoted"); ok {
		t.Error("a text is a number")
	}
	if _, ok := d.Int64("huge"); ok {
		t.Error("a number that fits nowhere fits")
	}
	if is, ok := d.Bool("truth"); !is || !ok {
		t.Error(is, ok)
	}
	if _, ok := d.Bool("text"); ok {
		t.Error("yes is true")
	}
	if list, ok := d.Texts("list"); !ok || len(list) != 2 {
		t.Errorf("%q %v", list, ok)
	}
	if _, ok := d.Texts("mixed"); ok {
		t.Error("a number is a text")
	}
	if others := d.Others("text", "date"); len(others) != d.Len()-2 || others[0] != "quoted" {
		t.Errorf("%q", others)
	}
}

func TestEqual(t *testing.T) {
	read := func(text string) Doc {
		d, err := Strict(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	a := read("a: 1\nb: [x, {c: d}]\n")
	for text, want := range map[string]bool{
		"{b: [x, {c: \"d\"}], a: 1}": true, "a: 1\nb: [x, {c: e}]\n": false, "a: '1'\nb: [x, {c: d}]\n": false, "a: 1\n": false, "a: 1\nb: [x]\n": false, "a: 1\nz: [x, {c: d}]\n": false,
	} {
		if got := a.Equal(read(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
