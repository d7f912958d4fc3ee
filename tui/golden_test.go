package tui

// The frames in testdata are what a user sees. To rewrite them: go test ./tui -update

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

var looks = map[string]Options{
	"dark": testOptions(draw.ThemeDark), "light": testOptions(draw.ThemeLight), "mono": testOptions(draw.ThemeMono), "ascii": testOptions(draw.ThemeDark),
	"plain": plainOptions(), "plain-ascii": plainOptions(),
}

// frameCases returns the cases of testdata/frames.txtar: the script that leads to each frame, and its first line, which has the sizes and the looks.
func frameCases(t *testing.T) (names, heads, scripts []string) {
	archive, err := txtar.ParseFile("testdata/frames.txtar")
	must(t, err)
	for _, f := range archive.Files {
		head, script, _ := strings.Cut(string(f.Data), "\n")
		names, heads, scripts = append(names, f.Name), append(heads, head), append(scripts, script)
	}
	return names, heads, scripts
}

// atFrame plays the script of a frame.
func atFrame(t *testing.T, script, look string, width, height int) *story {
	s := newStory(t)
	s.opts, s.size = looks[look], [2]int{width, height}
	s.opts.ASCII = strings.HasSuffix(look, "ascii")
	s.play(script)
	s.does()
	return s
}

func TestFrames(t *testing.T) {
	names, heads, scripts := frameCases(t)
	for i, name := range names {
		var sizes []string
		for word := range strings.FieldsSeq(heads[i]) {
			if _, ok := looks[word]; !ok {
				sizes = append(sizes, word)
				continue
			}
			for _, size := range sizes {
				t.Run(name+"/"+size+"/"+word, func(t *testing.T) {
					var width, height int
					fmt.Sscanf(size, "%dx%d", &width, &height)
					s := atFrame(t, scripts[i], word, width, height)
					frame := s.d.paintFrame(s.opts.Profile)
					checked{}.frame(t, frame, width, height)
					golden.RequireEqual(t, frame)
				})
			}
		}
	}
}

// TestFramesFitEverySize: each frame of the goldens is drawn at many sizes, also after more keys.
func TestFramesFitEverySize(t *testing.T) {
	lines := checked{}
	_, _, scripts := frameCases(t)
	for _, script := range scripts {
		for width := 0; width <= 210; width += 1 + width/5 {
			for _, height := range []int{0, 9, 10, 13, 24, 61} {
				s := atFrame(t, script, []string{"dark", "ascii"}[width%2], width, height)
				for _, keys := range [][]string{nil, {"z", "G", "k", "h"}} {
					frame := s.does(keys...).d.renderFrame()
					lines.frame(t, frame, width, height)
					if at := strings.IndexFunc(frame, func(r rune) bool { return r >= 0x7f }); s.opts.ASCII && at >= 0 {
						t.Fatalf("not ASCII at %dx%d: %.20q", width, height, frame[at:])
					}
				}
			}
		}
	}
}

// blogs returns several projects with several builds, and a folder without one.
func blogs() *model.Snapshot {
	bare := tuitest.EmptyFolder()
	bare.Projects[0].Root, bare.Projects[0].Name = "/src/tools", "tools"
	several := tuitest.Shop()
	several.Watch = "polling every 2 s: no more inotify watches"
	several.Projects = append(several.Projects, &model.Project{Root: "/src/blog", Name: "blog", Builds: []*model.Build{
		{ID: "gsd", Title: "v1.0", Status: model.Done, File: ".planning/STATE.md", Nodes: []*model.Node{tuitest.Phase("01", "Write", model.Done, "Complete", 1, 1, tuitest.Day)}},
		{ID: "gsd:ops", Title: "v0.2", Status: model.Active, File: ".planning/STATE.md", Nodes: []*model.Node{tuitest.Phase("01", "Deploy", model.Active, "", 0, 0, tuitest.Day)}},
	}}, bare.Projects[0])
	return several
}

func TestOnce(t *testing.T) {
	if out := Once(tuitest.Shop(), 100, 0, testOptions(draw.ThemeDark)); !strings.Contains(out, "\x1b[") {
		t.Error("no colors although they were asked for")
	}
	for _, size := range []struct{ width, height int }{{80, 0}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, Once(tuitest.Shop(), size.width, size.height, plainOptions()))
		})
	}
}
