//go:build unix

package main

// Runs the real Gemini CLI, headless, with a stand-in for its model. Its hooks report its state while it runs.

import (
	"context"
	"encoding/json"
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
	"gatehouse/parse/disk/process"
)

// geminiTimeout is how long the client may take. It starts slowly, even more so beside other tests.
const geminiTimeout = 4 * time.Minute

func TestLiveGeminiSession(t *testing.T) {
	t.Parallel()
	client := filepath.Join(os.Getenv(clientsVariable), "gemini")
	if _, err := os.Stat(client); os.Getenv(clientsVariable) == "" || err != nil {
		t.Skip("Gemini CLI is not installed: npm install @google/gemini-cli, and name its node_modules/.bin in " + clientsVariable)
	}
	bin, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	settings := filepath.Join(home, ".gemini", "settings.json")
	dir, err := filepath.EvalSymlinks(home)
	if err == nil {
		err = os.MkdirAll(filepath.Join(home, ".gemini"), 0o700)
	}
	if err == nil { // as after its first start; otherwise it asks how to log in
		err = os.WriteFile(settings, []byte(`{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}}`), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(home, ".local", "state", "gatehouse")
	store := ask.Open(ask.Options{Dir: filepath.Join(state, "agents"), Journal: filepath.Join(state, "journal"), User: "test", Table: process.System{}, Now: time.Now})
	during := make(chan []ask.Session, 16) // the known sessions, at each request to the model
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Contents []struct{ Role string }
		}
		body, _ := io.ReadAll(r.Body)
		json.Unmarshal(body, &q)
		answer := `{"text": "All done."}`
		if len(q.Contents) > 0 && !strings.Contains(string(body), "functionResponse") {
			answer = `{"functionCall": {"name": "list_directory", "args": {"dir_path": "."}}}`
		}
		now, _ := store.Sessions()
		during <- now
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, `data: {"candidates": [{"content": {"role": "model", "parts": [`+answer+`]}, "finishReason": "STOP", "index": 0}], "usageMetadata": {"totalTokenCount": 2}}`+"\r\n\r\n")
	}))
	t.Cleanup(model.Close)
	ctx, stop := context.WithTimeout(t.Context(), geminiTimeout)
	defer stop()
	env := []string{"HOME=" + dir, "PATH=" + bin + ":" + os.Getenv("PATH"), "TERM=xterm-256color", "GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + model.URL, "GEMINI_CLI_TRUST_WORKSPACE=true"}
	run := func(program string, args ...string) string {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", filepath.Base(program), err, out)
		}
		return string(out)
	}
	run(filepath.Join(bin, "gatehouse"), "install", "gemini")
	if out := run(client, "-m", "gemini-2.5-flash", "-p", "go on, please"); !strings.Contains(out, "All done.") {
		t.Fatal(out)
	}
	close(during)
	var last []ask.Session
	turns := 0
	for last = range during {
		turns++
	}
	if turns < 2 || len(last) != 1 || last[0].Agent != "gemini" || last[0].State != "running" || last[0].Title != "go on, please" || last[0].Dir != dir {
		t.Errorf("%d turns: %+v", turns, last)
	}
	if all, err := store.Sessions(); err != nil || len(all) > 0 {
		t.Errorf("afterwards: %+v, %v", all, err)
	}
}
