package agents

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return noon.Add(-d) }

func waits(id, project, session, text string) ask.Item {
	return ask.Item{Ask: ask.Ask{Ask: model.Ask{ID: id, State: ask.Waiting, Kind: ask.Question, Text: text, Project: project, Dir: project + "/web", Agent: "claude", Session: session, Since: ago(time.Minute),
		Questions: []ask.Queried{{Text: text, Own: true, Options: []ask.Option{{Label: "Grid"}, {Label: "List"}}}}}}}
}

func answered(item ask.Item, at time.Time, delivered bool) ask.Item {
	item.State, item.Delivered = ask.Answered, delivered
	item.End = &ask.End{ID: item.ID, State: ask.Answered, At: at, Who: "ada", By: ask.ByDashboard, Answer: &ask.Answer{Allow: true, Replies: []ask.Reply{{Picks: []int{1}}}}}
	return item
}

func project(builds ...*model.Build) *model.Project {
	return &model.Project{Root: "/link/shop", Name: "shop", Builds: builds}
}

// sessionOf returns a session of Claude Code.
func sessionOf(id, project string, state model.SessionState) ask.Session {
	return ask.Session{Session: model.Session{
		Node: "session/" + ask.SessionKey("claude", id), Agent: "claude", ID: id, State: state, Title: "build it", Project: project, Dir: project,
		Since: ago(time.Hour), Began: ago(time.Hour),
	}}
}

// only returns the agents of a project.
func only(t *testing.T, p *model.Project) *model.Build {
	t.Helper()
	b := p.Builds[len(p.Builds)-1]
	if b.ID != model.AgentsBuild {
		t.Fatalf("no agents in %+v", p)
	}
	return b
}

func TestAskIsGateBelowSession(t *testing.T) {
	gsd := &model.Build{ID: "gsd"}
	h := &Snapshot{Asks: []ask.Item{waits("aaaaaaaa", "/shop", "s1", "Which layout?"), waits("bbbbbbbb", "/api", "s2", "Which port?"), waits("cccccccc", "/shop", "gone", "Who?")},
		Sessions: []ask.Session{sessionOf("s1", "/shop", model.SessionWaiting)}}
	h.Sessions[0].Asks = true
	p := h.In(project(gsd), "/shop", noon)
	if len(p.Builds) != 2 || p.Builds[0] != gsd {
		t.Fatalf("%+v", p.Builds)
	}
	b := only(t, p)
	if b.Status != model.Waiting || len(b.Waits) != 2 || b.Waits[0].Evidence != model.Asked || len(b.Nodes) != 2 {
		t.Fatalf("%+v", b)
	}
	session, _ := b.Find("session/" + ask.SessionKey("claude", "s1"))
	if session == nil || session.Status != model.Waiting || session.Title != "build it" || len(session.Children) != 1 {
		t.Fatalf("%+v", session)
	}
	n := session.Children[0]
	if n.Why != "claude waits for the answer; no window shows it" || b.Waits[0].Place != "claude · build it · no window" {
		t.Errorf("%q, %+v", n.Why, b.Waits)
	}
	if n.ID != "ask/aaaaaaaa" || n.Kind != model.KindGate || n.Gate.Ask.ID != "aaaaaaaa" || strings.Join(n.Gate.Options, " ") != "Grid List" || n.Gate.Can[0] != model.VerbAnswer {
		t.Errorf("%+v %+v", n, n.Gate)
	}
	if text, err := json.Marshal(p); err != nil || !strings.Contains(string(text), `"evidence":"live ask"`) {
		t.Errorf("%s, %v", text, err)
	}
	if got := h.In(project(gsd), "/other", noon); len(got.Builds) != 1 {
		t.Errorf("agents of another project: %+v", got)
	}
}

// TestUnreadableStore: a store that cannot be read is an error of the project, because something may wait.
func TestUnreadableStore(t *testing.T) {
	p := (&Snapshot{Err: errors.New("not a directory")}).In(project(), "/shop", noon)
	if len(p.Problems) != 1 || p.Problems[0].Severity != model.Error || !strings.Contains(p.Problems[0].Text, "not a directory") {
		t.Errorf("%+v", p.Problems)
	}
}

// TestOthers: every living session is shown in a project named after its directory; projects with only asks come last.
func TestOthers(t *testing.T) {
	turn := waits("cccccccc", "/src/far", "s5", "Done.")
	turn.Kind, turn.Questions = ask.Turn, nil
	s := &Snapshot{
		Asks: []ask.Item{waits("bbbbbbbb", "/api", "s2", "Which port?"), turn},
		Sessions: []ask.Session{
			sessionOf("s1", "/src/web", model.SessionRunning), sessionOf("s2", "/api", model.SessionWaiting), sessionOf("s3", "/src/shop", model.SessionIdle),
			sessionOf("s4", "/elsewhere", model.SessionRunning), sessionOf("s5", "/src/far", model.SessionTurn), sessionOf("s6", "/src/open", model.SessionRunning),
		},
	}
	isShown := func(root string) bool { return root == "/src/open" }
	isBelow := func(root string) bool { return strings.HasPrefix(root, "/src/") }
	var got []string
	for _, p := range s.Others(isShown, isBelow, noon) {
		b := only(t, p)
		got = append(got, p.Name+" "+p.Root+" "+string(b.Nodes[0].Session.State))
	}
	if want := "far /src/far your turn, shop /src/shop idle, web /src/web running, api /api waiting"; strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
}

func TestSessionNodes(t *testing.T) {
	turn := waits("aaaaaaaa", "/shop", "s1", "Postgres or SQLite?")
	turn.Kind, turn.Questions = ask.Turn, nil
	for _, c := range []struct {
		state  model.SessionState
		asks   []ask.Item
		status model.Status
		build  model.Status
		waits  string
	}{
		{model.SessionRunning, nil, model.Active, model.Active, ""},
		{model.SessionRetrying, nil, model.Retrying, model.Active, ""},
		{model.SessionIdle, nil, model.Pending, model.Pending, ""},
		{model.SessionInterrupted, nil, model.Pending, model.Pending, ""},
		{model.SessionFailed, nil, model.Failed, model.Failed, ""},
		{model.SessionCrashed, nil, model.Failed, model.Failed, ""},
		{model.SessionWaiting, nil, model.Waiting, model.Waiting, "live ask: claude asks in its own prompt: wants to use Bash"},
		{model.SessionTurn, []ask.Item{turn}, model.Waiting, model.Waiting, "turn: Postgres or SQLite?"},
	} {
		s := sessionOf("s1", "/shop", c.state)
		if c.state == model.SessionWaiting {
			s.Waits = "wants to use Bash"
		}
		b := only(t, (&Snapshot{Sessions: []ask.Session{s}, Asks: c.asks}).In(project(), "/shop", noon))
		text := ""
		for _, w := range b.Waits {
			text += w.Evidence.String() + ": " + w.Text
		}
		n := b.Nodes[0]
		if n.Status != c.status || n.Raw != string(c.state) || n.Session.State != c.state || b.Status != c.build || text != c.waits {
			t.Errorf("%s: node %v, build %v, %q", c.state, n.Status, b.Status, text)
		}
		if certain := len(b.Certain()); c.state == model.SessionTurn && (certain != 0 || len(b.FinishedTurns()) != 1) {
			t.Errorf("a finished turn counts as a question")
		}
	}
}

func TestUndeliveredAnswerIsReported(t *testing.T) {
	item := waits("aaaaaaaa", "/shop", "s1", "Which layout?")
	for _, c := range []struct {
		what     string
		item     ask.Item
		reported bool
	}{
		{"delivered", answered(item, ago(time.Minute), true), false},
		{"being delivered", answered(item, ago(time.Second), false), false},
		{"lost", answered(item, ago(time.Minute), false), true},
		{"long ago", answered(item, ago(2*time.Hour), false), false},
	} {
		p := (&Snapshot{Asks: []ask.Item{c.item}}).In(project(), "/shop", noon)
		reported := false
		for _, b := range p.Builds {
			for _, problem := range b.Problems {
				reported = reported || strings.Contains(problem.Text, `claude did not get the answer to "Which layout?"`)
			}
		}
		if reported != c.reported {
			t.Errorf("%s: %+v", c.what, p.Builds)
		}
		if c.what == "being delivered" && !only(t, p).Turns.After(noon) {
			t.Error("the snapshot is not read again soon")
		}
	}
}

// TestAgentDashboardCannotAnswer: an agent that opens a dashboard cannot answer its own asks there.
func TestAgentDashboardCannotAnswer(t *testing.T) {
	dir := t.TempDir()
	store := ask.Open(ask.Options{Dir: filepath.Join(dir, "agents"), Journal: filepath.Join(dir, "journal"), User: "ann", Table: process.System{}, Now: time.Now})
	asked, err := store.Ask(ask.Ask{Ask: model.Ask{Kind: ask.Permission, Text: "may it?", Project: dir, Agent: "claude"}})
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	mine := errors.New("claude asks it")
	a := Answerer{Store: store, Refuses: func(*ask.Ask) error { return mine }}
	if item, err := a.Answer(t.Context(), asked.Ask.ID, model.Answer{Allow: true}); !errors.Is(err, mine) || item.State != model.AskWaiting {
		t.Errorf("%+v, %v", item, err)
	}
	mine = nil
	if item, err := a.Answer(t.Context(), asked.Ask.ID, model.Answer{Allow: true}); err != nil || item.State != model.AskAnswered {
		t.Errorf("%+v, %v", item, err)
	}
}

// TestSameQuestionInFileIsOneWait: a question that the agent also writes to WAITING.json is one wait.
func TestSameQuestionInFileIsOneWait(t *testing.T) {
	for text, want := range map[string]int{"which layout": 1, "Which colour?": 2} {
		gsd := &model.Build{ID: "gsd", Waits: []model.Wait{{Text: text, Evidence: model.Signalled}, {Text: "Which layout?", Evidence: model.Tested}}}
		p := (&Snapshot{Asks: []ask.Item{waits("aaaaaaaa", "/shop", "s1", "Which layout?")}}).In(project(gsd), "/shop", noon)
		if got := p.Builds[0].Waits; len(got) != want || len(gsd.Waits) != 2 {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
