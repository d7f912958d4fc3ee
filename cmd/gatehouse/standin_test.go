package main

// A stand-in for the model behind a real agent: it speaks as much of the Messages API as Claude Code needs, and plays the calls of a
// script, so that the client that people use can be tried without an account.

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// block is a piece of an answer: a text, or the use of a tool.
type block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

// standIn is a model that plays a script: an answer for each that it has given.
type standIn struct {
	*httptest.Server
	script [][]block
	mu     sync.Mutex
	// answers and calls number what it has said: the client takes two of the same number for one.
	answers, calls int
	heard          []string // all messages of the agent's last request, as JSON
}

// newStandIn returns a model that plays testdata/agents/NAME.json.
func newStandIn(t *testing.T, name string) *standIn {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "agents", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	m := &standIn{}
	if err := json.Unmarshal(text, &m.script); err != nil {
		t.Fatal(err)
	}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

// told reports whether the agent has told the model a text.
func (m *standIn) told(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Contains(strings.Join(m.heard, "\n"), text)
}

// planFile is where the client says that a plan is to be written.
var planFile = regexp.MustCompile(`/[^\s"\\]*/plans/[A-Za-z0-9_-]+\.md`)

func (m *standIn) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var q struct {
		Stream   bool              `json:"stream"`
		Tools    []json.RawMessage `json:"tools"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	json.Unmarshal(body, &q)
	switch {
	case strings.Contains(r.URL.Path, "count_tokens"):
		io.WriteString(w, `{"input_tokens":10}`)
		return
	case r.Method != http.MethodPost || !strings.Contains(r.URL.Path, "/v1/messages"):
		io.WriteString(w, `{"data":[]}`)
		return
	}
	answer := []block{{Type: "text", Text: "ok"}} // to what is asked beside the agent: a title, a summary
	if len(q.Tools) > 0 {
		turn := 0
		for _, message := range q.Messages {
			if message.Role == "assistant" {
				turn++
			}
		}
		if answer = []block{{Type: "text", Text: "All done."}}; turn < len(m.script) {
			answer = m.script[turn]
		}
		m.mu.Lock()
		m.heard = nil
		for _, message := range q.Messages {
			m.heard = append(m.heard, string(message.Content))
		}
		m.mu.Unlock()
	}
	m.say(w, answer, q.Stream, string(planFile.Find(body)))
}

// say writes an answer, as a stream of events or whole.
func (m *standIn) say(w http.ResponseWriter, answer []block, stream bool, plan string) {
	stop := "end_turn"
	var content []map[string]any
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range answer {
		if b.Type == "text" {
			content = append(content, map[string]any{"type": "text", "text": b.Text})
			continue
		}
		stop = "tool_use"
		m.calls++
		input := json.RawMessage(strings.ReplaceAll(string(b.Input), "PLANFILE", plan))
		content = append(content, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%06d", m.calls), "name": b.Name, "input": input})
	}
	m.answers++
	whole := map[string]any{"id": fmt.Sprintf("msg_%06d", m.answers), "type": "message", "role": "assistant", "model": "stand-in", "content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]int{"input_tokens": 1, "output_tokens": 1}}
	if !stream {
		w.Header().Set("content-type", "application/json")
		json.NewEncoder(w).Encode(whole)
		return
	}
	w.Header().Set("content-type", "text/event-stream")
	event := func(kind string, more map[string]any) {
		more["type"] = kind
		text, _ := json.Marshal(more)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, text)
	}
	whole["content"], whole["stop_reason"] = []any{}, nil
	event("message_start", map[string]any{"message": whole})
	for i, c := range content {
		delta := map[string]any{"type": "text_delta", "text": c["text"]}
		if c["type"] == "tool_use" {
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(c["input"].(json.RawMessage))}
			c["input"] = map[string]any{}
		} else {
			c["text"] = ""
		}
		event("content_block_start", map[string]any{"index": i, "content_block": c})
		event("content_block_delta", map[string]any{"index": i, "delta": delta})
		event("content_block_stop", map[string]any{"index": i})
	}
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]int{"output_tokens": 5}})
	event("message_stop", map[string]any{})
}
