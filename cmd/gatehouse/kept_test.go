package main

import (
	"path/filepath"
	"testing"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/parse/disk/kept"
)

// TestKeeperOfRemoteProjects: the display state of remote projects is kept like that of local ones, by host and root. Whatever a host
// calls its root, no other file is written.
func TestKeeperOfRemoteProjects(t *testing.T) {
	dir := t.TempDir()
	store := kept.Open(nil, dir)
	if err := store.SeeProjects(t.Context(), []string{"/shop"}, today); err != nil {
		t.Fatal(err)
	}
	k := keeper{store}
	names := []string{"screen", "/shop", remote.Root("build-7", "/shop"), remote.Root("build-8", "/shop"), remote.Root("build-7", `C:\shop`),
		remote.Root("build-7", "/../projects"), remote.Root("build-7", "/../screen"), remote.Root("build-7", "/../../../x"), remote.Root("a", ""), "a/../projects", "projects", ""}
	for i, name := range names {
		if err := k.Save(name, i); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for i, name := range names {
		got := -1
		if err := k.Load(name, &got); err != nil || got != i {
			t.Errorf("%q: %d %v", name, got, err)
		}
	}
	all, err := store.Projects()
	if err != nil || len(all) != 1 || all[0].Root != "/shop" {
		t.Errorf("the projects are %v now, %v", all, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != len(names)+1 {
		t.Errorf("%q %v", files, err)
	}
}
