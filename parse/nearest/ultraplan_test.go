package nearest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// harbour is a project with two phases of plans, one of them done, and a STATE.md with this position.
func harbour(position string, more map[string]string) map[string]string {
	files := map[string]string{
		".ultraplan/":                                 "",
		".planning/STATE.md":                          "# Project State\n\n## Current Position\n\n" + position + "\n\nProgress: [####################] 100%\n\n## Notes\n\nStatus: Complete\n",
		".planning/phases/01-quay/01-01-PLAN.md":      "",
		".planning/phases/01-quay/01-01-SUMMARY.md":   "",
		".planning/phases/01-quay/01-02-PLAN.md":      "",
		".planning/phases/02.5-light/02.5-01-PLAN.md": "",
	}
	for name, text := range more {
		files[name] = text
	}
	return files
}

// TestUltraplanLargeTree checks that many names or hostile ones do not slow down reading.
func TestUltraplanLargeTree(t *testing.T) {
	root := tree(t, map[string]string{".ultraplan/": "", ".planning/phases/01-a/": "", ".planning/phases/02-file": "x", ".planning/phases/\x1b]0;x\a/": ""})
	for i := range 2000 {
		name := filepath.Join(root, ".planning", "phases", "01-a", fmt.Sprintf("01-%d-PLAN.md", i))
		must(t, os.WriteFile(name, nil, 0o644))
	}
	found, _ := Find(Place{Dir: root, Home: root})
	if got := string(found.Facts.AppendFull(nil)); got != "[░░░░░░░░░░] 0% · next 01-0" {
		t.Error(got)
	}
}
