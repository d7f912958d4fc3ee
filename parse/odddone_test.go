package parse

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
)

// TestLineAndDashboardBothDenyCompletion checks that when GSD's STATE.md claims a complete milestone, the line has its sign for "the tree denies
// it" exactly if the dashboard lists open work.
func TestLineAndDashboardBothDenyCompletion(t *testing.T) {
	t.Parallel()
	denied, n := 0, agreeing(t)
	for seed := range n {
		dir := t.TempDir()
		files := randomtest.RandomCompleteGSD(rand.New(rand.NewPCG(uint64(seed), 7)))
		at := time.Now().Add(-time.Hour)
		must(t, randomtest.WriteFiles(dir, files))
		for name, text := range files {
			if strings.Contains(text, randomtest.OldFile) {
				must(t, os.Chtimes(filepath.Join(dir, name), at, at.Add(-time.Hour)))
			}
		}
		project, err := Open(dir, User{Home: dir})
		must(t, err)
		builds, open := project.Read(time.Now()).Builds, ""
		for _, d := range builds[0].Divergences {
			if strings.Contains(d.Truth, " open: ") || strings.HasPrefix(d.Truth, "ROADMAP.md has shipped it") {
				open = d.Claim + ": " + d.Truth
			}
		}
		all, _ := nearest.FindAll(nearest.Place{Dir: dir, Home: dir, Alerts: true, Now: time.Now().Unix})
		if (open != "") != (all[0].Denied != "") {
			t.Errorf("seed %d: the dashboard has %q, the line %q\n%s", seed, open, all[0].Denied, contents(files))
		}
		if open != "" {
			denied++
		}
	}
	if denied < n/4 || denied > n*3/4 {
		t.Errorf("%d of %d are denied: the projects are all alike", denied, n)
	}
}
