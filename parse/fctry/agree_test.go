package fctry

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
)

// TestPromptAndDashboardAgree checks that prompt and dashboard have the same facts about random projects, and that every wait in the
// line is a wait in the dashboard.
func TestPromptAndDashboardAgree(t *testing.T) {
	dir, n, waiting := t.TempDir(), 2000, 0
	if testing.Short() {
		n = 200
	}
	for seed := range uint64(n) {
		root := filepath.Join(dir, "p")
		files := randomtest.RandomFctry(rand.New(rand.NewPCG(seed, 7)))
		must(t, randomtest.WriteFiles(root, files))
		now := time.Now()
		if state := filepath.Join(root, stateFile); seed%3 == 0 {
			old := now.Add(-2 * time.Hour)
			must(t, os.Chtimes(state, old, old))
		}
		found, ok := nearest.Find(nearest.Place{Dir: root, Home: root, Detail: true, Alerts: true, Now: now.Unix})
		b := Readers(mirror.New(root, Home))[0].Read(now)
		facts := found.Facts.(*line.Fctry)
		if !ok || !reflect.DeepEqual(facts, b.Header) {
			t.Errorf("seed %d: %v\nprompt    %+v\ndashboard %+v", seed, files, facts, b.Header)
		}
		if found.Waits != "" {
			waiting++
		}
		if certain := b.Certain(); (found.Waits != "") != (len(certain) > 0) {
			t.Errorf("seed %d: %v\nprompt    %q\ndashboard %+v", seed, files, found.Waits, certain)
		}
		must(t, os.RemoveAll(root))
	}
	if waiting < n/5 {
		t.Errorf("%d of %d projects wait: the generator makes too little", waiting, n)
	}
}
