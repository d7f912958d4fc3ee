package main

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// drawn draws a frame given as text and checks that it is well-formed XML.
func drawn(t *testing.T, frame string, width, height int) string {
	t.Helper()
	s, err := parseFrame(frame, width, height)
	if err != nil {
		t.Fatal(err)
	}
	svg := drawSVG(&dark, window{title: `a <b> & "c"`, alt: "a picture"}, still{screen: s})
	isXML(t, svg)
	return svg
}

func isXML(t *testing.T, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
	}
}

func TestDrawSVG(t *testing.T) {
	const top, text = titleBar + margin/2, titleBar + margin/2 + baseline
	for name, tc := range map[string]struct {
		frame string
		width int
		want  []string
		not   []string
	}{
		"a run of one look is one text of a given length": {"a b\x1b[1mc ", 5, []string{
			`<text x="12" y="54" textLength="27" fill="#d8dbe2">a b</text>`,
			`<text x="39" y="54" textLength="9" fill="#d8dbe2" font-weight="bold">c</text>`,
		}, nil},
		"markup is text": {"<&", 2, []string{`>&lt;&amp;</text>`}, nil},
		"other glyphs stand in the middle of their cell": {"a≠b", 3, []string{
			`<text x="25.5" y="54" text-anchor="middle" fill="#d8dbe2">≠</text>`,
			`<text x="30" y="54" textLength="9" fill="#d8dbe2">b</text>`,
		}, nil},
		"a background is one rectangle a run": {"\x1b[44mab\x1b[0m ", 3, []string{
			`<rect x="12" y="40" width="18" height="19" fill="#7aa7f0"/>`,
		}, nil},
		"reverse changes the colors over": {"\x1b[7ma", 1, []string{
			`<rect x="12" y="40" width="9" height="19" fill="#d8dbe2"/>`, `fill="#15171c">a<`,
		}, nil},
		"faint lets the background through": {"\x1b[2ma", 1, []string{`fill="#d8dbe2" opacity="0.58">a<`}, nil},
		"equal blocks and lines are one shape": {"███░░──", 7, []string{
			`<path d="M12 40m0 17h9v-15h-9zM21 40m0 17h9v-15h-9zM30 40m0 17h9v-15h-9z" fill="#d8dbe2"/>`,
			`<path d="M39 40m0 17h9v-15h-9zM48 40m0 17h9v-15h-9z" fill="#d8dbe2" fill-opacity="0.22"/>`,
			`<path d="M57 40m0 9.5h9M66 40m0 9.5h9" fill="none" stroke="#d8dbe2" stroke-width="1"/>`,
		}, []string{"<text x=\"12\""}},
		"corners meet lines":   {"╭─", 2, []string{`<path d="M12 40m4.5 19q0-9.5 4.5-9.5M21 40m0 9.5h9" fill="none" stroke="#d8dbe2" stroke-width="1"/>`}, nil},
		"a true color is kept": {"\x1b[38;2;168;164;255ma", 1, []string{`fill="#a8a4ff">a<`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			svg := drawn(t, tc.frame, tc.width, 1)
			for _, want := range tc.want {
				if !strings.Contains(svg, want) {
					t.Errorf("no %s in\n%s", want, svg)
				}
			}
			for _, not := range tc.not {
				if strings.Contains(svg, not) {
					t.Errorf("%s in\n%s", not, svg)
				}
			}
		})
	}
	if top != 40 || text != 54 {
		t.Errorf("the first row is at %d, its text at %d; the table says 40 and 54", top, text)
	}
}

func TestPaletteOf256Colors(t *testing.T) {
	for index, want := range map[uint8]string{1: "#f0717b", 16: "#000000", 208: "#ff8700", 231: "#ffffff", 232: "#080808", 255: "#eeeeee"} {
		if got := dark.colorOf(ansi.IndexedColor(index), ""); got != want {
			t.Errorf("color %d is %s, want %s", index, got, want)
		}
	}
}

func TestCompareNamesChangedPictures(t *testing.T) {
	dir := t.TempDir()
	for name, svg := range map[string]string{"same.svg": "1", "other.svg": "1"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(svg), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := comparePictures(dir, []file{{"same", "1"}}); err != nil {
		t.Errorf("equal pictures: %v", err)
	}
	err := comparePictures(dir, []file{{"same", "1"}, {"other", "2"}, {"missing", "1"}})
	if err == nil || strings.Contains(err.Error(), "same.svg") ||
		!strings.Contains(err.Error(), "other.svg") || !strings.Contains(err.Error(), "missing.svg") {
		t.Errorf("compare: %v, want other.svg and missing.svg named", err)
	}
}

// TestMain sets the time zone of file times, as main does.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// pictured returns all pictures, drawn once for all tests.
var pictured = sync.OnceValues(func() ([]file, error) { return drawAll(context.Background()) })

// TestPicturesAreDrawnByTheCode: the code draws the committed pictures byte for byte, whatever the day, the place or the order of a map.
func TestPicturesAreDrawnByTheCode(t *testing.T) {
	files, err := pictured()
	if err != nil {
		t.Fatal(err)
	}
	if err := comparePictures(".", files); err != nil {
		t.Error(err)
	}
	for _, f := range files {
		if strings.Contains(f.svg, os.TempDir()) {
			t.Errorf("%s shows a path of this machine", f.name)
		}
	}
}
