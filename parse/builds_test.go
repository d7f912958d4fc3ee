package parse

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
)

// shownBuilds describes in one line what a project shows.
func shownBuilds(p *model.Project) string {
	var all []string
	for _, b := range p.Builds {
		all = append(all, b.ID)
	}
	slices.Sort(all) // files made at the same moment may or may not have the same time
	return strings.Join(all, ", ")
}

// TestRealProjects reads the state trees of real projects next to the conformance files, if there are any.
func TestRealProjects(t *testing.T) {
	conformance := os.Getenv("GATEHOUSE_CONFORMANCE")
	if conformance == "" {
		t.Skip("GATEHOUSE_CONFORMANCE is not set")
	}
	for name, want := range map[string]string{
		"Ferment-Platforma": "gsd", "IslandSelector": "gsd", "Recall": "gsd", "agents-room": "gsd",
		"ultra-planning": "ultraplan", "ensemble": "fctry", "setlist": "fctry",
		"loop-state-templates": "", "not-loop-state": "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(conformance, "..", "real", name)
			if _, err := os.Stat(dir); err != nil {
				t.Skip(err)
			}
			got := open(t, dir, filepath.Dir(dir)).Read(noon)
			if shownBuilds(got) != want || len(got.Problems) > 0 {
				t.Errorf("%s; problems %v; want %s", shownBuilds(got), got.Problems, want)
			}
		})
	}
}
