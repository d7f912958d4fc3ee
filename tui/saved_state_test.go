package tui

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
	"gatehouse/tui/tuitest"
)

// memoryKeeper keeps values in memory, as JSON.
type memoryKeeper struct {
	kept  map[string]string
	saves int
	fails error
}

func (s *memoryKeeper) Load(name string, into any) error {
	if s.fails != nil {
		return s.fails
	}
	if text, ok := s.kept[name]; ok {
		return json.Unmarshal([]byte(text), into)
	}
	return nil
}

func (s *memoryKeeper) Save(name string, value any) error {
	if s.fails != nil {
		return s.fails
	}
	text, err := json.Marshal(value)
	s.kept[name] = string(text)
	s.saves++
	return err
}

// opens opens a dashboard on a snapshot, with a memoryKeeper.
func opens(t *testing.T, k Keeper, snap *model.Snapshot) user {
	t.Helper()
	opts := plainOptions()
	opts.Keeper = k
	u := user{t, newDashboard(opts, nil)}
	ix := index.New(snap, nil)
	u.gets(tea.WindowSizeMsg{Width: 120, Height: 40}, snapshotMsg{index: ix, kept: loadMemory(k, ix)})
	return u
}

// leaves saves the state, as quitting does.
func (u user) leaves() {
	u.Helper()
	if err := u.d.saver()(time.Minute); err != nil {
		u.Fatal(err)
	}
}

// TestStateCannotBeSaved: the error is reported once, and nothing else is affected.
func TestStateCannotBeSaved(t *testing.T) {
	s := &memoryKeeper{kept: map[string]string{}, fails: errors.New("no space left on device")}
	u := opens(t, s, tuitest.Shop())
	u.sees("no space left on device", "Foundation")
	u.press("j")
	u.d.reportSave(s.fails)
	u.sees("no space left")
	u.press("j").d.reportSave(s.fails)
	u.seesNo("no space left")
}

// TestNoticesAreShownOneAfterTheOther: each is shown for the usual time, none is lost, and none contains escape sequences.
func TestNoticesAreShownOneAfterTheOther(t *testing.T) {
	notices := make(chan string, 3)
	for _, text := range []string{"config.yaml:3: no such key", "projects.json: torn\x1b[2J", "not everything was searched"} {
		notices <- text
	}
	opts := plainOptions()
	opts.Notices = notices
	d := newDashboard(opts, nil)
	u := user{t, d}
	var gone func(time.Time) tea.Msg
	d.tick = func(_ time.Duration, then func(time.Time) tea.Msg) tea.Cmd { gone = then; return nil }
	u.gets(tea.WindowSizeMsg{Width: 120, Height: 40}, snapshotMsg{index: index.New(tuitest.Shop(), nil)})
	for range 3 {
		u.gets(d.nextNotice()())
	}
	u.sees("config.yaml:3").seesNo("projects.json")
	u.press("j").seesNo("config.yaml:3") // any key dismisses it
	u.gets(gone(time.Time{}))
	u.sees("projects.json: torn").seesNo("\x1b[2J")
	u.gets(gone(time.Time{}))
	u.sees("not everything was searched").seesNo("projects.json")
	u.gets(gone(time.Time{}))
	u.seesNo("not everything was searched")
}

// TestHostileMemory: saved texts cannot act on the terminal, hide anything or make the dashboard fail.
func TestHostileMemory(t *testing.T) {
	bad := "\x1b[2J\x07│ ✓"
	key := bad
	k := Kept{View: pane.TreeView{Folded: []string{bad, "gsd\n" + bad, ""}, Selected: &key, Text: bad, States: []string{bad}}}
	k.At = tuitest.Ago(tuitest.Day)
	k.Stood = map[string]map[string]string{"gsd": {"phase/03": bad, bad: "done", "phase/05": "done"}, bad: nil}
	text, err := json.Marshal(k)
	must(t, err)
	s := &memoryKeeper{kept: map[string]string{"/src/shop": string(text)}}
	u := opens(t, s, tuitest.Shop())
	u.press("esc", "6")
	if screen := u.d.View().Content; strings.Contains(screen, "\x1b[2J") || strings.Contains(screen, "\a") {
		t.Errorf("%q", screen)
	}
	u.leaves()
}
