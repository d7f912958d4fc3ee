package tui

// The settings in the environment: the terminal, and the user's programs.

import (
	"os"
	"strings"
)

// wantsASCII reports whether an environment names a terminal or a locale without Unicode. An empty environment does not.
func wantsASCII(env []string) bool {
	if len(env) == 0 {
		return false
	}
	if term := lookupEnv(env, "TERM"); term == "linux" || term == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first that is set decides, as in POSIX
		if locale := strings.ToUpper(lookupEnv(env, name)); locale != "" {
			return !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
		}
	}
	return true
}

// knowsLinks reports whether the terminal supports hyperlinks (OSC 8). Most others ignore them, but some old ones print the address.
func knowsLinks(env []string) bool {
	term, program := lookupEnv(env, "TERM"), lookupEnv(env, "TERM_PROGRAM")
	switch program {
	case "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "zed":
		return true
	case "tmux": // it passes links on since 3.4
		major, minor, _ := strings.Cut(lookupEnv(env, "TERM_PROGRAM_VERSION"), ".")
		return major > "3" || major == "3" && minor >= "4"
	}
	for _, name := range []string{"KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID"} {
		if lookupEnv(env, name) != "" {
			return true
		}
	}
	for _, prefix := range []string{"xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour"} {
		if strings.HasPrefix(term, prefix) {
			return true
		}
	}
	return lookupEnv(env, "VTE_VERSION") >= "5000" // of GNOME's and others: four digits
}

// lookupEnv returns the last value of a variable, or "".
func lookupEnv(env []string, name string) string {
	value := ""
	for _, e := range env {
		if n, v, ok := strings.Cut(e, "="); ok && n == name {
			value = v
		}
	}
	return value
}

func (d *dashboard) envValue(name string) string {
	if d.opts.Env != nil {
		return lookupEnv(d.opts.Env, name)
	}
	return os.Getenv(name)
}
