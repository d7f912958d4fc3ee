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
