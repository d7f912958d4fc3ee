package draw

// Colors by role. A theme is a set of SGR prefixes made once with Lip Gloss; drawing only copies them.

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"gatehouse/model"
)

// Theme names a set of colors.
type Theme string

// The themes. Auto asks the terminal for its background and shows the sixteen colors of ThemeBasic until it answers.
const (
	ThemeAuto  Theme = "auto"
	ThemeDark  Theme = "dark"
	ThemeLight Theme = "light"
	ThemeBasic Theme = "basic" // the terminal's own sixteen colors
	ThemeMono  Theme = "mono"  // no color: bold, faint and reverse only
)

// Themes returns the names of the themes.
func Themes() []string {
	return []string{string(ThemeAuto), string(ThemeDark), string(ThemeLight), string(ThemeBasic), string(ThemeMono)}
}

// ParseTheme returns the theme with a name, or an error that lists the names.
func ParseTheme(name string) (Theme, error) {
	if slices.Contains(Themes(), name) {
		return Theme(name), nil
	}
	return "", fmt.Errorf("no theme %q: choose auto, dark, light, basic or mono", name)
}

// Style is the escape sequence that switches a style on; "" is the terminal's own text.
type Style string

// Styles holds a style for each role. Text has none: it is the terminal's own.
type Styles struct {
	Dim, Strong, Accent   Style
	Emphasis, Link        Style
	OK, Run, Wait, Block  Style
	Chip                  Style // the label of a wait
	Chosen                Style // added to the color of a chip that is on
	Section               Style // the heading of a part of a page: quiet
	Title                 Style // the name of the pane that has the keys
	Changed               Style // the mark of a change that the user has not seen yet
	Border, borderFocused Style
	Pointer               Style // the mark of the selected row in the pane with the focus
	Selected              Style // the bar of the selected row: it lies under the other styles of a line,
	Mono                  bool  // there are no colors
	solid                 bool  // or replaces them: reversed text shows a patch for each color
}

func NewStyles(t Theme) *Styles {
	plain := lipgloss.NewStyle()
	fg := func(name string) lipgloss.Style { return plain.Foreground(lipgloss.Color(name)) }
	th := &Styles{Dim: sgrOf(plain.Faint(true)), Strong: sgrOf(plain.Bold(true)), Border: sgrOf(plain.Faint(true))}
	th.Section = sgrOf(plain.Faint(true).Bold(true))
	th.Emphasis, th.Link = sgrOf(plain.Italic(true)), sgrOf(plain.Underline(true))
	// Statuses use the terminal's own sixteen colors if those are readable, so that the user's palette applies.
	var accent, ok, run, wait, block lipgloss.Style
	switch t {
	case ThemeDark:
		accent, ok, run, wait, block = fg("147"), fg("2"), fg("6"), fg("3"), fg("1")
		th.Selected = barOn("#3A3765")
	case ThemeLight:
		accent, ok, run, wait, block = fg("62"), fg("#1A7F37"), fg("#0A6C8A"), fg("#9A6700"), fg("#CF222E")
		th.Selected = barOn("#D9D5FF")
	case ThemeMono:
		accent, ok, run, wait, block = plain.Bold(true), plain, plain, plain, plain
		th.Mono = true
		th.Selected, th.solid = sgrOf(plain.Reverse(true).Bold(true)), true
	default:
		accent, ok, run, wait, block = fg("5"), fg("2"), fg("6"), fg("3"), fg("1")
		th.Selected, th.solid = sgrOf(plain.Reverse(true).Bold(true)), true
	}
	th.Accent, th.borderFocused = sgrOf(accent), sgrOf(accent)
	th.Pointer, th.Title = sgrOf(accent.Bold(true)), sgrOf(accent.Bold(true))
	th.Changed, th.Chosen = sgrOf(wait), sgrOf(plain.Reverse(true))
	th.OK, th.Run = sgrOf(ok), sgrOf(run)
	th.Wait, th.Block = sgrOf(wait.Bold(true)), sgrOf(block.Bold(true))
	th.Chip = sgrOf(wait.Bold(true).Reverse(true))
	return th
}

// sgrOf returns the escape sequence of a style.
func sgrOf(s lipgloss.Style) Style {
	on, _, _ := strings.Cut(s.Render("x"), "x")
	return Style(on)
}

// barOn returns the style of a selected row on a background.
func barOn(color string) Style {
	return sgrOf(lipgloss.NewStyle().Bold(true).Background(lipgloss.Color(color)))
}

// Status returns the style of a status's glyph and word.
func (t *Styles) Status(s model.Status) Style {
	switch s {
	case model.Done:
		return t.OK
	case model.Active, model.Retrying:
		return t.Run
	case model.Waiting:
		return t.Wait
	case model.Blocked, model.Failed:
		return t.Block
	}
	return t.Dim
}

// ThemeFor returns the theme to draw with: the requested one as far as the output's colors allow. A background that is not
// known yet is nil.
func ThemeFor(wish Theme, profile colorprofile.Profile, dark *bool) Theme {
	switch {
	case profile == colorprofile.NoTTY || profile == colorprofile.ASCII:
		return ThemeMono
	case profile == colorprofile.ANSI && wish != ThemeMono:
		return ThemeBasic // the finer colors would be rounded, and the selection to nothing
	case wish != ThemeAuto:
		return wish
	case dark == nil:
		return ThemeBasic
	case *dark:
		return ThemeDark
	}
	return ThemeLight
}
