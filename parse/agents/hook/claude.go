package hook

// Claude Code, observed with version 2.1.330.
//
//   - PermissionRequest runs beside the client's own prompt, and the first answer wins. For an agent below the session it runs before that
//     prompt and holds it up. Without a terminal (claude -p) there is no other prompt.
//   - To allow a question or a plan its input must come back ("updatedInput"), a question's with "answers": question → labels, joined by
//     ", ", labels with a comma in JSON quotes. Allowed without it, a plan's prompt stays open.
//   - A plan is in tool_input ("plan") once the client has written its file ("planFilePath").
//   - When the client's own prompt is answered the hook is not told. PostToolUse comes when the call is done, which can take long, and never
//     for a refused call. An interruption ends the hook with SIGTERM.
//   - ~/.claude/sessions/PID.json has the status of the session; "waiting" while a prompt is open. Esc fires no hook.
//   - Stop has the last words and the background tasks. Blocked by {"decision":"block","reason":T} the turn goes on with T.
//   - UserPromptSubmit comes for prompts of the client itself, too: <task-notification>.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/process"
)

// Variables that Claude Code sets for everything it runs.
const (
	claudePID      = "CLAUDE_PID"
	claudeSession  = "CLAUDE_CODE_SESSION_ID"
	claudeAttended = "CLAUDE_CODE_SESSION_ATTENDED" // "0": without a terminal
	claudeConfig   = "CLAUDE_CONFIG_DIR"
)

var claude = contract{
	name: "claude", reportsEnd: true, mark: claudeSession, pid: claudePID, parse: parseClaude, promptOpen: claudePromptOpen,
	encodeReply: func(words string) []byte {
		return encode(map[string]string{"decision": "block", "reason": words})
	},
}

var claudeEvents = map[string]kind{
	"SessionStart": sessionStarted, "UserPromptSubmit": promptSubmitted, "PermissionRequest": askOpened, "PostToolUse": toolFinished,
	"PostToolUseFailure": toolFinished, "Stop": turnFinished, "StopFailure": turnFailed, "SubagentStart": subagentStarted,
	"SubagentStop": subagentEnded, "Notification": promptShown, "SessionEnd": sessionEnded,
}

// Tools of Claude Code that are asks themselves.
const (
	claudeQuestion = "AskUserQuestion"
	claudePlan     = "ExitPlanMode"
)

// parseClaude reads an event of Claude Code.
func parseClaude(input []byte, env func(string) string) (*event, error) {
	p, e, err := parsePayload(input, claudeEvents)
	if err != nil {
		return nil, err
	}
	switch e.kind {
	case askOpened:
		e.holds = p.Subagent != "" || env(claudeAttended) == "0"
		err = parseClaudeAsk(p, e)
	case toolFinished:
		e.use, e.elsewhere = parseClaudeResult(p)
	case turnFinished:
		e.background = p.hasRunningAgents()
	case promptShown:
		if e.text = p.Message; !isClaudePrompt(p) {
			e.kind = ignored
		}
	}
	return e, err
}

// claudePromptTypes are the notifications about an open prompt. Other types tell that something is done, has begun or is idle.
var claudePromptTypes = map[string]bool{
	"permission_prompt": true, "worker_permission_prompt": true, "elicitation_dialog": true, "elicitation_url_dialog": true, "agent_needs_input": true,
}

// isClaudePrompt reports whether a notification tells of an open prompt. Older versions have no type, only a message.
func isClaudePrompt(p *payload) bool {
	return claudePromptTypes[p.Notification] || p.Notification == "" && strings.Contains(strings.ToLower(p.Message), "permission")
}

// parseClaudeAsk fills in what is asked.
func parseClaudeAsk(p *payload, e *event) error {
	switch p.Tool {
	case claudeQuestion:
		return parseClaudeQuestions(p, e)
	case claudePlan:
		var in struct {
			Plan string `json:"plan"`
			File string `json:"planFilePath"`
		}
		json.Unmarshal(p.Input, &in) // the plan may not be written yet
		text := "approve the plan"
		if h := firstLine(strings.TrimLeft(in.Plan, "# \n")); h != "" {
			text += ": " + h
		}
		e.ask = &ask.Ask{Kind: ask.Plan, Text: text, Plan: in.Plan, File: in.File, Use: p.Tool}
	default:
		e.ask = permission(p.Tool, p.Input, p.Dir)
	}
	e.print = func(a *ask.Answer) []byte {
		switch {
		case !a.Allow:
			return encodeDenial(a)
		case p.Tool == claudePlan:
			return encodeDecision(decision{Behavior: "allow", Input: p.Input})
		}
		return encodeDecision(decision{Behavior: "allow"})
	}
	return nil
}

// claudeQuestions is the input of AskUserQuestion.
type claudeQuestions struct {
	Questions []struct {
		Question string `json:"question"`
		Header   string `json:"header"`
		Multi    bool   `json:"multiSelect"`
		Options  []struct {
			Label       string `json:"label"`
			Description string `json:"description"`
			Preview     string `json:"preview"`
		} `json:"options"`
	} `json:"questions"`
}

// parseClaudeQuestions fills in an AskUserQuestion.
func parseClaudeQuestions(p *payload, e *event) error {
	var in claudeQuestions
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(p.Input, &in); err != nil {
		return err
	}
	if err := json.Unmarshal(p.Input, &whole); err != nil {
		return err
	}
	e.ask = &ask.Ask{Kind: ask.Question, Use: p.Tool}
	texts := map[string]bool{}
	for _, q := range in.Questions {
		queried := ask.Queried{Text: q.Question, Header: q.Header, Multi: q.Multi, Own: true}
		for _, o := range q.Options {
			queried.Options = append(queried.Options, ask.Option{Label: o.Label, Description: o.Description, Preview: o.Preview})
		}
		e.ask.Questions = append(e.ask.Questions, queried)
		texts[q.Question] = true
	}
	switch {
	case len(texts) == 0:
		e.kind = ignored
		return nil
	case len(texts) != len(in.Questions):
		return errors.New("two of its questions have the same text, so their answers could not be told apart")
	}
	e.print = func(a *ask.Answer) []byte {
		if !a.Allow {
			return encodeDenial(a)
		}
		answers := map[string]string{}
		for i, r := range a.Replies {
			var said []string
			for _, pick := range r.Picks {
				said = append(said, quoteLabel(in.Questions[i].Options[pick].Label, in.Questions[i].Multi))
			}
			if r.Text != "" {
				said = append(said, r.Text)
			}
			answers[in.Questions[i].Question] = strings.Join(said, ", ")
		}
		whole["answers"], _ = json.Marshal(answers)
		input, err := json.Marshal(whole)
		if err != nil {
			return nil
		}
		return encodeDecision(decision{Behavior: "allow", Input: input})
	}
	return nil
}

// quoteLabel returns a label as Claude Code joins it with others.
func quoteLabel(label string, multi bool) string {
	if multi && strings.Contains(label, ",") {
		quoted, _ := json.Marshal(label)
		return string(quoted)
	}
	return label
}

// parseClaudeResult returns which asks a finished call settles, and what was decided.
func parseClaudeResult(p *payload) (use string, elsewhere *ask.Answer) {
	switch p.Tool {
	case claudeQuestion:
		var out struct {
			Questions []struct {
				Question string `json:"question"`
			} `json:"questions"`
			Answers map[string]string `json:"answers"`
		}
		if json.Unmarshal(p.Response, &out) != nil || len(out.Answers) == 0 {
			return p.Tool, nil
		}
		answer := &ask.Answer{Allow: true}
		for _, q := range out.Questions {
			answer.Replies = append(answer.Replies, ask.Reply{Text: out.Answers[q.Question]})
		}
		return p.Tool, answer
	case claudePlan:
		return p.Tool, &ask.Answer{Allow: true}
	}
	return useOf(p.Tool, p.Input), &ask.Answer{Allow: true}
}

// claudePromptOpen reports whether a prompt of a session is open, by the record of its process.
func claudePromptOpen(h *Hook, client process.ID, session string) (open, known bool) {
	config := h.Env(claudeConfig)
	if config == "" {
		config = filepath.Join(h.Home, ".claude")
	}
	text, _, err := peek.ReadFile(filepath.Join(config, "sessions", strconv.Itoa(client.PID)+".json"), "", nil, 64<<10)
	if err != nil {
		return false, false
	}
	var record struct {
		Session string `json:"sessionId"`
		Status  string `json:"status"`
	}
	if json.Unmarshal([]byte(text), &record) != nil || record.Session != session || record.Status == "" {
		return false, false
	}
	return record.Status == "waiting", true
}

// digest returns a short hash of a text.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}
