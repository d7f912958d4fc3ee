package view

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// newLook returns a dashboard that has just been opened on build-7, which has one project.
func newLook(t *testing.T, l link.Viewer, sentDir string) *Fleet {
	f := Open(t.Context(), Options{Fleet: "work", Links: []link.Viewer{l}, Now: time.Now, SilentAfter: time.Minute, Sent: sentDir})
	there := &process{machine: "m", boot: 1}
	f.sources[0].Up()
	f.sources[0].Listed(time.Now(), nil)
	f.sources[0].Said(there.project("/src", time.Now()))
	f.sources[0].Said(there.here(time.Now()))
	return f
}

// TestSentIsKept: who decides once more about what may have been done, in a dashboard that was opened since, is told what became of it, and
// nothing is sent a second time.
func TestSentIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fleet", "sent")
	l := &deaf{silent: true, ids: map[string][]string{}}
	approve := model.Action{Verb: model.VerbApprove, Project: "build-7:/src", Build: "b", Node: "gate/x"}
	var u model.Unanswered
	ctx, cancel := context.WithCancel(t.Context())
	l.lost = cancel
	if _, err := newLook(t, l, dir).Do(ctx, approve); !errors.As(err, &u) {
		t.Fatal(err)
	}
	id := l.ids[wire.AskDecide][0]
	if info, err := os.Stat(filepath.Join(dir, id+".json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}

	l.lost = func() {}
	f := newLook(t, l, dir)
	f.mu.Lock()
	f.sent[id].asked = time.Now() // it is not asked for by itself meanwhile
	told := f.unsettled("build-7:/src")
	f.mu.Unlock()
	if len(told) != 1 || !strings.Contains(told[0].Fix, "gatehouse fleet outcome build-7 "+id) || !strings.HasPrefix(told[0].Text, "it is not known whether it was done: approve of gate/x, sent at ") {
		t.Errorf("%+v", told)
	}
	if _, err := f.Do(t.Context(), approve); !errors.As(err, &u) || !strings.Contains(u.Command(), id) {
		t.Errorf("%v", err)
	}
	l.silent = false
	other := approve
	other.Node = "gate/y"
	if _, err := f.Do(t.Context(), other); err != nil || len(l.ids[wire.AskDecide]) != 2 {
		t.Error("what is about something else is not sent:", err)
	}
	var refused *model.Refusal
	if _, err := f.Do(t.Context(), approve); !errors.As(err, &refused) || !refused.Already || !strings.HasPrefix(refused.Text, "it was done before: ") {
		t.Error(err)
	}
	if n := len(l.ids[wire.AskDecide]); n != 2 {
		t.Errorf("%d decisions were sent", n)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
	if _, err := f.Do(t.Context(), approve); err != nil || len(l.ids[wire.AskDecide]) != 3 {
		t.Error("what is known keeps from deciding again:", err)
	}
}

// TestSentIsSettled: a host that is there is asked by itself what became of what was sent before.
func TestSentIsSettled(t *testing.T) {
	dir := t.TempDir()
	l := &deaf{ids: map[string][]string{}}
	f := newLook(t, l, dir)
	x := &sent{Version: sentVersion, ID: wire.NewID(time.Now()), Fleet: "work", Host: "build-7", Machine: "m", At: time.Now().Add(-time.Minute), Action: model.Action{Project: "build-7:/src"}}
	f.sends(x)
	f.mu.Lock()
	f.settleSent()
	f.mu.Unlock()
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Error("what is under way is given up")
	}
	f.unanswered(x)
	f.mu.Lock()
	x.asked = time.Time{} // a while ago
	f.settleSent()
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := f.until(ctx, func() bool { return len(f.sent) == 0 }); err != nil {
		t.Error("it is not asked for:", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Error(left)
	}
}

// TestSentBroken: what is torn, hostile or of a later version is passed over, and what can't be written is not in the way.
func TestSentBroken(t *testing.T) {
	dir := t.TempDir()
	id := wire.NewID(time.Now())
	file := filepath.Join(dir, id+".json")
	whole := fmt.Sprintf(`{"version":1,"id":%q,"fleet":"work","host":"build-7","machine":"m","at":"2026-03-14T12:00:00Z","action":{"verb":"approve","project":"build-7:/src"},"unknown":true}`, id)
	for name, text := range map[string]string{
		"empty": "", "torn": whole[:50], "null": "null", "list": "[]", "later": strings.Replace(whole, `"version":1`, `"version":2`, 1), "other": strings.Replace(whole, id, wire.NewID(time.Now()), 1),
		"elsewhere": strings.Replace(whole, `"work"`, `"home"`, 1), "long": strings.Repeat(" ", sentLimit) + whole,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := newLook(t, quiet{"hub"}, dir)
		f.mu.Lock()
		if len(f.sent) != 0 {
			t.Errorf("%s: %+v", name, f.sent)
		}
		f.mu.Unlock()
		if now, err := os.ReadFile(file); err != nil || string(now) != text {
			t.Errorf("%s: it was changed: %v", name, err)
		}
	}
	os.Remove(file)
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, wire.NewID(time.Now().Add(-2*sentFor))+".json")
	if err := os.WriteFile(old, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	newLook(t, quiet{"hub"}, dir)
	if _, err := os.Stat(old); err == nil {
		t.Error("what no host knows any more is kept")
	}

	l := &deaf{lost: func() {}, ids: map[string][]string{}}
	f := newLook(t, l, filepath.Join(old, "no", "directory"))
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Do(t.Context(), model.Action{Verb: model.VerbApprove, Project: "build-7:/src"}); err != nil {
		t.Error(err)
	}
}

// TestSentBefore: a decision counts as done only where it is the one that was done, upon the same; what was refused or withdrawn keeps from nothing.
func TestSentBefore(t *testing.T) {
	first := model.Action{Verb: model.VerbApprove, Project: "build-7:/src", Build: "b", Node: "gate/x", Seen: "f1", Shown: "p1"}
	for name, c := range map[string]struct {
		change  func(*model.Action)
		already bool
	}{
		"the same":      {func(*model.Action) {}, true},
		"another verb":  {func(a *model.Action) { a.Verb = model.VerbSkip }, false},
		"another text":  {func(a *model.Action) { a.Text = "since" }, false},
		"another round": {func(a *model.Action) { a.Seen, a.Shown = "f2", "p2" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			l := &deaf{lost: func() {}, ids: map[string][]string{}}
			f := newLook(t, l, "")
			x := &sent{ID: wire.NewID(time.Now()), Machine: "m", At: time.Now(), Action: first}
			f.sends(x)
			f.unanswered(x)
			now := first
			c.change(&now)
			var refused *model.Refusal
			if _, err := f.Do(t.Context(), now); !errors.As(err, &refused) || refused.Already != c.already || refused.Fix == "" {
				t.Errorf("%v %+v", err, refused)
			}
			if n := len(l.ids[wire.AskDecide]); n != 0 {
				t.Errorf("%d were sent", n)
			}
		})
	}
}

// becameOf sends a decision that nobody answers, asks its host what became of it, and returns it with what is told of that.
func becameOf(t *testing.T, f *Fleet) (*sent, []model.Problem) {
	t.Helper()
	x := &sent{Version: sentVersion, ID: wire.NewID(time.Now()), Fleet: "work", Host: "build-7", Machine: "m", At: time.Now().Add(-time.Minute),
		Action: model.Action{Verb: model.VerbApprove, Project: "build-7:/src", Node: "gate/x"}}
	f.sends(x)
	f.unanswered(x)
	f.mu.Lock()
	x.asked = time.Time{}
	f.settleSent()
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := f.until(ctx, func() bool { return x.fate != "" }); err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return x, f.unsettled("build-7:/src")
}

// TestSentThatFailed: that nothing was done is said until the same is decided again, also where another process has found it out.
func TestSentThatFailed(t *testing.T) {
	dir := t.TempDir()
	l := &deaf{lost: func() {}, reply: &wire.Reply{Withdrawn: true}, ids: map[string][]string{}}
	f := newLook(t, l, dir)
	x, told := becameOf(t, f)
	if len(told) != 1 || !strings.HasPrefix(told[0].Text, "it was not done: approve of gate/x") || !strings.Contains(told[0].Fix, "decide again, or") {
		t.Errorf("%+v", told)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Error("a dashboard that opens later is not told:", left)
	}
	if _, err := f.Do(t.Context(), x.Action); err != nil && !strings.Contains(err.Error(), "not done any more") || len(l.ids[wire.AskDecide]) != 1 {
		t.Error(err, l.ids)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error(left)
	}
}

// TestSentThatMayBeDone: that it was not done is said only where its host is certain of it.
func TestSentThatMayBeDone(t *testing.T) {
	answered := &model.Ask{State: model.AskAnswered}
	for _, reply := range []*wire.Reply{
		{Error: wire.EncodeError(errors.New("the host stopped in the middle of it, and x.json has been written since: look at it"))},
		{Error: wire.EncodeError(errors.New("the host stopped in the middle of it; now it is answered")), Asked: answered},
	} {
		l := &deaf{lost: func() {}, reply: reply, ids: map[string][]string{}}
		_, told := becameOf(t, newLook(t, l, ""))
		if len(told) != 1 || !strings.HasPrefix(told[0].Text, "it may have been done: approve of gate/x") || !strings.Contains(told[0].Text, "the host stopped in the middle") || !strings.HasPrefix(told[0].Fix, "look there") {
			t.Errorf("%+v", told)
		}
	}
}

// TestSentMany: of more than are read the newest are, and what is not read is not taken for answered.
func TestSentMany(t *testing.T) {
	dir := t.TempDir()
	f := newLook(t, quiet{"hub"}, dir)
	first := &sent{Version: sentVersion, ID: wire.NewID(time.Now().Add(-time.Hour)), Fleet: "work", Action: model.Action{Project: "build-7:/src"}}
	f.sends(first)
	f.mu.Lock()
	first.busy = false
	f.mu.Unlock()
	for range sentMost {
		if err := os.WriteFile(filepath.Join(dir, wire.NewID(time.Now())+".json"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	last := &sent{Version: sentVersion, ID: wire.NewID(time.Now().Add(time.Minute)), Fleet: "work"}
	f.keep(last)
	f.loadSent()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sent[first.ID] == nil || f.sent[last.ID] == nil {
		t.Errorf("%v", f.sent)
	}
}
