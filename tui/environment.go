package tui

// What the environment says about the terminal and about the programs that the user likes.

import (
	"os"
	"strings"
)

// wantsASCII reports whether an environment names a terminal or a locale in which only ASCII is safe. Without any
// variable it does not.
func wantsASCII(env []string) bool {
	if len(env) == 0 {
		return false
	}
	if term := lookup(env, "TERM"); term == "linux" || term == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first that is set decides, as in POSIX
		if locale := strings.ToUpper(lookup(env, name)); locale != "" {
			return !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
		}
	}
	return true
}

// knowsLinks reports whether an environment names a terminal that opens addresses which a text leads to (OSC 8). Others show nothing of
// it, but for some old ones that show the address itself.
func knowsLinks(env []string) bool {
	term, program := lookup(env, "TERM"), lookup(env, "TERM_PROGRAM")
	switch program {
	case "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "zed":
		return true
	case "tmux": // it keeps what leads somewhere from 3.4 on
		major, minor, _ := strings.Cut(lookup(env, "TERM_PROGRAM_VERSION"), ".")
		return major > "3" || major == "3" && minor >= "4"
	}
	for _, name := range []string{"KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID"} {
		if lookup(env, name) != "" {
			return true
		}
	}
	for _, prefix := range []string{"xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour"} {
		if strings.HasPrefix(term, prefix) {
			return true
		}
	}
	return lookup(env, "VTE_VERSION") >= "5000" // of GNOME's and others: four digits
}

// lookup returns a variable's value, the last where it is set twice, "" where it is not.
func lookup(env []string, name string) string {
	value := ""
	for _, e := range env {
		if n, v, ok := strings.Cut(e, "="); ok && n == name {
			value = v
		}
	}
	return value
}

func (d *dashboard) variable(name string) string {
	if d.opts.Env != nil {
		return lookup(d.opts.Env, name)
	}
	return os.Getenv(name)
}
