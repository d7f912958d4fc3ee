package main

// gatehouse version: the release, the commit and the toolchain.

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"gatehouse/statusline"
)

// versionJSON is the document of "gatehouse version --json".
type versionJSON struct {
	Schema  int    `json:"schema"`
	Version string `json:"version"` // of the release
	Commit  string `json:"commit"`  // of the build, with a suffix if files were changed; "" if unknown
	Go      string `json:"go"`      // version of the toolchain
	System  string `json:"system"`  // like linux/amd64
}

func newVersion(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use: "version", Short: "Print the version", Long: "Print the version, the commit and the toolchain.",
		RunE: func(*cobra.Command, []string) error { return s.printVersion() },
	}, "print it as JSON")
}

// printVersion prints the version.
func (s *env) printVersion() error {
	system := runtime.GOOS + "/" + runtime.GOARCH
	out := versionJSON{statusSchema, statusline.Version, statusline.Commit, runtime.Version(), system}
	if out.Commit == "" {
		out.Commit = recordedCommit()
	}
	if s.asJSON {
		return s.out.printJSON(out)
	}
	commit := ""
	if out.Commit != "" {
		commit = " (" + out.Commit + ")"
	}
	s.out.printf("gatehouse version %s%s\n%s %s\n", out.Version, exact(commit), out.Go, out.System)
	return nil
}

// recordedCommit returns the commit that Go recorded for this build, "" without one.
func recordedCommit() (commit string) {
	const shown = 12 // hex digits, as in pseudo-versions
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), shown)]
		case s.Key == "vcs.modified" && s.Value == "true" && commit != "":
			commit += ", changed"
		}
	}
	return commit
}
