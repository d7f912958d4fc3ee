package main

// What commands print and find, without a program around them.

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/kept"
)

// outputOf returns the output of print on a pipe.
func outputOf(print func(*env)) string {
	var out strings.Builder
	s := &env{out: newPrinter(&out, 0), now: func() time.Time { return today }}
	print(s)
	s.out.Flush()
	return out.String()
}

func before(minutes int) time.Time { return today.Add(-time.Duration(minutes) * time.Minute) }

// agentsProject returns a project with a session for each finished turn, and one that asks for a permission.
func agentsProject(name, asks string, turns map[string]int) *model.Project {
	b := &model.Build{ID: model.AgentsBuild, Title: "Live agents", Status: model.Waiting, Why: "an agent waits for an answer"}
	for text, minutes := range turns {
		gate := &model.Node{ID: "ask/" + text, Kind: model.KindGate, Gate: &model.Gate{Ask: &model.Ask{Kind: model.AskTurn, Text: text}}}
		b.Nodes = append(b.Nodes, &model.Node{ID: "session/" + text, Kind: model.KindSession, Number: "claude", Title: "Work on " + name, Status: model.Waiting, Since: before(minutes),
			Session: &model.Session{State: model.SessionTurn, Branch: "main"}, Children: []*model.Node{gate}})
		b.Waits = append(b.Waits, model.Wait{Node: gate.ID, Text: text, Evidence: model.Turn, Standing: model.Standing{Status: model.YourTurn}, Since: before(minutes)})
	}
	if asks != "" {
		b.Nodes = append(b.Nodes, &model.Node{ID: "ask/p", Kind: model.KindGate, Gate: &model.Gate{Can: []model.Verb{model.VerbAnswer}, Ask: &model.Ask{
			Kind: model.AskPermission, State: model.AskWaiting, Until: today.Add(2 * time.Minute), Then: "then its own prompt decides"}}})
		b.Waits = append(b.Waits, model.Wait{Node: "ask/p", Text: asks, Place: "claude", Evidence: model.Asked, Since: before(1)})
	}
	model.SortWaits(b.Waits)
	return &model.Project{Root: "/src/" + name, Name: name, Builds: []*model.Build{b}}
}

// TestFinishedTurnsInGates checks that finished turns are listed after all questions, the newest first, and counted separately.
func TestFinishedTurnsInGates(t *testing.T) {
	projects := []*model.Project{
		agentsProject("shop", "", map[string]int{"Postgres or SQLite?": 2}),
		agentsProject("api", "Bash: make", map[string]int{"Done. Shall I push?": 1}),
	}
	found, unplaced := waitsOf(projects, false)
	got := outputOf(func(s *env) { s.printGates(found, unplaced, nil) })
	want := `/src/api
  ◆ waits  p  claude: Bash: make (live ask, 1m)
             2m left, then its own prompt decides
  ◇ your turn  api  claude · Work on api: "Done. Shall I push?"  1m
  ◇ your turn  shop  claude · Work on shop: "Postgres or SQLite?"  2m
◆ 1 waiting · ◇ 2 your turn
`
	if got != want {
		t.Errorf("%s", got)
	}
	if last := found[2]; last.Evidence != model.Turn || last.Text != "Postgres or SQLite?" || last.Project != "/src/shop" {
		t.Errorf("%+v", last)
	}
	if alone, _ := waitsOf(projects[:1], false); outputOf(func(s *env) { s.printGates(alone, nil, nil) }) !=
		"  ◇ your turn  shop  claude · Work on shop: \"Postgres or SQLite?\"  2m\n◇ 1 your turn\n" {
		t.Error("one turn alone")
	}
}

// TestListOfAsks checks the order of asks, and that gatehouse answer refuses asks that it can't answer, which are listed with a reason.
func TestListOfAsks(t *testing.T) {
	made := func(id string, kind model.AskKind, state model.AskState, minutes int, more func(*model.Ask)) askJSON {
		a := &model.Ask{ID: id, Kind: kind, State: state, Text: "Text of " + id, Agent: "claude", Session: "s-" + id, Project: "/src/shop", Since: before(minutes)}
		if more != nil {
			more(a)
		}
		return askJSON{Ask: a}
	}
	until := func(d time.Duration) func(*model.Ask) {
		return func(a *model.Ask) { a.Until, a.Then = today.Add(d), "then its own prompt decides" }
	}
	asks := []askJSON{
		made("ended", model.AskQuestion, model.AskExpired, 0, func(a *model.Ask) { a.Fate = "its time was up" }),
		made("turn", model.AskTurn, model.AskWaiting, 0, func(a *model.Ask) { a.Message = "Two ways.\n\nPostgres or SQLite?" }),
		made("shut", model.AskTurn, model.AskWaiting, 1, func(a *model.Ask) { a.Door = &model.Door{Shut: "Claude Code takes no messages here"} }),
		made("prompt", model.AskPermission, model.AskElsewhere, 0, nil),
		made("old", model.AskPermission, model.AskWaiting, 9, func(a *model.Ask) { a.Call = &model.Call{Tool: "Bash"} }),
		made("new", model.AskPlan, model.AskWaiting, 1, nil),
		made("hour", model.AskPermission, model.AskWaiting, 3, until(time.Hour)),
		made("soon", model.AskPermission, model.AskWaiting, 3, until(30*time.Second)),
	}
	got := outputOf(func(s *env) { s.printAsks(asks, false, nil) })
	want := `soon  permission  Text of soon (claude, /src/shop, 3m)
    30s left, then its own prompt decides
hour  permission  Text of hour (claude, /src/shop, 3m)
    1h left, then its own prompt decides
new  plan  Text of new (claude, /src/shop, 1m)
old  permission  Text of old (claude, /src/shop, 9m)
prompt  permission  Text of prompt (claude, /src/shop, now)
    waits in its own prompt; gatehouse jump s-prompt
turn  turn  Text of turn (claude, /src/shop, now)
    a finished turn; use gatehouse reply s-turn TEXT
shut  turn  Text of shut (claude, /src/shop, 1m)
    a finished turn that takes no reply: Claude Code takes no messages here; gatehouse jump s-shut
ended  question  Text of ended (claude, /src/shop, now)
    its time was up
`
	if got != want {
		t.Errorf("%s", got)
	}
	doc := outputOf(func(s *env) { s.asJSON = true; s.printAsks(asks, false, nil) })
	if strings.Contains(doc, `"input"`) || !strings.Contains(doc, `"state": "elsewhere"`) || !strings.Contains(doc, `"message": "Two ways.\n\nPostgres or SQLite?"`) ||
		!strings.Contains(doc, `"then": "then its own prompt decides"`) {
		t.Errorf("%s", doc)
	}
	for _, a := range asks {
		_, err := (&answerFlags{allow: true}).answerTo(a.Ask, false)
		if refused := a.Kind == model.AskTurn || a.State == model.AskElsewhere; refused != (err != nil) {
			t.Errorf("answer %s: %v", a.ID, err)
		}
	}
	whole := outputOf(func(s *env) {
		s.printAsks([]askJSON{made("turn", model.AskTurn, model.AskWaiting, 0, func(a *model.Ask) { a.Message = "Two ways.\n\nWhich?" })}, true, nil)
	})
	if !strings.HasSuffix(whole, "\n\n│ Two ways.\n│\n│ Which?\n") {
		t.Errorf("%s", whole)
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
		must(t, err)
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
	must(t, err)
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
				p, err = parse.Open(dir, parse.User{Home: dir})
				must(t, err)
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
			must(t, os.Chtimes(path, old, old))
			p, err = parse.Open(dir, parse.User{Home: dir})
			must(t, err)
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

// TestKeeperOfRemoteProjects: the display state of remote projects is kept like that of local ones, by host and root. Whatever a host
// calls its root, no other file is written.
func TestKeeperOfRemoteProjects(t *testing.T) {
	dir := t.TempDir()
	store := kept.Open(nil, dir)
	must(t, store.SeeProjects(t.Context(), []string{"/shop"}, today))
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

func TestDescribeFate(t *testing.T) {
	for _, x := range []struct {
		decision model.Decision
		want     string
	}{
		{model.Decision{}, ""},
		{model.Decision{Undone: true}, " (undone since)"},
		{model.Decision{Interrupted: true}, " (interrupted: look at the file)"},
		{model.Decision{Overwritten: true}, " (overwritten: the file no longer says so)"},
		{model.Decision{Overwritten: true, Reported: true}, " (overwritten: the file no longer says so, the agent knows)"},
	} {
		if got := describeFate(&x.decision); got != x.want {
			t.Errorf("%+v: %q, want %q", x.decision, got, x.want)
		}
	}
}
