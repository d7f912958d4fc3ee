package main

// gatehouse version: the release, the commit, the toolchain and the libraries that are linked in.

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"gatehouse/statusline"
)

// versionJSON is the document of "gatehouse version --json".
type versionJSON struct {
	Schema    int           `json:"schema"`
	Version   string        `json:"version"`   // of the release
	Commit    string        `json:"commit"`    // of the build, with a suffix if files were changed; "" if unknown
	Go        string        `json:"go"`        // version of the toolchain
	System    string        `json:"system"`    // like linux/amd64
	Libraries []libraryJSON `json:"libraries"` // linked in
}

// libraryJSON is a module that is linked in.
type libraryJSON struct {
	Path    string `json:"path"`    // of the module
	Version string `json:"version"` // of the module
}

func newVersion(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version, the commit, the toolchain, and the linked libraries.

With --json: {"schema", "version", "commit", "go", "system", "libraries": [{"path",
"version"}]}.`,
		RunE: func(*cobra.Command, []string) error { return s.printVersion() },
	}, "print it as JSON")
}

// printVersion prints the version.
func (s *env) printVersion() error {
	out := versionJSON{Schema: statusSchema, Version: statusline.Version, Commit: statusline.Commit, Go: runtime.Version(),
		System: runtime.GOOS + "/" + runtime.GOARCH, Libraries: []libraryJSON{}}
	if info, ok := debug.ReadBuildInfo(); ok {
		if out.Commit == "" {
			out.Commit = commitOf(info)
		}
		for _, m := range info.Deps {
			out.Libraries = append(out.Libraries, libraryJSON{m.Path, m.Version})
		}
	}
	if s.asJSON {
		return s.out.printJSON(out)
	}
	commit := ""
	if out.Commit != "" {
		commit = " (" + out.Commit + ")"
	}
	s.out.printf("gatehouse version %s%s\n%s %s\n", out.Version, exact(commit), out.Go, out.System)
	for _, l := range out.Libraries {
		s.out.printf("%s %s\n", l.Path, l.Version)
	}
	return nil
}

// commitOf returns the commit that Go recorded for a build, "" if it did not.
func commitOf(info *debug.BuildInfo) string {
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
