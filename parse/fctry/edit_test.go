package fctry

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/protocoltest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 7_000_000, time.UTC)

// change returns what an action does to a content, and the new content.
func change(t testing.TB, content string, a model.Action, last *model.Decision) (*protocol.Change, string) {
	t.Helper()
	p := newProject(t, map[string]string{stateFile: content, inboxFile: content})
	c, err := protocoltest.Decide(New(p.m), protocol.Request{Action: a, Content: content, Now: noon, Last: last})
	if err != nil {
		t.Fatalf("%+v: %v", a, err)
	}
	after, err := protocol.Apply(content, c.Spans)
	must(t, err)
	return c, after
}

// refusedAs returns the reason of a refusal, "" if the action is not refused.
func refusedAs(t testing.TB, content string, a model.Action) string {
	t.Helper()
	p := newProject(t, map[string]string{stateFile: content, inboxFile: content})
	_, err := protocoltest.Decide(New(p.m), protocol.Request{Action: a, Content: content, Now: noon})
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestAddedItemMatchesTheDocument(t *testing.T) {
	for _, c := range []struct{ text, kind, want string }{
		{"  Make onboarding faster ", "", "evolve"},
		{"https://example.org", "", "reference"},
		{"HTTP://example.org/a b", "", "reference"},
		{"https://example.org", "feature", "feature"},
		{"httpsomething", "", "evolve"},
		{"\"quoted\"\n\ttext\x00 \u202e", "evolve", "evolve"},
	} {
		did, after := change(t, "[]", model.Action{Verb: model.VerbAdd, Text: c.text, Kind: c.kind}, nil)
		var items []map[string]string
		if err := json.Unmarshal([]byte(after), &items); err != nil || len(items) != 1 {
			t.Fatalf("%q: %v, %s", c.text, err, after)
		}
		x := items[0]
		if !regexp.MustCompile(`^inbox-1772366400007-[0-9a-z]{6}$`).MatchString(x["id"]) {
			t.Errorf("the ID is %q", x["id"])
		}
		if x["type"] != c.want || x["content"] != strings.TrimSpace(c.text) || x["timestamp"] != "2026-03-01T12:00:00.007Z" || x["status"] != "pending" || len(x) != 5 {
			t.Errorf("%q became %v", c.text, x)
		}
		if did.Node != "inbox/"+x["id"] || did.Was != absent || did.Is != "pending" || did.Wants != "item" || did.Kinds[0] != typesFor(c.text)[0] {
			t.Errorf("%+v", did)
		}
	}
}

func TestRefusedActions(t *testing.T) {
	const run, items = `{"buildRun":{"status":"running"}}`, `[{"id":"a"}]`
	for _, c := range []struct {
		content string
		a       model.Action
		want    string
	}{
		{"[]", model.Action{Verb: model.VerbAdd, Text: " \n"}, "there is nothing to add"},
		{"[]", model.Action{Verb: model.VerbAdd, Text: "x", Kind: "wish"}, "use one of evolve, reference, feature"},
		{"[]", model.Action{Verb: model.VerbAdd, Text: "\xff"}, "not UTF-8"},
		{"", model.Action{Verb: model.VerbAdd, Text: "x"}, ".fctry/inbox.json:1:1: the JSON ends too early"},
		{`[{"id":`, model.Action{Verb: model.VerbAdd, Text: "x"}, "nothing is written to a file that can't be read"},
		{`{"items":[]}`, model.Action{Verb: model.VerbAdd, Text: "x"}, "this is not a JSON list"},
		{"null", model.Action{Verb: model.VerbAdd, Text: "x"}, "this is not a JSON list"},
		{items, model.Action{Verb: model.VerbDismiss, Node: "inbox/b"}, "the inbox has no item b"},
		{items, model.Action{Verb: model.VerbDismiss, Node: "chunk/1"}, "fctry's files have no place for that"},
		{items, model.Action{Verb: model.VerbApprove, Node: "gate/question"}, "answer in the agent's session"},
		{run, model.Action{Verb: model.VerbPause}, `a fctry build knows no "pause"`},
		{`{"buildRun":null}`, model.Action{Verb: model.VerbFresh}, "there is no run to clear"},
		{`{}`, model.Action{Verb: model.VerbFresh}, "there is no run to clear"},
		{`{"buildRun":{}`, model.Action{Verb: model.VerbFresh}, ".fctry/state.json:1:14: the JSON ends too early"},
		{`[]`, model.Action{Verb: model.VerbFresh}, "this is not a JSON object"},
		{run, model.Action{Verb: model.VerbUndo}, "there is no decision to undo"},
	} {
		if got := refusedAs(t, c.content, c.a); !strings.Contains(got, c.want) {
			t.Errorf("%s of %q: %q, want %q", c.a.Verb, c.content, got, c.want)
		}
	}
	var refused *model.Refusal
	if _, err := New(newProject(t, nil).m).Target(model.Action{Verb: model.VerbFresh}, time.Time{}); !errors.As(err, &refused) || refused.Already {
		t.Errorf("without a state: %v", err)
	}
}

func TestProposalIsStable(t *testing.T) {
	p := newProject(t, map[string]string{inboxFile: "[]"})
	ask := func(a model.Action, now time.Time) *protocol.Change {
		c, err := protocoltest.Decide(New(p.m), protocol.Request{Action: a, Content: "[]", Now: now, Asking: true})
		must(t, err)
		return c
	}
	a := model.Action{Verb: model.VerbAdd}
	one, two := ask(a, noon), ask(a, noon.Add(time.Hour))
	if fmt.Sprint(one) != fmt.Sprint(two) || !slices.Equal(one.Kinds, ItemTypes) {
		t.Errorf("%+v, and then %+v", one, two)
	}
	a.Text = "https://example.org"
	if c := ask(a, noon); c.Kinds[0] != "reference" || !strings.Contains(c.Spans[0].New, a.Text) {
		t.Errorf("%+v", c)
	}
}

func TestItemsWithTheSameIDAreDistinct(t *testing.T) {
	const content = `[{"id":"a","content":"old","timestamp":"2026-01-01T00:00:00Z"},{"id":"a","content":"new","timestamp":"2026-02-01T00:00:00Z"},{"content":"none"}]`
	for node, gone := range map[string]string{"inbox/a": "new", "inbox/a#2": "old", "inbox/item": "none"} {
		c, after := change(t, content, model.Action{Verb: model.VerbDismiss, Node: node}, nil)
		if strings.Contains(after, gone) || c.Asks != gone {
			t.Errorf("%s: %s", node, after)
		}
		if warned := slices.Contains(c.Warnings, "another item has the same ID, and stays"); warned != (gone != "none") {
			t.Errorf("%s: %q", node, c.Warnings)
		}
	}
}

func TestFreshClearsTheRunAndNothingElse(t *testing.T) {
	const content = "{\r\n\t\"buildRun\":{\"runId\":\"run-1\",\"status\":\"partial\",\"chunks\":[{\"id\":1,\"status\":\"completed\"},{\"id\":2}]},\r\n\t\"big\":1E400\r\n}"
	const want = "{\r\n\t\"buildRun\":null,\r\n\t\"big\":1E400,\r\n\t\"lastUpdated\":\"2026-03-01T12:00:00.007Z\"\r\n}"
	c, after := change(t, content, model.Action{Verb: model.VerbFresh}, nil)
	if after != want {
		t.Errorf("%q, want %q", after, want)
	}
	if c.Name != "run-1" || c.Confirm != "fresh" || c.Effect != "partial, 1 of 2 chunks done → no run" || c.Was != "partial" || c.Is != absent {
		t.Errorf("%+v", c)
	}
	last := &model.Decision{Verb: model.VerbFresh, Was: c.Was, Is: c.Is, After: statefile.Hash(after), Spans: c.Spans}
	if _, back := change(t, after, model.Action{Verb: model.VerbUndo}, last); back != content[:len(content)-3]+",\r\n\t\"lastUpdated\":\"2026-03-01T12:00:00.007Z\"\r\n}" {
		t.Errorf("%q", back)
	}
	last.After = statefile.Hash(content) // the file differs by now, and its run is still cleared
	if _, back := change(t, after, model.Action{Verb: model.VerbUndo}, last); !strings.HasPrefix(back, content[:len(content)-3]) {
		t.Errorf("%q", back)
	}
	after = strings.Replace(after, "null", "{}", 1)
	p := newProject(t, map[string]string{stateFile: after})
	if _, err := protocoltest.Decide(New(p.m), protocol.Request{Action: model.Action{Verb: model.VerbUndo}, Content: after, Now: noon, Last: last}); err == nil || !strings.Contains(err.Error(), "has changed since: buildRun is {… now, not null; review it and decide again") {
		t.Errorf("%v", err)
	}
}

// TestFreshClearsTheCount checks that the count of chunks next to a run, or without one, is cleared, too, and restored by an undo.
func TestFreshClearsTheCount(t *testing.T) {
	for _, c := range []struct{ content, want, effect string }{
		{`{"buildRun":{"runId":"r","status":"running","chunks":[{"id":1}]},"chunkProgress":{"current":1,"total":1},"x":1}`, `{"buildRun":null,"chunkProgress":null,"x":1,"lastUpdated":"2026-03-01T12:00:00.007Z"}`, "running, 0 of 1 chunks done → no run"},
		{`{"chunkProgress":{"current":2,"total":4},"lastUpdated":"x"}`, `{"chunkProgress":null,"lastUpdated":"2026-03-01T12:00:00.007Z"}`, "begun, 1 of 4 chunks done → no run"},
		{`{"buildRun":null,"chunkProgress":{"total":4,"chunks":[{"status":"completed"}]},"lastUpdated":"x"}`, `{"buildRun":null,"chunkProgress":null,"lastUpdated":"2026-03-01T12:00:00.007Z"}`, "begun, 1 of 4 chunks done → no run"},
	} {
		change, after := change(t, c.content, model.Action{Verb: model.VerbFresh}, nil)
		if after != c.want || change.Effect != c.effect {
			t.Errorf("%s, %s; want %s, %s", after, change.Effect, c.want, c.effect)
		}
		if b := state(t, c.content); !slices.Contains(b.Can, model.VerbFresh) {
			t.Errorf("%s: %v", c.content, b.Can)
		}
	}
}

func TestPossibleActions(t *testing.T) {
	p := newProject(t, map[string]string{inboxFile: `[{"id":"a"}]`})
	if b := p.read(); !slices.Equal(b.Can, []model.Verb{model.VerbAdd}) {
		t.Errorf("without a state: %v", b.Can)
	}
	p.put(stateFile, `{"buildRun":{"status":"running"}}`)
	b := p.read()
	if n, _ := b.Find("inbox/a"); n == nil || !slices.Equal(n.Can, []model.Verb{model.VerbDismiss}) {
		t.Errorf("%+v", n)
	}
	if !slices.Equal(b.Can, []model.Verb{model.VerbAdd, model.VerbFresh}) {
		t.Errorf("with a run: %v", b.Can)
	}
	p.put(stateFile, `{"buildRun":`)
	p.put(inboxFile, `[{"id":`)
	b = p.read()
	if n, _ := b.Find("inbox/a"); n == nil || len(n.Can) > 0 || !n.Held {
		t.Errorf("of an inbox that can't be read now: %+v", n)
	}
	if !slices.Equal(b.Can, []model.Verb{model.VerbAdd}) {
		t.Errorf("of a state that can't be read now: %v", b.Can)
	}
}
