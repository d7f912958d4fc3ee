//go:build man

package main

// gatehouse man DIR: the manual pages of both programs, by the library of the framework. Only a build with the tag "man" has
// it, so that the library costs the program nothing.

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"gatehouse/statusline"
)

func addMan(root *cobra.Command, s *surroundings) {
	root.AddCommand(&cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory, dated by $SOURCE_DATE_EPOCH",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			at := s.now()
			for _, v := range s.env {
				if epoch, ok := strings.CutPrefix(v, "SOURCE_DATE_EPOCH="); ok {
					n, err := strconv.ParseInt(epoch, 10, 64)
					if err != nil {
						return usageError{fmt.Errorf("SOURCE_DATE_EPOCH=%s: write seconds since 1970", epoch)}
					}
					at = time.Unix(n, 0)
				}
			}
			at = at.UTC()
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Date: &at, Source: "Gatehouse " + statusline.Version, Manual: "Gatehouse"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(args[0], "statusline.1"), statuslinePage(at), 0o644)
		},
	})
}

// statuslinePage returns the page of the other program, which has no framework, by what its --help prints.
func statuslinePage(at time.Time) []byte {
	what, rest, _ := strings.Cut(statusline.Help(), "\n\n")
	usage, rest, _ := strings.Cut(rest, "\n  statusline init")
	return md2man.Render([]byte("% \"STATUSLINE\" \"1\" \"" + at.Format("Jan 2006") + "\" \"Gatehouse " + statusline.Version + "\" \"Gatehouse\"\n\n" +
		"# NAME\nstatusline - where the build in this directory stands, as one line\n\n" +
		"# SYNOPSIS\n**" + strings.TrimSpace(usage) + "**\n\n**statusline init** PLACE\n\n" +
		"# DESCRIPTION\n" + what + "\n\n" +
		"# OPTIONS\n```\n  statusline init" + strings.TrimRight(rest, "\n") + "\n```\n\n" +
		"# SEE ALSO\n**gatehouse(1)**\n"))
}
