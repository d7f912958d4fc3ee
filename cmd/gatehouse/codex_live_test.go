//go:build unix

package main

// Runs the real Codex client with its app server in a real terminal. Its asks are answered here while its own prompt is open.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/codex"
	"gatehouse/parse/agents/reply"
)

// responses is a model that implements as much of the Responses API as Codex needs. It repeats the last message. For messages that
// start with "plan" or "make" it calls a tool first.
func responses(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var q struct {
		Input []struct {
			Type    string `json:"type"`
			Role    string `json:"role"`
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
			Output any `json:"output"`
		} `json:"input"`
	}
	json.Unmarshal(body, &q)
	prompt, called := "", ""
	for _, i := range q.Input {
		switch {
		case i.Role == "user" && len(i.Content) > 0:
			prompt, called = i.Content[len(i.Content)-1].Text, ""
		case i.Type == "function_call_output":
			called = fmt.Sprint(i.Output)
		}
	}
	id := fmt.Sprint(time.Now().UnixNano())
	item := map[string]any{"type": "message", "id": "m" + id, "role": "assistant", "status": "completed",
		"content": []map[string]any{{"type": "output_text", "text": "I heard: " + prompt + " " + strings.Map(func(r rune) rune {
			if strings.ContainsRune("{}[]\\\"", r) {
				return -1
			}
			return r
		}, called)}}}
	calls := map[string][2]string{
		"make": {"exec_command", `{"cmd":"touch made-by-agent","sandbox_permissions":"require_escalated","justification":"Make the file"}`},
		"plan": {"request_user_input", `{"questions":[{"id":"db","header":"Database","question":"Which database?","options":[{"label":"Postgres","description":"A server"},{"label":"SQLite","description":"One file"}]}]}`},
	}
	word, _, _ := strings.Cut(prompt, " ")
	if call, ok := calls[word]; ok && called == "" {
		item = map[string]any{"type": "function_call", "id": "f" + id, "call_id": "c" + id, "name": call[0], "arguments": call[1], "status": "completed"}
	}
	w.Header().Set("content-type", "text/event-stream")
	for _, event := range []map[string]any{
		{"type": "response.created", "response": map[string]any{"id": id}},
		{"type": "response.output_item.done", "output_index": 0, "item": item},
		{"type": "response.completed", "response": map[string]any{"id": id, "output": []any{item},
			"usage": map[string]any{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": nil, "output_tokens_details": nil}}},
	} {
		text, _ := json.Marshal(event)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event["type"], text)
	}
}

func TestLiveCodex(t *testing.T) {
	t.Parallel()
	client := filepath.Join(os.Getenv(clientsVariable), "codex")
	if _, err := os.Stat(client); os.Getenv(clientsVariable) == "" || err != nil {
		t.Skip("Codex is not installed: npm install @openai/codex, and name its node_modules/.bin in " + clientsVariable)
	}
	model := httptest.NewServer(http.HandlerFunc(responses))
	t.Cleanup(model.Close)
	w := openTerminal(t, 120, 45, "STUB_KEY=none")
	dir := filepath.Join(w.home, "work")
	config := fmt.Sprintf("model = \"stand-in\"\nmodel_provider = \"stub\"\napproval_policy = \"on-request\"\nsandbox_mode = \"workspace-write\"\n"+
		"[model_providers.stub]\nname = \"stub\"\nbase_url = \"%s/v1\"\nwire_api = \"responses\"\nenv_key = \"STUB_KEY\"\n"+
		"[projects.\"%s\"]\ntrust_level = \"trusted\"\n[tui]\nscreen_reader_detection_done = true\n", model.URL, dir)
	for _, d := range []string{dir, filepath.Join(w.home, ".codex")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(w.home, ".codex", "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string { return map[string]string{"PATH": os.Getenv("PATH")}[name] }
	s := &agentSession{terminal: w, store: w.askStore(), dir: dir}
	bridge := &codex.Bridge{Socket: codex.Socket(w.home, env), Store: s.store, Project: func(dir string) string { return dir }, Poll: 100 * time.Millisecond}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { bridge.Run(ctx); close(done) }()
	t.Cleanup(func() {
		stop()
		<-done
		daemon := exec.Command(client, "app-server", "daemon", "stop")
		daemon.Env = []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH")}
		daemon.Run()
	})
	idle := func() {
		t.Helper()
		waitUntil(t, "idle", func() bool { all := bridge.Sessions(); return len(all) == 1 && all[0].State == "idle" })
	}
	say := func(words string) {
		idle()
		w.typeText(words)
		w.shows("› " + words)
		time.Sleep(300 * time.Millisecond) // Codex takes Enter right after typed text as part of a paste
		w.press("Enter")
	}
	answer := func(id string, a ask.Answer) { // not by a command, which would be a child of the asking process
		if _, err := s.store.Answer(id, a, ask.ByDashboard); err != nil {
			t.Fatal(err)
		}
	}
	w.enter("cd work; clear; '" + client + "'")
	w.shows("OpenAI Codex (v", "Ask Codex")

	// A permission is answered here, and Codex closes its own dialog.
	say("make")
	w.shows("Would you like to run the following command?")
	item := s.waitForAsk("Bash: touch made-by-agent")
	if item.Call.Reason != "Make the file" || item.Project != dir {
		t.Errorf("%+v", item)
	}
	answer(item.ID, ask.Answer{Allow: true})
	w.gone("Would you like to run the following command?")
	waitUntil(t, "made", func() bool { _, err := os.Stat(filepath.Join(dir, "made-by-agent")); return err == nil })
	s.checkEnd(item.ID, ask.Answered, true)

	// After an answer in Codex, it no longer waits here.
	say("make again")
	item = s.waitForAsk("Bash: touch made-by-agent")
	w.shows("Would you like to run the following command?")
	w.press("y")
	if end := s.checkEnd(item.ID, ask.Withdrawn, false); end.Reason != "answered in the agent's own prompt" {
		t.Errorf("%+v", end)
	}

	// A reply reaches the thread as a message of its user.
	idle()
	thread := bridge.Sessions()[0].ID
	if !codex.ServesDaemon(ctx, bridge.Socket, thread) {
		t.Error("the daemon does not serve its own thread")
	}
	doors := &reply.Doors{Home: w.home, Env: env, Store: s.store}
	to := &ask.Session{}
	to.Agent, to.ID, to.Project, to.Dir, to.Alive = "codex", thread, dir, dir, true
	if err := doors.Send(ctx, to, "", "Use SQLite.", ask.ByCommand); err != nil {
		t.Fatal(err)
	}
	w.shows("› Use SQLite.", "I heard: Use SQLite.")

	// A question of plan mode.
	say("/plan")
	w.shows("Plan mode")
	say("plan")
	item = s.waitForAsk("Which database?")
	w.shows("Which database?")
	answer(item.ID, ask.Answer{Allow: true, Replies: []ask.Reply{{Picks: []int{1}}}})
	w.shows("answers:SQLite")
	s.checkEnd(item.ID, ask.Answered, true)
}
