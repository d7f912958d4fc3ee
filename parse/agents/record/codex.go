package record

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"gatehouse/model"
)

// codexLine is a line of a rollout of Codex. JSON names are matched without regard to case.
type codexLine struct {
	Timestamp, Type string
	Payload         struct {
		Type, Cwd, Model, Name, Arguments string
		Git                               struct{ Branch string }
		Turn                              string `json:"turn_id"`
		Message                           string `json:"last_agent_message"`
		Info                              struct {
			Window int `json:"model_context_window"`
			Usage  struct {
				Total int `json:"total_tokens"`
			} `json:"last_token_usage"`
		}
		Item struct {
			Type    string
			Content []struct{ Text string }
		}
	}
}

// addCodex adds the rollout to a session. It returns false if the rollout cannot be read.
func (r *Reader) addCodex(s *Session, path string) bool {
	name := filepath.Base(path)
	if !filepath.IsAbs(path) || !strings.HasPrefix(name, "rollout-") || !strings.HasSuffix(name, "-"+s.ID+".jsonl") {
		return false
	}
	t := r.follow(path, readCodexLine)
	if t == nil {
		return false
	}
	s.Transcript, s.State, s.Since, s.Began = path, t.State, t.Since, t.Began
	if s.State == model.SessionRunning {
		s.Since = t.Turn
	}
	s.addTranscript(t)
	return true
}

// readCodexLine adds one line of a rollout to t.
func readCodexLine(t *transcript, text string) {
	var l codexLine
	if !decode(text, &l) {
		return
	}
	p, at := &l.Payload, l.Timestamp
	switch strings.TrimSpace(l.Type + " " + p.Type) {
	case "session_meta":
		t.Dir, t.Branch = p.Cwd, oneLine(p.Git.Branch)
		t.Began, _ = time.Parse(time.RFC3339Nano, at)
	case "turn_context":
		t.Dir, t.Model = p.Cwd, oneLine(p.Model)
	case "event_msg task_started":
		t.startTurn(at, "")
	case "event_msg task_complete":
		if p.Message != "" {
			t.Message, t.MessageID = p.Message, p.Turn
		}
		t.endTurn(at)
	case "event_msg turn_aborted":
		t.happened(model.SessionInterrupted, at, "", "")
	case "event_msg token_count":
		t.Tokens, t.window = p.Info.Usage.Total, p.Info.Window
	case "event_msg item_completed":
		for _, c := range p.Item.Content {
			switch p.Item.Type {
			case "UserMessage":
				t.Title = oneLine(c.Text)
				t.happened(t.State, at, "prompt", c.Text)
			case "AgentMessage":
				t.say(at, c.Text, p.Turn)
			}
		}
	case "response_item function_call":
		t.call(at, p.Name, json.RawMessage(p.Arguments))
	}
}
