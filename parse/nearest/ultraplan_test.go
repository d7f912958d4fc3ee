package nearest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gatehouse/model/line"
)

// TestUltraplanLargeTree checks that many names or hostile ones do not slow down reading.
func TestUltraplanLargeTree(t *testing.T) {
	root := tree(t, map[string]string{".ultraplan/": "", ".planning/phases/01-a/": "", ".planning/phases/02-file": "x", ".planning/phases/\x1b]0;x\a/": ""})
	for i := range 2000 {
		name := filepath.Join(root, ".planning", "phases", "01-a", fmt.Sprintf("01-%d-PLAN.md", i))
		must(t, os.WriteFile(name, nil, 0o644))
	}
	found, _ := Find(Place{Dir: root, Home: root})
	if got := line.Full(found.Facts); got != "[░░░░░░░░░░] 0% · next 01-0" {
		t.Error(got)
	}
}
