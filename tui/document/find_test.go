package document

import (
	"slices"
	"strings"
	"testing"
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
