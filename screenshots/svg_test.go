package main

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// TestMain sets the time zone of file times, as main does.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// drawn draws frames given as text, one after the other, and checks that they are well-formed XML.
func drawn(t *testing.T, width, height int, frames ...string) string {
	t.Helper()
	var reel []still
	for i, frame := range frames {
		s, err := parseFrame(frame, width, height)
		if err != nil {
			t.Fatal(err)
		}
		reel = append(reel, still{s, strings.Repeat("a", min(i, 1)), time.Duration(i+1) * time.Second})
	}
	svg := drawSVG(window{title: `a <b> & "c"`, alt: "a picture"}, reel...)
	checkXML(t, svg)
	return svg
}

func checkXML(t *testing.T, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
	}
}

// TestDrawSVG checks what is drawn for frames.
func TestDrawSVG(t *testing.T) {
	for name, c := range map[string]struct {
		frame string
		width int
		want  []string
	}{
		"a run of one look is one text of a given length": {"a b\x1b[1mc ", 5, []string{
			`<text x="12" y="54" textLength="27" fill="#d8dbe2">a b</text>`,
			`<text x="39" y="54" textLength="9" fill="#d8dbe2" font-weight="bold">c</text>`,
		}},
		"markup is text": {"<&", 2, []string{`>&lt;&amp;</text>`}},
		"other glyphs stand in the middle of their cell": {"a≠b", 3, []string{
			`<text x="25.5" y="54" text-anchor="middle" fill="#d8dbe2">≠</text>`, `<text x="30" y="54" textLength="9" fill="#d8dbe2">b</text>`,
		}},
		"a background is one rectangle a run": {"\x1b[44mab\x1b[0m ", 3, []string{`<rect x="12" y="40" width="18" height="19" fill="#7aa7f0"/>`}},
		"reverse changes the colors over":     {"\x1b[7ma", 1, []string{`<rect x="12" y="40" width="9" height="19" fill="#d8dbe2"/>`, `fill="#15171c">a<`}},
		"faint lets the background through":   {"\x1b[2ma", 1, []string{`fill="#d8dbe2" opacity="0.58">a<`}},
		"equal blocks and lines are one shape": {"██░──", 5, []string{
			`<path d="M12 40m0 17h9v-15h-9zM21 40m0 17h9v-15h-9z" fill="#d8dbe2"/>`,
			`<path d="M39 40m0 9.5h9M48 40m0 9.5h9" fill="none" stroke="#d8dbe2" stroke-width="1"/>`,
		}},
		"a true color is kept": {"\x1b[38;2;168;164;255ma", 1, []string{`fill="#a8a4ff">a<`}},
	} {
		svg := drawn(t, c.width, 1, c.frame)
		for _, want := range c.want {
			if !strings.Contains(svg, want) {
				t.Errorf("%s: no %s in\n%s", name, want, svg)
			}
		}
	}
	svg := drawn(t, 2, 2, "ab\nxy", "cd\nxy", "ab\nxy")
	if n := strings.Count(svg, ">xy<"); n != 1 {
		t.Errorf("xy is drawn %d times, want once for all screens", n)
	}
	for _, want := range []string{
		"<g class=\"s1\">\n<text x=\"12\" y=\"54\" textLength=\"18\" fill=\"#d8dbe2\">cd<",
		"@keyframes s1{0%{visibility:hidden}16.67%{visibility:visible}50%{visibility:hidden}}",
		".s0{visibility:visible;animation:s0 6s step-end infinite}", "@media (prefers-reduced-motion: reduce)",
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
}

// TestParseFrame checks colors, styles across lines, and what is refused.
func TestParseFrame(t *testing.T) {
	for sgr, want := range map[string]string{
		"": dark.fg, "\x1b[31m": dark.ansi[1], "\x1b[91m": dark.ansi[9], "\x1b[38;5;7m": dark.ansi[7], "\x1b[38;5;200m": "#ff00d7",
		"\x1b[1;38;2;1;2;3m": "#010203", "\x1b[7;41m": dark.ansi[1], "\x1b[31;41m\x1b[39;49m": dark.fg,
	} {
		s, err := parseFrame(sgr+"x", 1, 1)
		if err != nil {
			t.Errorf("%q: %v", sgr, err)
			continue
		}
		if got, _ := dark.cellColors(s.rows[0][0].Style); got != want {
			t.Errorf("%q: %v, want %v", sgr, got, want)
		}
	}
	s, err := parseFrame("\x1b[1ma \n◆e\u0301", 2, 2)
	if err != nil || s.rows[1][1].Content != "e\u0301" || s.rows[1][1].Style.Attrs != uv.AttrBold {
		t.Errorf("%+v, %v", s, err)
	}
	for frame, want := range map[string]string{
		"ab": "1 lines, want 2", "ab\nabc": "line 2: 3 cells, want at most 2", "a\nab": "line 1: 1 cells, want 2", "ab\n\x1b[2J": "no SGR sequence",
		"ab\n\x1b]0;": "no SGR sequence", "ab\na\t": "does not fit one cell", "ab\n鳥": "does not fit one cell", "ab\na\xff": "does not fit one cell",
	} {
		if _, err := parseFrame(frame, 2, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", frame, err, want)
		}
	}
}

// pictured returns all pictures, drawn once for all tests.
var pictured = sync.OnceValues(func() ([]file, error) { return drawAll(context.Background()) })

// TestPictures checks that the code draws the committed pictures byte for byte, and that nothing in the moving one runs where GitHub
// shows it.
func TestPictures(t *testing.T) {
	files, err := pictured()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if committed, err := os.ReadFile(f.name + ".svg"); err != nil || string(committed) != f.svg {
			t.Errorf("%s.svg: not what the code draws (%v); run make screenshots and look at it", f.name, err)
		}
		if strings.Contains(f.svg, os.TempDir()) || len(f.svg) > 200_000 {
			t.Errorf("%s shows a path of this machine, or is too large: %d bytes", f.name, len(f.svg))
		}
		for _, no := range []string{"<script", "href", "url(", "@import", "<foreignObject"} {
			if strings.Contains(f.svg, no) {
				t.Errorf("%s has %s", f.name, no)
			}
		}
		checkXML(t, f.svg)
	}
	approving := files[len(files)-1].svg
	for _, want := range []string{"y approve", "then starts: Phase WRITE", "approved outline-gate"} {
		if !strings.Contains(approving, want) {
			t.Errorf("%q is not shown", want)
		}
	}
}
