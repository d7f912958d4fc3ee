package tui

// The frames in testdata are what a user sees. To rewrite them: go test ./tui -update

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

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
				golden.RequireEqual(t, Frame(tuitest.Shop(), size.width, size.height, opts))
			})
		}
	}
}

func TestStates(t *testing.T) {
	bare := tuitest.EmptyFolder()
	bare.Projects[0].Root, bare.Projects[0].Name = "/src/tools", "tools"
	several := tuitest.Shop()
	several.Watch = "polling every 2 s: no more inotify watches"
	several.Projects = append(several.Projects, &model.Project{Root: "/src/blog", Name: "blog", Builds: []*model.Build{
		{ID: "gsd", Title: "v1.0", Status: model.Done, File: ".planning/STATE.md", Nodes: []*model.Node{tuitest.Phase("01", "Write", model.Done, "Complete", 1, 1, tuitest.Day)}},
		{ID: "gsd:ops", Title: "v0.2", Status: model.Active, File: ".planning/STATE.md", Nodes: []*model.Node{tuitest.Phase("01", "Deploy", model.Active, "", 0, 0, tuitest.Day)}},
	}}, bare.Projects[0])

	for _, state := range []struct {
		name          string
		snap          *model.Snapshot
		width, height int
		keys          []string
	}{
		{"reading", nil, 80, 24, nil},
		{"empty", tuitest.EmptyFolder(), 80, 24, nil},
		{"several", several, 120, 40, nil},
		{"help", tuitest.Shop(), 80, 24, []string{"?"}},
		{"help_wide", tuitest.Shop(), 200, 60, []string{"?"}},
		{"gate", tuitest.Shop(), 80, 24, []string{"enter"}},
		{"plan", tuitest.Shop(), 120, 40, []string{"G", "k", "k", "k", "k", "k", "k", "k", "tab"}},
		{"disabled_key", tuitest.Shop(), 80, 24, []string{"esc"}},
		{"too_small", tuitest.Shop(), 39, 9, nil},
		{"smallest", tuitest.Shop(), 40, 10, nil},
	} {
		t.Run(state.name, func(t *testing.T) {
			golden.RequireEqual(t, Frame(state.snap, state.width, state.height, plainOptions(), state.keys...))
		})
	}
}

func TestOnce(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 0}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, Once(tuitest.Shop(), size.width, size.height, plainOptions()))
		})
	}
}
