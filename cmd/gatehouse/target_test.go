package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
)

// TestReadHalfWrittenFile checks that a command that finds a half-written file reads again and reports the whole one, and that it does
// not wait for a file that has been broken for long.
func TestReadHalfWrittenFile(t *testing.T) {
	const loop = `{"loop": "x", "status": "active", "phases": {"A": {"status": "active"}}, "gates": {}}`
	const run = `{"buildRun": {"status": "running", "chunks": [{"id": 1, "status": "active"}]}}`
	for file, text := range map[string]string{"x-state.json": loop, ".fctry/state.json": run} {
		for _, half := range []string{"", text[:len(text)/2]} {
			dir := t.TempDir()
			path := filepath.Join(dir, filepath.FromSlash(file))
			write := func(text string) {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Error(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Error(err)
				}
			}
			var p *parse.Project
			var mp *model.Project
			var err error
			s := &env{now: time.Now}
			for wasSlow := true; wasSlow; {
				write(half)
				begun := time.Now()
				if p, err = parse.Open(dir, parse.User{Home: dir}); err != nil {
					t.Fatal(err)
				}
				written := make(chan time.Time)
				time.AfterFunc(2*time.Millisecond, func() { write(text); written <- time.Now() })
				mp = s.readSettled(p)
				wasSlow = (<-written).Sub(begun) > settleTime/2 && unread(mp)
			}
			if len(mp.Builds) != 1 || len(mp.Builds[0].Nodes) != 1 || unread(mp) {
				t.Errorf("%s, first %q: %+v", file, half, mp.Builds)
			}
			write(half)
			old := time.Now().Add(-time.Minute)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
			p, err = parse.Open(dir, parse.User{Home: dir})
			if err != nil {
				t.Fatal(err)
			}
			reads := 0
			s.now = func() time.Time { reads++; return time.Now() }
			if mp := s.readSettled(p); !unread(mp) || reads != 1 {
				t.Errorf("%s, %q: %d looks, %+v", file, half, reads, mp.Builds)
			}
		}
	}
}

func unread(mp *model.Project) bool {
	return slices.ContainsFunc(mp.Builds, func(b *model.Build) bool {
		return slices.ContainsFunc(b.Problems, func(p model.Problem) bool { return p.Severity == model.Error })
	})
}

// TestBuildsWithSameID checks that a build ID of several projects is ambiguous, unless only one of the builds allows the command.
func TestBuildsWithSameID(t *testing.T) {
	project := func(root string) *model.Project {
		return &model.Project{Root: root, Builds: []*model.Build{{ID: "loop:x", Can: []model.Verb{model.VerbPause},
			Nodes: []*model.Node{{ID: "phase/P", Title: "P", Kind: model.KindPhase}, {ID: "gate/g", Title: "g", Kind: model.KindGate, Gate: &model.Gate{}}}}}}
	}
	here, shop, shed := project("/src/shop"), project("build-7:/src/shop"), project("build-7:/src/my shed")
	for _, c := range []struct {
		projects []*model.Project
		want     string
	}{
		{[]*model.Project{shop}, ""},
		{[]*model.Project{here, shop}, "--build loop:x --dir /src/shop, --build loop:x --dir build-7:/src/shop; name one by these flags"},
		{[]*model.Project{shop, shed}, "--build loop:x --dir build-7:/src/shop, --build loop:x --dir 'build-7:/src/my shed'; name one by these flags"},
	} {
		in, by := &selection{c.projects, "these machines"}, &target{build: "loop:x"}
		b, err := by.selectBuild(in, model.VerbPause)
		if c.want == "" && (err != nil || in.rootOf(b) != c.projects[0].Root) || c.want != "" && (err == nil || err.Error() != "there are several builds: "+c.want) {
			t.Errorf("a build: %v, %v", b, err)
		}
		g, err := by.selectGate(in, "g")
		gates := `"g" is ambiguous; these gates match: ` + strings.ReplaceAll(strings.TrimSuffix(c.want, "; name one by these flags"), "--build", "gate/g --build")
		if c.want == "" && (err != nil || g.Build != c.projects[0].Builds[0]) || c.want != "" && (err == nil || err.Error() != gates) {
			t.Errorf("a gate: %v, %v", g, err)
		}
		if _, err := (&target{build: "loop:y"}).selectBuild(in, model.VerbPause); err == nil || err.Error() != "--build loop:y: there is no such build; there is loop:x" {
			t.Errorf("no build: %v", err)
		}
	}
	shed.Builds[0].Can = nil // only one of them can be paused, so that one is meant
	in := &selection{[]*model.Project{shop, shed}, "these machines"}
	if b, err := (&target{build: "loop:x"}).selectBuild(in, model.VerbPause); err != nil || in.rootOf(b) != shop.Root {
		t.Error(b, err)
	}
}

// TestUnreachableGates: if nothing waits, a message names the machines whose state is unknown.
func TestUnreachableGates(t *testing.T) {
	var stderr strings.Builder
	s := &env{stderr: &stderr}
	live := &model.Host{Name: "build-1", State: model.HostLive}
	cut := &model.Host{Name: "build-2", State: model.HostCutOff, Why: "cut off since 14:02"} // its link reports the error
	if err := s.checkReachable([]*model.Host{live, cut}); err != nil || stderr.String() != "" {
		t.Errorf("%v %s", err, stderr.String())
	}
	gone := &model.Host{Name: "build-7", State: model.HostSilent, Why: "offline since 14:02"}
	if err := s.checkReachable([]*model.Host{live, gone}); err == nil || stderr.String() != "gatehouse: build-7 is offline since 14:02; what waits there is unknown\n" {
		t.Errorf("%v %s", err, stderr.String())
	}
}
