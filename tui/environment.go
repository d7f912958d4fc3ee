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
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first one that is set counts, as in POSIX
		if locale := strings.ToUpper(lookupEnv(env, name)); locale != "" {
			return !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
		}
	}
	return true
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
