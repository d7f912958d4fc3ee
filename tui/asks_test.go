package tui

// Questions of live agents, answered at the keyboard.

import (
	"reflect"
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
	u.keys("d", "c", "t", "y").sees("not known whether")
	u.keys("y").asksNothing().sees("allowed: Deploy now?").seesNo("not known")
	if len(u.answerer.Given) != 0 || x.asked != 2 {
		t.Errorf("%v was sent, asked %d times", u.answerer.Given, x.asked)
	}
}
