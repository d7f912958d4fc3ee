package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// The frames in testdata are what a user sees. They are written anew by: go test ./tui -update

var looks = []struct {
	name  string
	theme draw.Theme
	ascii bool
}{
	{"dark", draw.ThemeDark, false},
	{"light", draw.ThemeLight, false},
	{"mono", draw.ThemeMono, false},
	{"ascii", draw.ThemeDark, true},
}

var sizes = []struct{ width, height int }{{80, 24}, {120, 40}, {200, 60}, {40, 20}}

func TestFrames(t *testing.T) {
	for _, size := range sizes {
		for _, look := range looks {
			t.Run(fmt.Sprintf("%dx%d/%s", size.width, size.height, look.name), func(t *testing.T) {
				opts := testOptions(look.theme)
				opts.ASCII = look.ascii
				golden.RequireEqual(t, Frame(shop(), size.width, size.height, opts))
			})
		}
	}
}

func TestStates(t *testing.T) {
	bare := emptyFolder()
	bare.Projects[0].Root, bare.Projects[0].Name = "/src/tools", "tools"
	several := shop()
	several.Watch = "polling every 2 s: no more inotify watches"
	several.Projects = append(several.Projects, &model.Project{Root: "/src/blog", Name: "blog", Builds: []*model.Build{
		{ID: "gsd", Title: "v1.0", Status: model.Done, File: ".planning/STATE.md", Nodes: []*model.Node{phase("01", "Write", model.Done, "Complete", 1, 1, day)}},
		{ID: "gsd:ops", Title: "v0.2", Status: model.Active, File: ".planning/STATE.md", Nodes: []*model.Node{phase("01", "Deploy", model.Active, "", 0, 0, day)}},
	}}, bare.Projects[0])

	for _, state := range []struct {
		name          string
		snap          *model.Snapshot
		width, height int
		keys          []string
	}{
		{"reading", nil, 80, 24, nil},
		{"empty", emptyFolder(), 80, 24, nil},
		{"several", several, 120, 40, nil},
		{"help", shop(), 80, 24, []string{"?"}},
		{"help_wide", shop(), 200, 60, []string{"?"}},
		{"gate", shop(), 80, 24, []string{"n", "enter"}},
		{"plan", shop(), 120, 40, []string{"G", "k", "k", "k", "k", "k", "k", "k", "tab"}},
		{"disabled_key", shop(), 80, 24, []string{"esc"}},
		{"too_small", shop(), 39, 9, nil},
		{"smallest", shop(), 40, 10, nil},
	} {
		t.Run(state.name, func(t *testing.T) {
			golden.RequireEqual(t, Frame(state.snap, state.width, state.height, plainOptions(), state.keys...))
		})
	}
}

func TestOnce(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 0}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, Once(shop(), size.width, size.height, plainOptions()))
		})
	}
}
