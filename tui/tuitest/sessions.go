package tuitest

// Sessions of live agents in several projects that have no other build.

import (
	"time"

	"gatehouse/model"
)

// Sessions returns a snapshot of three projects with sessions in every state.
func Sessions() *model.Snapshot {
	snap := &model.Snapshot{Version: 1, At: Noon}
	turn := session("shop", "a1", "Build the cart page", model.SessionTurn, 5*time.Minute)
	turn.Words, turn.Added, turn.Removed = "Postgres or SQLite?", 120, 14
	turn.Model, turn.Context, turn.Tokens, turn.Cost, turn.Turn = "opus-5", 61, 122_000, 1.2, Ago(9*time.Minute)
	turn.Door = &model.Door{Hears: "as your own message"}
	turn.Steps = []model.Step{{At: Ago(9 * time.Minute), Kind: "prompt", Text: "Build the cart page"}, {At: Ago(8 * time.Minute), Kind: "tool", Text: "Edit: cart.go"},
		{At: Ago(7 * time.Minute), Kind: "error", Text: "API error 529: overloaded"}, {At: Ago(6 * time.Minute), Kind: "tool", Text: "Bash: go test ./..."},
		{At: Ago(5 * time.Minute), Kind: "words", Text: "Postgres or SQLite?"}}
	runs := session("shop", "a2", "Translate the help pages into German and French", model.SessionRunning, 3*time.Minute)
	runs.Branch, runs.Tool, runs.Turn, runs.Added = "docs/translate", "Bash: go test ./... -run TestHelp -count 1", Ago(3*time.Minute), 7
	runs.Agents = []model.Subagent{{ID: "s1", Type: "Explore", Task: "find the help pages", Began: Ago(2 * time.Minute)}}
	asks := session("api", "b1", "Migrate the database", model.SessionWaiting, 2*time.Minute)
	retries := session("api", "b2", "Write release notes", model.SessionRetrying, time.Minute)
	retries.Agent, retries.Why = "codex", "API error 429"
	idle := session("notes", "c1", "Sort the notes", model.SessionIdle, 40*time.Minute)
	idle.Agent, idle.Pane = "gemini", ""
	crashed := session("notes", "c2", "Clean up", model.SessionCrashed, 10*time.Minute)
	crashed.Why = "its process died"
	read := session("notes", "c3", "Draft the minutes", model.SessionTurn, time.Minute)
	read.Words = "Done. The minutes are in minutes.md."

	call := &model.Ask{ID: "call0001", Kind: model.AskPermission, State: model.AskWaiting, Text: "Bash: make migrate", Agent: "claude", Project: "/src/api", Dir: "/src/api",
		Since: asks.Since, Until: Noon.Add(2 * time.Minute), Then: "then its own prompt decides", Call: &model.Call{Tool: "Bash", Input: "make migrate"}}
	snap.Projects = []*model.Project{agents("shop", turn, runs), agents("api", asks, retries), agents("notes", idle, crashed, read)}
	api := snap.Projects[1].Builds[0]
	api.Status, api.Why = model.Waiting, "an agent waits for an answer"
	addAsk(api, api.Nodes[0], call, model.Wait{Evidence: model.Asked})
	for _, p := range snap.Projects {
		for _, n := range p.Builds[0].Nodes {
			snap.Sessions = append(snap.Sessions, *n.Session)
		}
	}
	return snap
}

func session(project, id, title string, state model.SessionState, age time.Duration) *model.Session {
	return &model.Session{Node: "session/" + id, Agent: "claude", ID: id, State: state, Title: title, Project: "/src/" + project, Dir: "/src/" + project,
		Branch: "main", Pane: "tmux %" + id[1:], Began: Ago(time.Hour), Since: Ago(age)}
}

// agents returns a project with sessions only.
func agents(name string, sessions ...*model.Session) *model.Project {
	b := &model.Build{ID: model.AgentsBuild, Protocol: model.AgentsBuild, Title: "Live agents", Status: model.Active, Why: "agents are at work"}
	for _, x := range sessions {
		n := &model.Node{ID: x.Node, Kind: model.KindSession, Number: x.Agent, Title: x.Title, Status: x.State.Status(), Raw: string(x.State), Since: x.Since, Session: x}
		for _, a := range x.Agents {
			n.Children = append(n.Children, &model.Node{ID: x.Node + "/" + a.ID, Kind: model.KindSubagent, Number: a.Type, Title: a.Task, Status: model.Active, Since: a.Began})
		}
		b.Nodes = append(b.Nodes, n)
		if x.State == model.SessionTurn {
			addAsk(b, n, &model.Ask{ID: "turn" + x.ID, Kind: model.AskTurn, State: model.AskWaiting, Text: x.Words, Agent: x.Agent, Project: x.Project, Since: x.Since},
				model.Wait{Evidence: model.Turn, Standing: model.Standing{Status: model.YourTurn}})
		}
	}
	return &model.Project{Root: "/src/" + name, Name: name, Builds: []*model.Build{b}}
}

// addAsk adds an ask of a session as a gate below it and as a wait.
func addAsk(b *model.Build, session *model.Node, a *model.Ask, w model.Wait) {
	n := &model.Node{ID: "ask/" + a.ID, Kind: model.KindGate, Title: a.Text, Status: model.Waiting, Since: a.Since,
		Gate: &model.Gate{Approval: model.ApprovalHuman, Asks: a.Text, Ask: a, Can: []model.Verb{model.VerbAnswer}}}
	session.Children = append(session.Children, n)
	w.Node, w.Text, w.Since, w.Deadline, w.Then = n.ID, a.Text, a.Since, a.Until, a.Then
	b.Waits = append(b.Waits, w)
}
