package main

// Finished turns, prompts of a client's own and deadlines, as commands print them.

import (
	"strings"
	"testing"
	"time"

	"gatehouse/model"
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

func TestSessionsInStatus(t *testing.T) {
	got := outputOf(func(s *env) {
		s.printProject(agentsProject("api", "Bash: make", map[string]int{"Shall I push?": 5}))
	})
	want := `api  /src/api
  agents  Live agents
  waiting: an agent waits for an answer
  ◆ 1 waiting · ◇ 1 your turn
  ◆ waits  p  claude: Bash: make (live ask, 1m)
  ◇ your turn  api  claude · Work on api: "Shall I push?"  5m
  your turn   claude    5m  Work on api (main)
`
	if got != want {
		t.Errorf("%s", got)
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
