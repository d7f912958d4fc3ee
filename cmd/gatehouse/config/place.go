package config

import "gatehouse/parse/disk/peek"

// Place returns the path of the user's file: below $XDG_CONFIG_HOME if that is absolute (XDG Base Directory Specification), else in the
// default directory; "" if there is no place for it. windows selects the rules of that system.
func Place(windows bool, home string, env func(name string) string) string {
	dir := env("XDG_CONFIG_HOME")
	switch {
	case peek.IsAbsolute(dir):
	case windows && env("APPDATA") != "":
		dir = env("APPDATA")
	case !peek.IsAbsolute(home):
		return ""
	default:
		dir = peek.Join(home, ".config")
	}
	return peek.Join(peek.Join(dir, "gatehouse"), "config.yaml")
}

// PathOf resolves a path in a setting: "~" is the home directory, and a relative path starts there.
func PathOf(path, home string) string {
	if path == "~" {
		return home
	}
	for i := range path {
		if i == 1 && path[0] == '~' && peek.IsSeparator(path[1]) {
			path = path[2:]
			break
		}
	}
	return peek.Absolute(path, home)
}
