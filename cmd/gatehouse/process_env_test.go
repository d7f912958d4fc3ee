package main

import (
	"path/filepath"
	"testing"
)

func TestJournalsLieInTheUsersStateDirectory(t *testing.T) {
	root := t.TempDir() // absolute on every system
	home, state, local := filepath.Join(root, "home"), filepath.Join(root, "state"), filepath.Join(root, "local")
	below := filepath.Join("gatehouse", "journal")
	for _, c := range []struct {
		system, home, state, local, want string
	}{
		{"linux", home, "", "", filepath.Join(home, ".local", "state", below)},
		{"linux", home, state, "", filepath.Join(state, below)},
		{"linux", home, "relative", "", filepath.Join(home, ".local", "state", below)},
		{"linux", "", state, "", filepath.Join(state, below)},
		{"linux", "", "", "", ""},
		{"linux", "relative", "", "", ""},
		{"linux", home, "", local, filepath.Join(home, ".local", "state", below)},
		{"windows", home, "", local, filepath.Join(local, below)},
		{"windows", home, "", "", filepath.Join(home, ".local", "state", below)},
		{"darwin", home, "", "", filepath.Join(home, ".local", "state", below)},
	} {
		env := map[string]string{"XDG_STATE_HOME": c.state, "LOCALAPPDATA": c.local}
		if got := journalDir(c.system, c.home, func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
