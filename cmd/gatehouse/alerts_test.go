package main

// The prompt of a project counts the asks of agents in that project, and no others.

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/nearest"
	"gatehouse/statusline"
)

func TestPromptCountsAsksOfItsProject(t *testing.T) {
	dir := t.TempDir()
	s := forgedEnv(dir)
	places := forgeProjects(t, dir)
	for protocol, root := range places {
		below := filepath.Join(root, "deep", "down")
		if err := os.MkdirAll(below, 0o755); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, "link-"+protocol)
		if err := os.Symlink(below, link); err != nil {
			t.Skip("no symbolic link can be made here: ", err)
		}
		line := func(at string) string {
			return string(statusline.ReadLine(nearest.Place{Dir: at, Asks: s.agents}, statusline.Options{Alerts: true}).Text)
		}
		asked, err := s.openAsks().Ask(ask.Ask{Ask: model.Ask{Kind: ask.Permission, Text: "may it?", Dir: below, Project: s.projectOf(link)}, Kept: true})
		if err != nil {
			t.Fatal(err)
		}
		for other, at := range places {
			text := line(filepath.Join(at, "."))
			if isShown := strings.Contains(text, "◆ 1 ask"); isShown != (other == protocol) {
				t.Errorf("asked in %s, in %s: %q", protocol, other, text)
			}
		}
		if text := line(below); !strings.Contains(text, "◆ 1 ask") {
			t.Errorf("below %s: %q", protocol, text)
		}
		if _, err := s.openAsks().Answer(asked.Ask.ID, ask.Answer{Allow: true}, ask.ByCommand); err != nil {
			t.Fatal(err)
		}
		if text := line(root); strings.Contains(text, "ask") {
			t.Errorf("answered in %s: %q", protocol, text)
		}
	}
}

// answersAll accepts every answer, like the answerer of a host.
type answersAll struct{ model.Answerer }

func (answersAll) Answer(_ context.Context, id string, _ model.Answer) (*model.Ask, error) {
	return &model.Ask{ID: id}, nil
}

// TestUnjoinedAsk checks that other machines see no ask in a directory that the host has not joined, not even by the first letters of its ID.
func TestUnjoinedAsk(t *testing.T) {
	dir := t.TempDir()
	s := forgedEnv(dir)
	s.user.Asks = s.openAsks()
	scope := parse.AgentScope{Below: []string{filepath.Join(dir, "shop")}, Only: true}
	a := s.remoteAnswerer("bob", "remote work", scope, []string{filepath.Join(dir, "loop")})
	for in, joined := range map[string]bool{"shop": true, "shop/sub": true, "loop": true, "secret": false} {
		root := filepath.Join(dir, in)
		asked, err := s.user.Asks.Ask(ask.Ask{Ask: model.Ask{Kind: ask.Plan, Text: "may it?", Plan: "the plan", Agent: "claude", Dir: root, Project: root}, Kept: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{asked.Ask.ID, asked.Ask.ID[:4]} {
			if got, err := a.Ask(t.Context(), id); (err == nil) != joined || (got != nil) != joined {
				t.Errorf("%s: %v, %v", in, got, err)
			}
		}
	}
}

// TestAgentCannotAnswerItselfThroughRemote checks that an agent with its user's key can't answer itself through a remote on which its
// own machine is a host.
func TestAgentCannotAnswerItselfThroughRemote(t *testing.T) {
	s := forgedEnv(t.TempDir())
	asked, err := s.openAsks().Ask(ask.Ask{Ask: model.Ask{Kind: ask.Permission, Text: "may it?", Agent: "claude", Dir: "/x", Project: "/x"}, Kept: true, Marks: map[string]string{"CLAUDE_SESSION": "s1"}})
	if err != nil {
		t.Fatal(err)
	}
	fleet := foreignAnswerer{answersAll{}, s}
	id := "build-7:" + asked.Ask.ID
	for env, refused := range map[string]bool{"CLAUDE_SESSION=s1": true, "CLAUDE_SESSION=s2": false} {
		s.environ = []string{env}
		if _, err := fleet.Answer(t.Context(), id, ask.Answer{Allow: true}); (err != nil) != refused {
			t.Errorf("%s: %v", env, err)
		}
	}
	s.environ = []string{"CLAUDE_SESSION=s1"}
	if _, err := fleet.Answer(t.Context(), "build-7:k7f3q2ma", ask.Answer{Allow: true}); err != nil {
		t.Error("what is not asked here:", err)
	}
}
