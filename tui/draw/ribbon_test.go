package draw

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model/line"
)

func plainLook(ascii bool) *Look {
	return &Look{Theme: NewStyles(ThemeMono), Glyphs: NewGlyphs(ascii), Now: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)}
}

func TestRibbonCutsAndPads(t *testing.T) {
	l := plainLook(false)
	for _, c := range []struct {
		room int
		text string
		want string
	}{
		{8, "abc", "abc     "},
		{8, "abcdefgh", "abcdefgh"},
		{8, "abcdefghi", "abcdefg…"},
		{1, "abc", "…"},
		{0, "abc", ""},
		{-3, "abc", ""},
		{5, "日本語", "日本…"},
		{4, "日本語", "日… "},
		{9, "a\nb\x1b[1mc", "a b�[1mc "},
		{6, "x👍🏽y", "x▫y   "},
	} {
		r := l.Ribbon(c.room)
		r.Add("", c.text)
		if got := r.Line(); got != c.want {
			t.Errorf("%q in %d columns: %q, want %q", c.text, c.room, got, c.want)
		}
	}
}

// TestMeasure checks that all ways of counting columns agree, whatever surrounds a text, and that displayable text is
// displayed.
func TestMeasure(t *testing.T) {
	l := plainLook(false)
	for _, c := range []struct {
		text, shown string
		columns     int
	}{
		{"กำลังทำ", "ก\u0e4dาล\u0e31งท\u0e4dา", 6}, // Thai, split into characters that look the same
		{"ำ", "\u0e4dา", 1}, {"ຳ", "\u0ecdາ", 1}, {"aำ", "a\u0e4dา", 2},
		{"เสร็จแล้ว", "เสร็จแล้ว", 7},
		{"日本語", "日本語", 6}, {"한국어", "한국어", 6}, {"e\u0301", "e\u0301", 1}, {"Größe ∞", "Größe ∞", 7}, {"🙂", "🙂", 2},
		{"का", "▫", 1}, {"\u0903", "▫", 1}, {"a\u0903b", "▫b", 2}, // Devanagari: a vowel next to its letter
		{"👍🏽", "▫", 1}, {"🏽", "▫", 1}, {"\u1161", "▫", 1}, {"\u0d4e", "▫", 1}, {"b\u0d4e", "b▫", 2},
		{"\u3248a", "▫a", 2}, {"\u0378", "▫", 1}, {"☰", "▫", 1}, {"\U0001d300", "▫", 1},
	} {
		shown, columns := l.Measure(c.text)
		if shown != c.shown || columns != c.columns {
			t.Errorf("%+q is shown as %+q in %d columns, want %+q in %d", c.text, shown, columns, c.shown, c.columns)
		}
		for _, around := range []string{"x", " ", "│", "日", "é"} {
			whole := around + shown + around
			want := 2*ansi.StringWidth(around) + columns
			if g, w, own := ansi.StringWidth(whole), ansi.StringWidthWc(whole), line.Width(whole); g != want || w != want || own != want {
				t.Errorf("%+q between %q is %d, %d or %d columns wide, want %d", shown, around, g, w, own, want)
			}
		}
	}
}

func TestASCIITextKeepsItsColumns(t *testing.T) {
	l := plainLook(true)
	r := l.Ribbon(12)
	r.Add("", "Ünder – ░█ lost")
	if got, want := r.Line(), "?nder - ...."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRibbonSwitchesStylesOffAtTheEnd(t *testing.T) {
	l := plainLook(false)
	r := l.Ribbon(10)
	r.Under = l.Theme.Selected
	r.Add(l.Theme.Strong, "ab")
	r.Add("", "cd")
	if got, want := ansi.Strip(r.Line()), "abcd      "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := r.Line(); !strings.HasSuffix(got, reset) {
		t.Errorf("%q ends with a style switched on", got)
	}
}

func TestBarNeverLooksFullerThanItIs(t *testing.T) {
	l := &Look{Theme: NewStyles(ThemeMono), Glyphs: NewGlyphs(false)}
	for _, c := range []struct {
		done, total, cells int
		want               string
	}{
		{0, 10, 5, "─────"}, {1, 10, 5, "╸────"}, {5, 10, 5, "━━╸──"}, {99, 100, 5, "━━━━╸"}, {10, 10, 5, "━━━━━"},
		{12, 10, 5, "━━━━━"}, {-1, 10, 5, "─────"}, {1, 0, 5, ""}, {1, 2, 0, ""},
	} {
		r := l.Ribbon(20)
		r.Bar(c.done, c.total, c.cells)
		if got := ansi.Strip(r.Cut()); got != c.want {
			t.Errorf("bar(%d, %d, %d) = %q, want %q", c.done, c.total, c.cells, got, c.want)
		}
	}
}

func TestGlyphsAreOneColumnAndDifferent(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		g := NewGlyphs(ascii)
		seen := map[string]bool{}
		for _, s := range append(g.status[:], g.MayWait, g.Turn) {
			if ansi.StringWidth(s) != 1 || ansi.StringWidthWc(s) != 1 {
				t.Errorf("%q is not one column wide", s)
			}
			if seen[s] {
				t.Errorf("%q stands for two statuses", s)
			}
			seen[s] = true
		}
	}
}

func TestThemeFor(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		wish    Theme
		profile colorprofile.Profile
		dark    *bool
		want    Theme
	}{
		{ThemeAuto, colorprofile.TrueColor, nil, ThemeBasic},
		{ThemeAuto, colorprofile.TrueColor, &yes, ThemeDark},
		{ThemeAuto, colorprofile.ANSI256, &no, ThemeLight},
		{ThemeLight, colorprofile.TrueColor, &yes, ThemeLight},
		{ThemeLight, colorprofile.ANSI, &yes, ThemeBasic},
		{ThemeMono, colorprofile.TrueColor, &yes, ThemeMono},
		{ThemeDark, colorprofile.ASCII, &yes, ThemeMono},
	} {
		if got := ThemeFor(c.wish, c.profile, c.dark); got != c.want {
			t.Errorf("%s on %s: %s, want %s", c.wish, c.profile, got, c.want)
		}
	}
	if _, err := ParseTheme("neon"); err == nil {
		t.Error("a theme that does not exist was accepted")
	}
}
