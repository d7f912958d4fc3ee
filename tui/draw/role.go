package draw

// Roles: the parts of the screen with configurable styles, and the syntax of a style: "bold yellow", "reverse", "white on #3A3765".

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// roles set the style of each role, by the name of the role.
var roles = map[string]func(t *Styles, s Style){
	"dim":      func(t *Styles, s Style) { t.Dim = s },
	"strong":   func(t *Styles, s Style) { t.Strong = s },
	"emphasis": func(t *Styles, s Style) { t.Emphasis = s },
	"link":     func(t *Styles, s Style) { t.Link = s },
	"accent":   func(t *Styles, s Style) { t.Accent, t.borderFocused, t.Pointer, t.Title = s, s, s, s },
	"ok":       func(t *Styles, s Style) { t.OK = s },
	"run":      func(t *Styles, s Style) { t.Run = s },
	"wait": func(t *Styles, s Style) {
		t.Wait, t.Changed, t.Chip = s, s, s+sgrOf(lipgloss.NewStyle().Reverse(true))
	},
	"block":    func(t *Styles, s Style) { t.Block = s },
	"border":   func(t *Styles, s Style) { t.Border = s },
	"selected": func(t *Styles, s Style) { t.Selected, t.solid = s, true },
}

// Roles returns the names of the roles.
func Roles() []string { return slices.Sorted(maps.Keys(roles)) }

// Repaint sets the styles of roles.
func (t *Styles) Repaint(own map[string]Style) {
	for role, s := range own {
		if set := roles[role]; set != nil {
			set(t, s)
		}
	}
}

// colors are the terminal's sixteen colors by name, the bright ones 8 further on.
var colors = [...]string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// ParseStyle parses a style: attributes, a color, and after "on" a background, each at most once. A color is one of the terminal's
// sixteen by its name ("red", "brightred"), a number to 255, or "#rrggbb".
func ParseStyle(text string) (Style, error) {
	s := lipgloss.NewStyle()
	background, some := false, false
	for _, word := range strings.Fields(strings.ToLower(text)) {
		switch word {
		case "bold":
			s = s.Bold(true)
		case "faint":
			s = s.Faint(true)
		case "italic":
			s = s.Italic(true)
		case "underline":
			s = s.Underline(true)
		case "reverse":
			s = s.Reverse(true)
		case "plain":
		case "on":
			background = true
			continue
		default:
			color, ok := parseColor(word)
			if !ok {
				return "", fmt.Errorf("%q is neither a color nor an attribute", word)
			}
			if background {
				s = s.Background(lipgloss.Color(color))
			} else {
				s = s.Foreground(lipgloss.Color(color))
			}
		}
		background, some = false, true
	}
	if !some || background {
		return "", fmt.Errorf("%q names no look", text)
	}
	return sgrOf(s), nil
}

// parseColor returns a color as Lip Gloss takes it.
func parseColor(word string) (string, bool) {
	name, bright := strings.CutPrefix(word, "bright")
	if i := slices.Index(colors[:], name); i >= 0 {
		if bright {
			i += len(colors)
		}
		return strconv.Itoa(i), true
	}
	if hex, ok := strings.CutPrefix(word, "#"); ok {
		_, err := strconv.ParseUint(hex, 16, 32)
		return word, err == nil && len(hex) == 6
	}
	n, err := strconv.ParseUint(word, 10, 8)
	return strconv.FormatUint(n, 10), err == nil
}
