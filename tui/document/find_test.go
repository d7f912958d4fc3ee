package document

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	l := plainLook(false)
	rows := Raw(l, "One Two\ntwo three two\nnothing İ\n"+"a line that is broken right here", 24)
	for text, want := range map[string][]Hit{
		"two": {{0, 4, 7, 0}, {1, 0, 3, 1}, {1, 10, 13, 2}}, "TWO T": {{1, 0, 5, 0}}, "": nil, "  ": nil, "absent": nil,
		"broken right": {{3, 15, 21, 0}, {4, 0, 5, 0}}, // across the end of a row
	} {
		if got := Find(rows, text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if hits := Find(Raw(l, strings.Repeat("aaaa aaaa aaaa\n", 20_000), 80), "a"); len(hits) != hitsLimit {
		t.Errorf("%d hits", len(hits))
	}
}

func TestFindKeepsCombiningMarks(t *testing.T) {
	rows := []Row{{Line: 1, Spans: []Span{{Text: "cafe\u0301!"}}}}
	if got := Find(rows, "e"); len(got) != 1 || got[0].To != len("cafe\u0301") {
		t.Errorf("%v", got)
	}
}

func TestChangesSinceTheLastLook(t *testing.T) {
	at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	var looks Looks
	first := looks.Of("/p", "a.md").Again("/p", "a.md", "one\ntwo\nthree\n", at)
	if first.Changed() || first.Changes() != nil {
		t.Error("changed at the first look")
	}
	looks.Remember(first)
	second := looks.Of("/p", "a.md").Again("/p", "a.md", "one\n2\nthree\nfour\n", at.Add(time.Hour))
	want := []Change{{Sign: '@'}, {' ', "one", 1}, {'-', "two", 0}, {'+', "2", 2}, {' ', "three", 3}, {'+', "four", 4}}
	if got := second.Changes(); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	looks.Remember(second)
	if third := looks.Of("/p", "a.md").Again("/p", "a.md", second.Text, at.Add(2*time.Hour)); !third.Changed() || !third.BeforeAt.Equal(at) {
		t.Error("whoever looks twice sees nothing new")
	}
	for i := range 3 * lookedKept {
		looks.Remember(Looked{File: strings.Repeat("x", i)})
	}
	if len(looks.all) != lookedKept || looks.Of("/p", "a.md").Text != "" {
		t.Errorf("%d files are remembered", len(looks.all))
	}
	if got := Beginning(strings.Repeat("é", LookedBytes)); len(got) > LookedBytes || !IsText(got) {
		t.Error("the beginning is cut inside of a letter")
	}
	long := Looked{Before: strings.Repeat("a\n", 4000), BeforeAt: at, Text: strings.Repeat("b\n", 4000)}
	if got := long.Changes(); len(got) != changedRows+1 || got[changedRows].Sign != '!' {
		t.Errorf("%d rows", len(got))
	}
}
