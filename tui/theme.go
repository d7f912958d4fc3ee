package tui

// Colours by role. A theme is a set of SGR prefixes made once with Lip Gloss; drawing only copies them.

import (
	"fmt"
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"gatehouse/model"
)

// Theme names a set of colours.
type Theme string

// The themes. Auto asks the terminal for its background and shows the sixteen colours of ThemeBasic until it answers.
const (
	ThemeAuto  Theme = "auto"
	ThemeDark  Theme = "dark"
	ThemeLight Theme = "light"
	ThemeBasic Theme = "basic" // the terminal's own sixteen colours
	ThemeMono  Theme = "mono"  // no colour: bold, faint and reverse only
)

// ParseTheme returns the theme of a name, or an error that lists the names.
func ParseTheme(name string) (Theme, error) {
	switch t := Theme(name); t {
	case ThemeAuto, ThemeDark, ThemeLight, ThemeBasic, ThemeMono:
		return t, nil
	}
	return "", fmt.Errorf("no theme %q: choose auto, dark, light, basic or mono", name)
}

// style is the escape sequence that switches a look on; "" is the terminal's own text.
type style string

// theme holds a style for each role. Text has none: it is the terminal's own.
type theme struct {
	dim, strong, accent   style
	ok, run, wait, block  style
	chip                  style // the label of what waits
	chosen                style // beside the colour of a chip that is on
	changed               style // the mark of what the user has not seen yet
	border, borderFocused style
	pointer               style // the mark of the selected row in the pane with the focus
	selected              style // lies under the other styles of a line that stands out,
	solid                 bool  // or replaces them: what is reversed shows a patch for each colour
}

// marker returns the style of the mark of a selected row.
func (t *theme) marker(focused bool) style {
	if focused {
		return t.pointer
	}
	return t.dim
}

func newTheme(t Theme) *theme {
	plain := lipgloss.NewStyle()
	fg := func(name string) lipgloss.Style { return plain.Foreground(lipgloss.Color(name)) }
	th := &theme{dim: prefix(plain.Faint(true)), strong: prefix(plain.Bold(true)), border: prefix(plain.Faint(true))}
	// Statuses keep to the terminal's own sixteen colours where those can be read, so that the user's palette holds.
	var accent, ok, run, wait, block lipgloss.Style
	switch t {
	case ThemeDark:
		accent, ok, run, wait, block = fg("147"), fg("2"), fg("6"), fg("3"), fg("1")
		th.selected = background(lipgloss.Color("#2E2C4A"))
	case ThemeLight:
		accent, ok, run, wait, block = fg("62"), fg("#1A7F37"), fg("#0A6C8A"), fg("#9A6700"), fg("#CF222E")
		th.selected = background(lipgloss.Color("#E6E4FF"))
	case ThemeMono:
		accent, ok, run, wait, block = plain.Bold(true), plain, plain, plain, plain
		th.selected, th.solid = prefix(plain.Reverse(true)), true
	default:
		accent, ok, run, wait, block = fg("5"), fg("2"), fg("6"), fg("3"), fg("1")
		th.selected, th.solid = prefix(plain.Reverse(true)), true
	}
	th.accent, th.borderFocused = prefix(accent), prefix(accent)
	th.pointer = prefix(accent.Bold(true))
	th.changed, th.chosen = prefix(wait), prefix(plain.Reverse(true))
	th.ok, th.run = prefix(ok), prefix(run)
	th.wait, th.block = prefix(wait.Bold(true)), prefix(block.Bold(true))
	th.chip = prefix(wait.Bold(true).Reverse(true))
	return th
}

// prefix returns what a style writes before the text.
func prefix(s lipgloss.Style) style {
	on, _, _ := strings.Cut(s.Render("x"), "x")
	return style(on)
}

func background(c color.Color) style { return prefix(lipgloss.NewStyle().Background(c)) }

// status returns the style of a status's glyph and word.
func (t *theme) status(s model.Status) style {
	switch s {
	case model.Done:
		return t.ok
	case model.Active, model.Retrying:
		return t.run
	case model.Waiting:
		return t.wait
	case model.Blocked, model.Failed:
		return t.block
	}
	return t.dim
}

// themeFor returns the theme to draw with: the wished one as far as the output's colours allow. A background that is not
// known yet is nil.
func themeFor(wish Theme, profile colorprofile.Profile, dark *bool) Theme {
	switch {
	case profile == colorprofile.NoTTY || profile == colorprofile.ASCII:
		return ThemeMono
	case profile == colorprofile.ANSI && wish != ThemeMono:
		return ThemeBasic // the finer colours would be rounded, and the selection to nothing
	case wish != ThemeAuto:
		return wish
	case dark == nil:
		return ThemeBasic
	case *dark:
		return ThemeDark
	}
	return ThemeLight
}
