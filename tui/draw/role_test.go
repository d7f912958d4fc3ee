package draw

import "testing"

// TestParseStyle: words are parsed into a style, and everything else is refused.
func TestParseStyle(t *testing.T) {
	for text, want := range map[string]Style{
		"bold yellow": "\x1b[1;33m", "Red": "\x1b[31m", "brightred": "\x1b[91m", "208": "\x1b[38;5;208m", "#ff0080": "\x1b[38;2;255;0;128m",
		"white on #3A3765": "\x1b[37;48;2;58;55;101m", "reverse": "\x1b[7m", "faint": "\x1b[2m", "plain": "",
	} {
		if got, err := ParseStyle(text); err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "   ", "yelow", "256", "#12", "#12345g", "red on", "on", "\x1b[31m"} {
		if got, err := ParseStyle(text); err == nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestRepaint: each role can be given a style.
func TestRepaint(t *testing.T) {
	for _, role := range Roles() {
		plain, own := NewStyles(ThemeDark), NewStyles(ThemeDark)
		own.Repaint(map[string]Style{role: "\x1b[91m"})
		if *plain == *own {
			t.Errorf("%s looks as before", role)
		}
	}
	own := NewStyles(ThemeDark)
	own.Repaint(map[string]Style{"nothing": "x"})
	if *own != *NewStyles(ThemeDark) {
		t.Error("something that is no role has changed a look")
	}
}
