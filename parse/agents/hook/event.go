package hook

import (
	"encoding/json"
	"errors"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
)

// kind is what a client reports.
type kind int

const (
	ignored         kind = iota
	sessionStarted       // also after /clear, /compact and on resume
	promptSubmitted      // the session works on a prompt
	toolStarted          // of clients that report it
	askOpened            // the agent asks for something
	toolFinished         // so nothing is asked about this call any more
	turnFinished         // the turn has ended, with the last words
	turnFailed           // the turn has ended with an error of the API
	apiRetrying          // the API fails and the client tries again
	interrupted          // the user stopped the turn
	subagentStarted      // an agent below the session
	subagentEnded        //
	promptShown          // the client's own prompt waits for the user
	sessionEnded         //
)

// event is what a client reports, in the terms of the store.
type event struct {
	kind       kind
	session    string
	dir        string
	subagent   string // the client's ID of the agent below the session that it is about
	agentType  string // of that agent
	task       string // of that agent
	text       string // of a prompt, or what the client's own prompt says
	message    string // the last words, whole
	why        string // the error of the API
	model      string
	transcript string
	tool       string // the call in one line
	resumed    bool   // of sessionStarted: the session goes on with what it did before
	background bool   // of turnFinished: agents of the session still run, so the next turn starts by itself
	ask        *ask.Ask
	use        string // of toolFinished: the Use of the asks that it settles
	// elsewhere is the decision in the client's own prompt, of toolFinished; nil if the client does not tell it.
	elsewhere *ask.Answer
	// holds reports that the client shows its own prompt only after the hook has ended.
	holds bool
	// print returns the client's form of an answer, nil for nothing.
	print func(a *ask.Answer) []byte
}

// payload is the input of the hooks of Claude Code, Codex and Gemini, which share the names of their fields.
type payload struct {
	Event        string          `json:"hook_event_name"`
	Session      string          `json:"session_id"`
	Dir          string          `json:"cwd"`
	Transcript   string          `json:"transcript_path"`
	Model        string          `json:"model"`
	Source       string          `json:"source"`
	Tool         string          `json:"tool_name"`
	Input        json.RawMessage `json:"tool_input"`
	Response     json.RawMessage `json:"tool_response"`
	Subagent     string          `json:"agent_id"`
	SubagentType string          `json:"agent_type"`
	Prompt       string          `json:"prompt"`
	Reply        string          `json:"prompt_response"` // of Gemini
	Message      string          `json:"message"`
	Notification string          `json:"notification_type"`
	LastMessage  string          `json:"last_assistant_message"`
	Error        string          `json:"error"`
	Background   []struct {
		Type   string `json:"type"`
		Status string `json:"status"`
	} `json:"background_tasks"`
}

// parsePayload returns an input, and an event with the fields that all events have.
func parsePayload(input []byte, kinds map[string]kind) (*payload, *event, error) {
	var p payload
	if err := json.Unmarshal(input, &p); err != nil {
		return nil, nil, errors.New("not the JSON of a hook")
	}
	e := &event{
		kind: kinds[p.Event], session: p.Session, dir: p.Dir, subagent: p.Subagent, agentType: p.SubagentType, text: p.Prompt,
		message: p.LastMessage, why: p.Error, model: p.Model, transcript: p.Transcript, resumed: p.Source == "compact",
	}
	return &p, e, nil
}

// hasRunningAgents reports whether agents of the session run in the background.
func (p *payload) hasRunningAgents() bool {
	for _, b := range p.Background {
		if (b.Type == "subagent" || b.Type == "workflow") && (b.Status == "" || b.Status == "running" || b.Status == "pending") {
			return true
		}
	}
	return false
}

// decision is the output for an answer to a permission.
type decision struct {
	Behavior string          `json:"behavior"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
	Message  string          `json:"message,omitempty"`
}

// encodeDecision returns the output of a permission hook.
func encodeDecision(d decision) []byte {
	type specific struct {
		Event    string   `json:"hookEventName"`
		Decision decision `json:"decision"`
	}
	return encode(struct {
		Specific specific `json:"hookSpecificOutput"`
	}{specific{"PermissionRequest", d}})
}

// encodeDenial returns the output for a human who said no.
func encodeDenial(a *ask.Answer) []byte {
	why := a.Text
	if strings.TrimSpace(why) == "" {
		why = "The user said no."
	}
	return encodeDecision(decision{Behavior: "deny", Message: why})
}

// encode returns a value as JSON on one line, nil if it can't be encoded.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return append(text, '\n')
}

// machinePrompts are the beginnings of prompts that no human wrote.
var machinePrompts = []string{"<task-notification>", "<local-command", "<command-name>", "<command-message>", "<system-reminder>", "<bash-", "Another Claude session sent a message"}

// titleOf returns the line of a prompt that can name a session, "" for the prompt of a machine.
func titleOf(prompt string) string {
	for _, begin := range machinePrompts {
		if strings.HasPrefix(strings.TrimSpace(prompt), begin) {
			return ""
		}
	}
	return firstLine(prompt)
}

// firstLine returns the first line of a text that is not blank.
func firstLine(text string) string {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			return l[:min(len(l), textLimit)]
		}
	}
	return ""
}

// headline returns the first line of a text with a mark if there are more: a name alone must not hide what is below.
func headline(text string) string {
	l := firstLine(text)
	if l != "" && l != strings.TrimSpace(text) {
		l += " …"
	}
	return l
}

// textLimit is the length of texts that only name something, in bytes.
const textLimit = 500

// stateAfter returns the state that a session is in after an event, "" if the event does not tell.
func stateAfter(k kind) model.SessionState {
	switch k {
	case sessionStarted, turnFinished:
		return model.SessionIdle
	case promptSubmitted, askOpened, toolStarted, toolFinished:
		return model.SessionRunning
	case turnFailed:
		return model.SessionFailed
	case apiRetrying:
		return model.SessionRetrying
	case interrupted:
		return model.SessionInterrupted
	case promptShown:
		return model.SessionWaiting
	}
	return ""
}
