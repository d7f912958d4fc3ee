package main

// What gatehouse --version prints: the release, the commit, what it was built with, and the libraries that are linked in.

import (
	"runtime"
	"runtime/debug"
	"strings"

	"gatehouse/statusline"
)

func versionText() string {
	var b strings.Builder
	b.WriteString("gatehouse version " + statusline.Version)
	info, ok := debug.ReadBuildInfo()
	if ok {
		if commit := commitOf(info); commit != "" {
			b.WriteString(" (" + commit + ")")
		}
	}
	b.WriteString("\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n")
	if ok {
		for _, m := range info.Deps {
			b.WriteString(m.Path + " " + m.Version + "\n")
		}
	}
	return b.String()
}

// commitOf returns the commit that a build is of: the one that the build was told, else the one that Go found; "" where nobody
// knows.
func commitOf(info *debug.BuildInfo) string {
	if statusline.Commit != "" {
		return statusline.Commit
	}
	const shown = 12 // hex digits, as in pseudo-versions
	commit, changed := "", false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(len(s.Value), shown)]
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	if commit != "" && changed {
		commit += ", changed"
	}
	return commit
}
