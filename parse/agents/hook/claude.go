package hook

// Claude Code, tried with version 2.1.330.
//
//   - PermissionRequest runs beside the client's own prompt, whoever answers first wins. For an agent below the session it runs before
//     that prompt and holds it up, and without a terminal (claude -p) there is no other.
//   - To allow a question or a plan, its input has to come back ("updatedInput"), a question's with "answers": its own text → labels,
//     joined by ", ", those with a comma in JSON's quotes. Allowed without it, a plan's prompt stays open.
//   - A plan is in tool_input ("plan") when the client has written it into its file ("planFilePath"), else there is none.
//   - Answered in the client, the hook is told so by nothing: PostToolUse comes when the call is done, which for a command may take
//     long, and not at all where it was refused. An interruption ends the hook by SIGTERM.
//   - The client keeps what it does in sessions/PID.json: its "status" is "waiting" as long as a prompt is open.

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

// The variables that Claude Code sets for what it runs.
const (
	claudePID      = "CLAUDE_PID"
	claudeSession  = "CLAUDE_CODE_SESSION_ID"
	claudeAttended = "CLAUDE_CODE_SESSION_ATTENDED" // "0": without a terminal
	claudeConfig   = "CLAUDE_CONFIG_DIR"
)

var claude = contract{name: "claude", mark: claudeSession, pid: claudePID, reads: readClaude, prompts: claudePrompts}

var claudeEvents = map[string]what{
	"SessionStart": began, "UserPromptSubmit": prompted, "PermissionRequest": asked, "PostToolUse": ran, "PostToolUseFailure": ran,
	"Stop": stopped, "StopFailure": stopped, "SubagentStop": substopped, "Notification": noticed, "SessionEnd": over,
}

// The tools of Claude Code that ask by themselves.
const (
	claudeQuestion = "AskUserQuestion"
	claudePlan     = "ExitPlanMode"
)

func readClaude(input []byte, env func(string) string) (*event, error) {
	t, e, err := readTold(input, claudeEvents)
	if err != nil {
		return nil, err
	}
	switch e.what {
	case asked:
		e.holds = t.Subagent != "" || env(claudeAttended) == "0"
		err = claudeAsk(t, e)
	case ran:
		e.use, e.elsewhere = claudeRan(t)
	case noticed:
		if e.text = t.Message; !claudeWaits(t) {
			e.what = nothing
		}
	}
	return e, err
}

// claudeWaiting are the types of the notifications that say that a prompt is open. There are many more, of what is done, has begun or
// idles, and each version adds some: one that is not known is none that waits.
var claudeWaiting = map[string]bool{"permission_prompt": true, "worker_permission_prompt": true, "elicitation_dialog": true, "elicitation_url_dialog": true, "agent_needs_input": true}

// claudeWaits reports whether a notification says that a prompt is open. Older clients name no type: their words for a permission are
// known, and that they wait for input says only that they idle.
func claudeWaits(t *told) bool {
	return claudeWaiting[t.Notification] || t.Notification == "" && strings.Contains(strings.ToLower(t.Message), "permission")
}

// claudeAsk fills in what is asked.
func claudeAsk(t *told, e *event) error {
	switch t.Tool {
	case claudeQuestion:
		return claudeAsksQuestions(t, e)
	case claudePlan:
		var in struct {
			Plan string `json:"plan"`
			File string `json:"planFilePath"`
		}
		json.Unmarshal(t.Input, &in) // none is written down where it holds none
		text := "approve the plan"
		if h := firstLine(strings.TrimLeft(in.Plan, "# \n")); h != "" {
			text += ": " + h
		}
		e.ask = &ask.Ask{Kind: ask.Plan, Text: text, Plan: in.Plan, File: in.File, Use: t.Tool}
	default:
		e.ask = permission(t.Tool, t.Input, t.Dir)
	}
	e.prints = func(a *ask.Answer) []byte {
		switch {
		case !a.Allow:
			return deny(a)
		case t.Tool == claudePlan:
			return decide(decision{Behavior: "allow", Input: t.Input})
		}
		return decide(decision{Behavior: "allow"})
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

func claudeAsksQuestions(t *told, e *event) error {
	var in claudeQuestions
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(t.Input, &in); err != nil {
		return err
	}
	if err := json.Unmarshal(t.Input, &whole); err != nil {
		return err
	}
	e.ask = &ask.Ask{Kind: ask.Question, Use: t.Tool}
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
		e.what = nothing
		return nil
	case len(texts) != len(in.Questions):
		return errors.New("two of its questions have the same text, by which their answers are told apart")
	}
	e.prints = func(a *ask.Answer) []byte {
		if !a.Allow {
			return deny(a)
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
		return decide(decision{Behavior: "allow", Input: input})
	}
	return nil
}

// quoteLabel returns a label as it stands among others.
func quoteLabel(label string, among bool) string {
	if among && strings.Contains(label, ",") {
		quoted, _ := json.Marshal(label)
		return string(quoted)
	}
	return label
}

// claudeRan returns which asks a call settles that is done, and what was decided.
func claudeRan(t *told) (use string, elsewhere *ask.Answer) {
	switch t.Tool {
	case claudeQuestion:
		var out struct {
			Questions []struct {
				Question string `json:"question"`
			} `json:"questions"`
			Answers map[string]string `json:"answers"`
		}
		if json.Unmarshal(t.Response, &out) != nil || len(out.Answers) == 0 {
			return t.Tool, nil
		}
		answer := &ask.Answer{Allow: true}
		for _, q := range out.Questions {
			answer.Replies = append(answer.Replies, ask.Reply{Text: out.Answers[q.Question]})
		}
		return t.Tool, answer
	case claudePlan:
		return t.Tool, &ask.Answer{Allow: true}
	}
	return useOf(t.Tool, t.Input), &ask.Answer{Allow: true}
}

// claudePrompts reports whether Claude Code says itself that a prompt of its session is open.
func claudePrompts(h *Hook, client process.ID, session string) (open, known bool) {
	config := h.Env(claudeConfig)
	if config == "" {
		config = filepath.Join(h.Home, ".claude")
	}
	text, _, err := peek.ReadFile(filepath.Join(config, "sessions", strconv.Itoa(client.PID)+".json"), "", nil, 64<<10)
	if err != nil {
		return false, false
	}
	var said struct {
		Session string `json:"sessionId"`
		Status  string `json:"status"`
	}
	if json.Unmarshal([]byte(text), &said) != nil || said.Session != session || said.Status == "" {
		return false, false
	}
	return said.Status == "waiting", true
}

// digest returns a short text that differs for different ones.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}
