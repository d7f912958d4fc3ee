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

// drawn draws a frame of hand-made text and checks that it is well-formed XML.
func drawn(t *testing.T, frame string, width, height int) string {
	t.Helper()
	s, err := parseFrame(frame, width, height)
	if err != nil {
		t.Fatal(err)
	}
	svg := drawSVG(s, &dark, window{title: `a <b> & "c"`, alt: "a picture"})
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
		"faint lies towards the background": {"\x1b[2ma", 1, []string{`fill="#86898f">a<`}, nil},
		"equal blocks and lines are one shape": {"███░░──", 7, []string{
			`<rect x="12" y="42" width="27" height="15" fill="#d8dbe2"/>`,
			`<rect x="39" y="42" width="18" height="15" fill="#d8dbe2" fill-opacity="0.22"/>`,
			`<rect x="57" y="49" width="18" height="1" fill="#d8dbe2"/>`,
		}, []string{"<text x=\"12\""}},
		"corners meet lines":   {"╭─", 2, []string{`<path d="M16.5 59Q16.5 49.5 21 49.5" fill="none" stroke="#d8dbe2"/>`}, nil},
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
		if got := dark.colorOf(ansi.IndexedColor(index), rgb{}).String(); got != want {
			t.Errorf("color %d is %s, want %s", index, got, want)
		}
	}
}

func TestCompareNamesWhatDiffers(t *testing.T) {
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

// TestMain has file times reach the frames as they do in main.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// pictured are the pictures, drawn once for all tests.
var pictured = sync.OnceValues(func() ([]file, error) { return drawAll(context.Background()) })

// The committed pictures are what the code draws, byte for byte: drawing them must not depend on the day, the place or the order of a map.
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
