package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// reelOf draws screens of two rows.
func reelOf(t *testing.T, frames ...string) string {
	t.Helper()
	var reel []still
	for i, frame := range frames {
		s, err := parseFrame(frame, 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		key := ""
		if i > 0 {
			key = "a"
		}
		reel = append(reel, still{s, key, time.Duration(i+1) * time.Second})
	}
	svg := drawSVG(&dark, window{"reel", "a reel"}, reel...)
	isXML(t, svg)
	return svg
}

func TestAReelDrawsUnchangedRowsOnce(t *testing.T) {
	svg := reelOf(t, "ab\nxy", "cd\nxy", "ab\nxy")
	if n := strings.Count(svg, ">xy<"); n != 1 {
		t.Errorf("xy is drawn %d times, want once for all", n)
	}
	for _, want := range []string{
		"<g class=\"s1\">\n<text x=\"12\" y=\"54\" textLength=\"18\" fill=\"#d8dbe2\">cd<",
		"@keyframes s1{0%{visibility:hidden}16.67%{visibility:visible}50%{visibility:hidden}}",
		".s0{visibility:visible;animation:s0 6s step-end infinite}",
		".s1{visibility:hidden;animation:s1 6s step-end infinite}",
		"@media (prefers-reduced-motion: reduce)",
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if still := reelOf(t, "ab\nxy"); strings.Contains(still, "<g class") || strings.Contains(still, "<style") {
		t.Errorf("one screen alone moves:\n%s", still)
	}
}

// TestApprovingIsAPictureForGitHub: GitHub shows the picture as an image, so nothing in it may run, and it has to be small.
func TestApprovingIsAPictureForGitHub(t *testing.T) {
	files, err := pictured()
	if err != nil {
		t.Fatal(err)
	}
	f := files[slices.IndexFunc(files, func(f file) bool { return f.name == "approving" })]
	isXML(t, f.svg)
	if n := len(f.svg); n > 150_000 {
		t.Errorf("%d bytes, want at most 150,000", n)
	}
	for _, no := range []string{"<script", "href", "url(", "@import", "<foreignObject"} {
		if strings.Contains(f.svg, no) {
			t.Errorf("%s in it", no)
		}
	}
	for _, want := range []string{"y approve", "then starts: Phase WRITE", "approved outline-gate"} {
		if !strings.Contains(f.svg, want) {
			t.Errorf("%q is not shown", want)
		}
	}
}
