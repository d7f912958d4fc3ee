package parse

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/watch"
)

// asksIn returns a store in a directory of the test.
func asksIn(t *testing.T) *ask.Store {
	dir := t.TempDir()
	return ask.Open(ask.Options{Dir: dir + "/agents", Journal: dir + "/journal", User: "ada", Table: process.System{}, Now: time.Now})
}

func asks(text, project string) ask.Ask {
	return ask.Ask{Ask: model.Ask{Kind: ask.Question, Project: peek.Resolve(project), Dir: project, Agent: "claude", Session: "s1", Questions: []ask.Queried{{Text: text, Options: []ask.Option{{Label: "Grid"}, {Label: "List"}}}}}}
}

// asked returns the texts of live agents' asks, by project.
func asked(snap *model.Snapshot) string {
	var all []string
	for _, p := range snap.Projects {
		for _, b := range p.Builds {
			for _, w := range b.Waits {
				if w.Evidence == model.Asked {
					all = append(all, p.Name+": "+w.Text)
				}
			}
		}
	}
	return strings.Join(all, ", ")
}

// TestFollowShowsAgents checks that a live agent's question is shown in its project while it waits, or in a project of its own, and
// that no file of a build is read for it.
func TestFollowShowsAgents(t *testing.T) {
	store, shop, other := asksIn(t), t.TempDir(), t.TempDir()
	gsdProject(t, shop)
	p, err := Open(shop, User{Asks: store})
	must(t, err)
	f := followProjects(t, watch.Options{Poll: time.Hour}, p)
	f.until("read", func(s *model.Snapshot) bool { return len(s.Projects) == 1 })
	name, reads := f.seen.Projects[0].Name, p.Reads()
	here, err := store.Ask(asks("Which layout?", shop))
	must(t, err)
	f.until("asked here", func(s *model.Snapshot) bool { return asked(s) == name+": Which layout?" })
	there, err := store.Ask(asks("Which port?", other))
	must(t, err)
	f.until("asked elsewhere", func(s *model.Snapshot) bool {
		return asked(s) == name+": Which layout?, "+filepath.Base(other)+": Which port?"
	})
	if _, err := store.Answer(here.Ask.ID, ask.Answer{Allow: true, Replies: []ask.Reply{{Picks: []int{1}}}}, ask.ByDashboard); err != nil {
		t.Fatal(err)
	}
	f.until("answered", func(s *model.Snapshot) bool { return asked(s) == filepath.Base(other)+": Which port?" })
	must(t, store.Withdraw(&there.Ask, "no more"))
	f.until("withdrawn", func(s *model.Snapshot) bool { return asked(s) == "" && len(s.Projects) == 1 })
	if p.Reads() != reads {
		t.Errorf("%d files were read for what agents ask", p.Reads()-reads)
	}
}

// TestAgentScope checks that a directory in a project shows the project, and that a directory above shows the projects of agents that
// work below it.
func TestAgentScope(t *testing.T) {
	store, shop, tree := asksIn(t), peek.Resolve(t.TempDir()), peek.Resolve(t.TempDir())
	a := asks("Which layout?", shop)
	a.Dir = filepath.Join(tree, "feature") // a linked working tree
	open, err := store.Ask(a)
	must(t, err)
	defer open.Close()
	for _, c := range []struct {
		what  string
		scope AgentScope
		shown bool
	}{
		{"the project", AgentScope{Below: []string{shop}, Projects: []string{shop}}, true},
		{"a directory in it", AgentScope{Below: []string{filepath.Join(shop, "web")}, Projects: []string{shop}}, true},
		{"above the working tree", AgentScope{Below: []string{tree}, Projects: []string{tree}}, true},
		{"beside it", AgentScope{Below: []string{filepath.Join(tree, "other")}, Projects: []string{filepath.Join(tree, "other")}}, false},
	} {
		c.scope.Only = true
		projects, _ := WithAgents(nil, User{Asks: store}, c.scope, time.Now())
		if got := len(projects) == 1 && projects[0].Root == shop; got != c.shown || len(projects) > 1 {
			t.Errorf("%s: %+v", c.what, projects)
		}
	}
}

// TestFollowDropsAsksOfKilledAgents checks that the ask of a killed agent disappears without a message.
func TestFollowDropsAsksOfKilledAgents(t *testing.T) {
	store, shop := asksIn(t), t.TempDir()
	gsdProject(t, shop)
	p, err := Open(shop, User{Asks: store})
	must(t, err)
	gone, err := store.Ask(asks("Which layout?", shop))
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	live := FollowAgents(ctx, Opened(p), time.Now, watch.Options{Poll: time.Hour}, User{}, AgentScope{})
	until := func(want string) {
		t.Helper()
		var after uint64
		for end := time.Now().Add(patience); time.Now().Before(end); {
			limited, done := context.WithTimeout(ctx, patience)
			snap, err := live.Next(limited, after)
			done()
			must(t, err)
			if after = snap.Version; strings.HasSuffix(asked(snap), want) && (want != "" || asked(snap) == "") {
				return
			}
		}
		t.Fatalf("never %q", want)
	}
	until("Which layout?")
	gone.Close()
	until("")
	stop()
	<-live.ended
}
