package main

// A stand-in for the model behind Claude Code. It implements the part of the Messages API that the client needs and plays scripts, so
// tests run the real client without an account.

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// block is a part of an answer: "text", "tool_use", "sleep" (Millis), "error" (an HTTP error after Millis, the first Times requests) or "cut" (the
// connection ends).
type block struct {
	Type   string          `json:"type"`
	Text   string          `json:"text,omitempty"`
	Name   string          `json:"name,omitempty"`
	Input  json.RawMessage `json:"input,omitempty"`
	Millis int             `json:"millis,omitempty"`
	Status int             `json:"status,omitempty"`
	Times  int             `json:"times,omitempty"`
}

// script has the answers of the model, in order.
type script [][]block

// standIn is a model that plays scripts. A prompt with "play:NAME" starts one; prompts without it play the script "".
type standIn struct {
	*httptest.Server
	scripts map[string]script
	dir     string // "WORKDIR" in calls
	// thinks is the time before the first answer of a script: real models take seconds.
	thinks time.Duration
	mu     sync.Mutex
	// answers and calls number the answers: the client treats two with the same number as one.
	answers, calls int
	failed         map[string]int // sent errors, by script and answer
	lastMessages   []string       // all messages of the last request, as JSON
}

// newScriptedModel returns a model that plays the scripts.
func newScriptedModel(t *testing.T, scripts map[string]script) *standIn {
	m := &standIn{scripts: scripts, failed: map[string]int{}}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(func() {
		m.CloseClientConnections()
		m.Close()
	})
	return m
}

// hasMessage reports whether the agent's last request to the model contains text.
func (m *standIn) hasMessage(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Contains(strings.Join(m.lastMessages, "\n"), text)
}

var (
	// planFile matches the path of a plan in a message of the client.
	planFile = regexp.MustCompile(`/[^\s"\\]*/plans/[A-Za-z0-9_-]+\.md`)
	// played matches the script that a prompt starts.
	played = regexp.MustCompile(`play:(\w+)`)
)

// message is a message of a request.
type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// words returns the text of a message, without results of calls.
func (m *message) words() (text string) {
	var blocks []block
	if json.Unmarshal(m.Content, &text) == nil || json.Unmarshal(m.Content, &blocks) != nil {
		return text
	}
	for _, b := range blocks {
		text += b.Text + "\n"
	}
	return text
}

// position returns the script that plays, and the number of its answers so far.
func position(messages []message) (name string, turn int) {
	for _, m := range messages {
		if m.Role == "assistant" {
			turn++
		} else if found := played.FindAllStringSubmatch(m.words(), -1); found != nil {
			name, turn = found[len(found)-1][1], 0
		}
	}
	return name, turn
}

func (m *standIn) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var q struct {
		Stream   bool              `json:"stream"`
		Tools    []json.RawMessage `json:"tools"`
		Messages []message         `json:"messages"`
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
	answer := []block{{Type: "text", Text: "ok"}} // for other requests of the client: a title, a summary
	if len(q.Tools) > 0 {
		name, turn := position(q.Messages)
		if answer = []block{{Type: "text", Text: "All done."}}; turn < len(m.scripts[name]) {
			answer = m.scripts[name][turn]
		}
		m.mu.Lock()
		m.lastMessages = nil
		for _, message := range q.Messages {
			m.lastMessages = append(m.lastMessages, string(message.Content))
		}
		m.mu.Unlock()
		if m.fail(w, answer[0], fmt.Sprint(name, turn)) {
			return
		}
		if turn == 0 {
			time.Sleep(m.thinks)
		}
	}
	m.say(w, r, answer, q.Stream, string(planFile.Find(body)))
}

// fail sends the error of a block, if it is an error that was not sent often enough yet.
func (m *standIn) fail(w http.ResponseWriter, b block, key string) bool {
	m.mu.Lock()
	m.failed[key]++
	fails := b.Type == "error" && m.failed[key] <= b.Times
	m.mu.Unlock()
	if fails {
		time.Sleep(time.Duration(b.Millis) * time.Millisecond)
		w.Header().Set("content-type", "application/json")
		w.WriteHeader(b.Status)
		json.NewEncoder(w).Encode(map[string]any{"type": "error", "error": map[string]string{"type": "api_error", "message": b.Text}})
	}
	return fails
}

// say writes an answer, as a stream of events or whole.
func (m *standIn) say(w http.ResponseWriter, r *http.Request, answer []block, stream bool, plan string) {
	stop := "end_turn"
	var content []map[string]any
	pauses := map[int]time.Duration{} // by the index of the content that they precede
	cut := false
	m.mu.Lock()
	for _, b := range answer {
		switch b.Type {
		case "text":
			content = append(content, map[string]any{"type": "text", "text": b.Text})
		case "tool_use":
			stop = "tool_use"
			m.calls++
			input := json.RawMessage(strings.NewReplacer("PLANFILE", plan, "WORKDIR", m.dir).Replace(string(b.Input)))
			content = append(content, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%06d", m.calls), "name": b.Name, "input": input})
		case "sleep":
			pauses[len(content)] = time.Duration(b.Millis) * time.Millisecond
		case "cut":
			cut = true
		}
	}
	m.answers++
	id := fmt.Sprintf("msg_%06d", m.answers)
	m.mu.Unlock()
	pause := func(i int) bool {
		select {
		case <-time.After(pauses[i]):
			return true
		case <-r.Context().Done():
			return false
		}
	}
	whole := map[string]any{"id": id, "type": "message", "role": "assistant", "model": "stand-in", "content": content, "stop_reason": stop, "stop_sequence": nil,
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
		w.(http.Flusher).Flush()
	}
	whole["content"], whole["stop_reason"] = []any{}, nil
	event("message_start", map[string]any{"message": whole})
	for i, c := range content {
		if !pause(i) {
			return
		}
		delta := map[string]any{"type": "text_delta", "text": c["text"]}
		if c["type"] == "tool_use" {
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(c["input"].(json.RawMessage))}
			c["input"] = map[string]any{}
		} else {
			c["text"] = ""
		}
		event("content_block_start", map[string]any{"index": i, "content_block": c})
		event("content_block_delta", map[string]any{"index": i, "delta": delta})
		if cut && i == len(content)-1 {
			panic(http.ErrAbortHandler)
		}
		event("content_block_stop", map[string]any{"index": i})
	}
	if !pause(len(content)) {
		return
	}
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]int{"output_tokens": 5}})
	event("message_stop", map[string]any{})
}
