package tui

// Questions of live agents, answered at the keyboard.

import (
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/tuitest"
)

// asked is a user with the row of an agent's question selected.
type asked struct {
	user
	answerer *tuitest.Answerer
	ids      []string
}

func whenAsked(t *testing.T, ids ...string) asked {
	t.Helper()
	answerer := tuitest.NewAnswerer()
	opts := plainOptions()
	opts.Answerer = answerer
	u := asked{user{t, newDashboard(opts, nil)}, answerer, ids}
	u.d.tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil } // no timer for the toast
	u.gets(tea.WindowSizeMsg{Width: 110, Height: 34})
	u.looks(1)
	u.atTop()
	u.keys("n")
	return u
}

// looks shows the current asks.
func (u asked) looks(version uint64) {
	u.does(u.gets(snapshotMsg{index: index.New(u.answerer.Snapshot(version, u.ids...), u.d.index)}))
}

// keys presses keys and runs the resulting commands.
func (u asked) keys(keys ...string) asked {
	for _, k := range keys {
		u.does(u.d.pressKey(input.StrokeOf(k)))
	}
	return u
}

// does runs a command and passes its message back to the dashboard.
func (u asked) does(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			u.does(c)
		}
	case nil, toastGoneMsg:
	default:
		if _, jumped := msg.(jumpedMsg); jumped || reflect.TypeOf(msg).PkgPath() == "gatehouse/tui/decide" {
			u.does(u.gets(msg))
		}
	}
}

func (u asked) sees(texts ...string) asked {
	u.Helper()
	u.user.sees(texts...)
	return u
}

func (u asked) typed(text string) asked {
	for _, r := range text {
		u.d.pressKey(input.Stroke{Name: string(r), Text: string(r)})
	}
	return u
}

func (u asked) gave(want ...model.Answer) {
	u.Helper()
	if !reflect.DeepEqual(u.answerer.Given, want) {
		u.Errorf("answered %+v, want %+v", u.answerer.Given, want)
	}
}

func TestAQuestionIsAnswered(t *testing.T) {
	u := whenAsked(t, "one00000")
	u.sees("◆ 1/1 ", "Which shade?", "1 waiting", "a answer")
	u.keys("enter").sees("claude asks · lamp", "1  ( )  Paper", "tmux %3")
	u.keys("enter").sees("pick one by its number") // the key that opens the question does not answer it, too
	u.keys("y").gave()
	u.keys("1").sees("1  (x)  Paper", "What it would look like", "a sheet")
	u.keys("2").sees("1  ( )  Paper", "2  (x)  Cloth")
	u.keys("enter").gave(model.Answer{Allow: true, Replies: []model.Reply{{Picks: []int{1}}}})
	u.sees("answered: Cloth · claude goes on")
	u.looks(2)
	u.sees("nothing waits for you")
}

func TestQuestionsAreAnsweredOneAfterTheOther(t *testing.T) {
	u := whenAsked(t, "several0")
	u.keys("a").sees("claude asks (1 of 2)", "several may be picked")
	u.keys("j", "space", "j", "space", "t").typed("and a bulb").keys("enter").sees("claude asks (2 of 2)", "Which name?")
	u.keys("t", "enter").sees("pick one by its number; esc leaves") // the question takes no words
	u.keys("h").sees("1  [x]  Hook", "2  [x]  Cord, 2 m", "3  [ ]  Switch", "and a bulb")
	u.keys("enter", "2", "enter").gave(model.Answer{Allow: true, Replies: []model.Reply{{Picks: []int{0, 1}, Text: "and a bulb"}, {Picks: []int{1}}}})
}

func TestOwnWordsReplaceAPick(t *testing.T) {
	u := whenAsked(t, "one00000")
	u.keys("a", "y").sees("pick one by its number").gave()
	u.keys("1", "y").gave(model.Answer{Allow: true, Replies: []model.Reply{{Picks: []int{0}}}})
	u = whenAsked(t, "one00000")
	u.keys("a", "1", "t").typed("a shade of leaves").keys("enter").gave(model.Answer{Allow: true, Replies: []model.Reply{{Text: "a shade of leaves"}}})
}

func TestAPlanIsReadAndAnswered(t *testing.T) {
	u := whenAsked(t, "plan0000")
	u.keys("a").sees("claude has a plan", "A lantern", "tab as written").seesNo("the end", "# A lantern")
	u.keys("tab").sees("# A lantern", "tab as Markdown")
	u.keys("enter").sees("y approves the plan").gave()
	u.keys("G").sees("the end")
	u.keys("c", "enter").sees("say what to change").gave()
	u.typed("Fold a spiral").keys("esc", "esc") // the typed text is restored
	u.keys("a", "c").sees("Fold a spiral")
	u.keys("enter").gave(model.Answer{Text: "Fold a spiral"})
	u.sees("asked for changes: Fold a spiral")

	u = whenAsked(t, "plan0000")
	u.keys("a", "y").gave(model.Answer{Allow: true})

	u = whenAsked(t, "plan0000")
	u.keys("a", "enter", "enter").gave()
	u.keys("c").sees("What to change").keys("esc", "y").gave(model.Answer{Allow: true})
}

func TestACallIsAllowedOnceOrDenied(t *testing.T) {
	u := whenAsked(t, "call0000")
	u.keys("enter", "enter", "enter").gave()
	screen := u.screen()
	if danger, call := strings.Index(screen, "deletes without asking"), strings.Index(screen, "The whole call"); danger < 0 || call < danger {
		t.Errorf("what is dangerous does not come first:\n%s", screen)
	}
	u.sees("y allow once", "d deny", "cd /tmp", "Begin anew").seesNo("always")
	u.keys("y").gave(model.Answer{Allow: true})

	u = whenAsked(t, "call0000")
	u.keys("a", "d").typed("use make").keys("enter").gave(model.Answer{Text: "use make"})
	u.sees("denied: use make")

	u = whenAsked(t, "call0000")
	u.keys("a", "enter").sees("enter does not answer here: y allows it, d denies it").gave()
	u.keys("d").sees("Why not").keys("enter").gave(model.Answer{})
}

// TestAYesOrNoIsAnswered: a script may ask a yes-or-no question that belongs to no call.
func TestAYesOrNoIsAnswered(t *testing.T) {
	u := whenAsked(t, "yesno000")
	u.keys("n", "a").sees("script asks", "Deploy now?", "y yes", "d no")
	u.keys("y").gave(model.Answer{Allow: true})
	u = whenAsked(t, "yesno000")
	u.keys("n", "a", "d").typed("not today")
	u.keys("enter").gave(model.Answer{Text: "not today"})
}

func TestAnotherUserAnswersFirst(t *testing.T) {
	u := whenAsked(t, "call0000")
	u.answerer.Taken["call0000"] = "grace has answered it already, at 11:59:58 (command): no"
	u.keys("a", "y").sees("Grace has answered it already, at 11:59:58 (command): no", "Nothing was answered by you.").gave()
	u.keys("y", "d").gave()
	u.keys("enter").seesNo("Nothing was answered by you.")
}

func TestWithdrawnWhileTheDialogIsOpen(t *testing.T) {
	u := whenAsked(t, "one00000")
	u.keys("a", "1")
	gone := u.answerer.Asks["one00000"]
	gone.State, gone.Fate = model.AskWithdrawn, "it was withdrawn at 12:00:00: the agent's turn has ended"
	u.looks(2)
	u.sees("the agent's turn has ended", "enter leave")
	u.keys("enter").gave()
}

func TestNothingIsAnsweredReadOnly(t *testing.T) {
	answerer := tuitest.NewAnswerer()
	opts := plainOptions()
	opts.ReadOnly = true
	u := facing(t, opts, answerer.Snapshot(1, "one00000"), 110, 34)
	u.press("n", "a").sees("read only: nothing is decided or answered here")
	u.press("enter").sees("Which shade?").seesNo("claude asks ·", "a answer")
}

func TestShowsWhereAnAgentIsAnswered(t *testing.T) {
	u := whenAsked(t, "one00000")
	snap := u.answerer.Snapshot(2, "one00000")
	b := snap.Projects[0].Builds[0]
	b.Nodes = []*model.Node{{ID: "session/5e55", Kind: model.KindSession, Number: "claude", Title: "build a lamp", Status: model.Waiting, Why: "its own prompt is open: only there it can be answered"}}
	b.Waits = []model.Wait{{Node: "session/5e55", Text: "claude asks in its own prompt", Evidence: model.Asked}}
	u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	u.press("n", "a").sees("its own prompt is open: only there it can be answered; J goes there")
	u.d.opts.Answerer = nil
	u.press("a").sees("only there it can be answered").seesNo("J goes there")
}

func TestJumpsToTheAgent(t *testing.T) {
	u := whenAsked(t, "one00000")
	u.does(u.d.pressKey(input.StrokeOf("J")))
	if len(u.answerer.Went) != 1 || u.answerer.Went[0] != "ask/one00000" {
		t.Errorf("%v", u.answerer.Went)
	}
	u.sees("went to tmux %3")
	u.keys("g", "J").sees("no live agent is selected")
}

// TestUnknownResultOfAnAnswer: if the result of an answer is unknown, the dashboard asks for it by ID and never sends the answer again.
func TestUnknownResultOfAnAnswer(t *testing.T) {
	u := whenAsked(t, "yesno000")
	x := &unknownResult{}
	u.answerer.Lost = map[string]error{"yesno000": x}
	x.then = []func() (*model.Outcome, error){
		func() (*model.Outcome, error) { return nil, x },
		func() (*model.Outcome, error) {
			a := *u.answerer.Asks["yesno000"]
			a.State = model.AskAnswered
			return &model.Outcome{Asked: &a}, nil
		},
	}
	u.keys("enter", "y").sees("not known whether", "gatehouse fleet outcome build-7 19c8a0-77", "y ask for the result").seesNo("It was not answered")
	u.keys("d", "c", "t", "esc").isOn("not known")
	u.keys("enter").sees("not known whether")
	u.keys("y").sees("not known whether")
	u.keys("y").asksNothing().sees("allowed: Deploy now?").seesNo("not known")
	if len(u.answerer.Given) != 0 || x.asked != 2 {
		t.Errorf("%v was sent, asked %d times", u.answerer.Given, x.asked)
	}
}
