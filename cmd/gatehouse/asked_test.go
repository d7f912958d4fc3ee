package main

// What an agent asks is counted by the prompt of the project that it is asked in, and of no other.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/parse/ask"
	"gatehouse/parse/nearest"
	"gatehouse/statusline"
)

func TestAskedInThePrompt(t *testing.T) {
	dir := t.TempDir()
	s := forgedSurroundings(dir)
	places := forgeProjects(t, dir)
	for protocol, root := range places {
		below := filepath.Join(root, "deep", "down")
		if err := os.MkdirAll(below, 0o755); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, "link-"+protocol)
		if err := os.Symlink(below, link); err != nil {
			t.Skip(err)
		}
		line := func(at string) (string, *nearest.Watch) {
			var pg statusline.Page
			watch := &nearest.Watch{}
			l := pg.Line(nearest.Place{Dir: at, Asks: s.agents, Watch: watch}, statusline.Options{Alerts: true})
			return string(l.Text), watch
		}
		asked, err := s.store().Ask(ask.Ask{Kind: ask.Permission, Text: "may it?", Dir: below, Project: s.projectOf(link), Kept: true})
		if err != nil {
			t.Fatal(err)
		}
		for other, at := range places {
			text, watch := line(filepath.Join(at, "."))
			if said := strings.Contains(text, "◆ 1 ask"); said != (other == protocol) {
				t.Errorf("asked in %s, in %s: %q", protocol, other, text)
			}
			if !watch.Unsure && !slices.Contains(watch.Present, filepath.Join(s.agents, "waiting")) {
				t.Errorf("the prompt would keep its line whatever is asked: %v", watch.Present)
			}
		}
		if text, _ := line(below); !strings.Contains(text, "◆ 1 ask") {
			t.Errorf("below %s: %q", protocol, text)
		}
		if _, err := s.store().Answer(asked.Ask.ID, ask.Answer{Allow: true}, ask.ByCommand); err != nil {
			t.Fatal(err)
		}
		if text, _ := line(root); strings.Contains(text, "ask") {
			t.Errorf("answered in %s: %q", protocol, text)
		}
	}
}
