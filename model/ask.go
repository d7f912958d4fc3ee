package model

// Asks of live agents, as the dashboard shows and answers them. Package parse/agents/ask defines how asks are stored
// and end.

import (
	"cmp"
	"context"
	"time"
)

// AskKind is the kind of an ask.
type AskKind string

// The kinds.
const (
	AskQuestion   AskKind = "question"   // answers to one or several questions
	AskPlan       AskKind = "plan"       // that a plan is approved, or changed
	AskPermission AskKind = "permission" // that something may be done
	AskTurn       AskKind = "turn"       // nothing: an agent has finished its turn, and its last words were not looked at yet
)

// AskState is the state of an ask.
type AskState string

// The states.
const (
	AskWaiting   AskState = "waiting"
	AskAnswered  AskState = "answered"
	AskWithdrawn AskState = "withdrawn"
	AskExpired   AskState = "expired"
	AskElsewhere AskState = "elsewhere" // it waits in the client's own prompt and can only be answered there
)

// Ask is a question or request of a live agent. Its texts are clean, and one line each unless noted otherwise.
type Ask struct {
	ID        string     `json:"id"` // the ID that "gatehouse answer" takes
	Kind      AskKind    `json:"kind"`
	State     AskState   `json:"state"`
	Text      string     `json:"text"`                // the question, in short
	Questions []Question `json:"questions,omitempty"` // of a question
	Plan      string     `json:"plan,omitempty"`      // of a plan: Markdown, many lines; left out in lists
	File      string     `json:"file,omitempty"`      // path of the client's plan file
	Message   string     `json:"message,omitempty"`   // of a turn: the agent's last words, Markdown; left out in lists
	Call      *Call      `json:"call,omitempty"`      // of a permission
	Agent     string     `json:"agent"`               // name of its client: "claude"
	Session   string     `json:"session"`             // of the agent's client, "" without one
	Subagent  string     `json:"subagent,omitempty"`  // the session's own name for an agent below it
	Project   string     `json:"project"`             // root of the project that it belongs to
	Dir       string     `json:"dir"`                 // working directory of the agent
	Pane      string     `json:"pane,omitempty"`      // of the terminal that the agent is seen in
	Since     time.Time  `json:"since"`               // when it was asked
	Until     time.Time  `json:"until,omitzero"`      // it expires then
	Then      string     `json:"then,omitempty"`      // action at Until: "then its own prompt decides"
	Door      *Door      `json:"reply,omitempty"`     // of a turn: whether words of a human can reach the session
	Fate      string     `json:"fate,omitempty"`      // how it ended, and who ended it, in words
	Delivered bool       `json:"delivered"`           // the asker has printed the answer
	// Unattributed reports whether it has an answer that is in no journal: it came from neither a command nor a
	// dashboard.
	Unattributed bool `json:"unattributed,omitempty"`
}

// Asks returns the asks of live agents in a build.
func (b *Build) Asks() (all []*Ask) {
	for _, n := range Walk(b.Nodes) {
		if n.Gate != nil && n.Gate.Ask != nil {
			all = append(all, n.Gate.Ask)
		}
	}
	return all
}

// CompareAsks orders asks: those that can be answered here with the nearest deadline first, then the newest; those in a client's own prompt;
// finished turns; those that have ended.
func CompareAsks(a, b *Ask) int {
	group := func(a *Ask) int {
		switch {
		case a.State == AskElsewhere:
			return 1
		case a.State != AskWaiting:
			return 3
		case a.Kind == AskTurn:
			return 2
		}
		return 0
	}
	if by := group(a) - group(b); by != 0 || group(a) > 0 {
		return cmp.Or(by, b.Since.Compare(a.Since))
	}
	return cmp.Or(CompareAges(a.Until, b.Until), b.Since.Compare(a.Since))
}

// Deadline describes the remaining time of an ask and the action after it: "2m left, then its own prompt decides". It
// is "" without a deadline.
func (a *Ask) Deadline(now time.Time) string {
	if a == nil || a.Until.IsZero() || a.State != AskWaiting {
		return ""
	}
	left := max(a.Until.Sub(now), 0)
	words := left.Round(time.Second).String()
	if left >= time.Minute {
		words = Age(left)
	}
	return words + " left, " + cmp.Or(a.Then, "then it expires")
}

// The options of a question of yes or no.
const (
	OptionYes = "Yes"
	OptionNo  = "No"
)

// IsYesNo reports whether a single question asks for yes or no.
func IsYesNo(questions []Question) bool {
	return len(questions) == 1 && !questions[0].Multi && len(questions[0].Options) == 2 &&
		questions[0].Options[0].Label == OptionYes && questions[0].Options[1].Label == OptionNo
}

// Question is one question of an ask.
type Question struct {
	Text    string   `json:"text"`             // the question
	Header  string   `json:"header,omitempty"` // a word or two about it
	Options []Option `json:"options"`          // to choose from
	Multi   bool     `json:"multi"`            // several options may be picked
	Own     bool     `json:"own"`              // words of one's own are an answer
}

// Option is one answer to choose.
type Option struct {
	Label       string `json:"label"`             // the choice
	Description string `json:"description"`       // a sentence about it
	Preview     string `json:"preview,omitempty"` // a preview of the result, of many lines
}

// Call is the use of a tool that permission is asked for.
type Call struct {
	Tool   string `json:"tool"`             // its name: "Bash"
	Input  string `json:"input,omitempty"`  // complete, of many lines: a command verbatim, else a line for each member; absent in lists
	Diff   string `json:"diff,omitempty"`   // unified diff of a call that changes files, then the members it does not show; absent in lists
	Reason string `json:"reason,omitempty"` // why, in the agent's words
	// Dangers are the parts of the input that destroy data, access the network, or change files outside the project,
	// most important first.
	Dangers []Danger `json:"dangers,omitempty"`
}

// Danger is a part of a call that deserves a look.
type Danger struct {
	Part string `json:"part"` // "rm -rf build"
	Why  string `json:"why"`  // "deletes without asking"
}

// Answer is a user's decision on an ask.
type Answer struct {
	// Allow says yes: to a plan, a call, or, with Replies, that a question is answered.
	Allow bool `json:"allow"`
	// Text is the reason for a refusal, or the requested changes, of many lines.
	Text    string  `json:"text,omitempty"`
	Replies []Reply `json:"replies,omitempty"` // to a question, one for each
}

// Reply is the answer to one question.
type Reply struct {
	Picks []int  `json:"picks,omitempty"` // indexes of options, from 0, in rising order
	Text  string `json:"text,omitempty"`  // own words, of many lines
}

// Door describes whether and how a human's words can reach a session. Exactly one of the two is set.
type Door struct {
	Hears string `json:"hears,omitempty"` // how the model hears them: "as your own message"
	Shut  string `json:"shut,omitempty"`  // why they can't: "Claude Code takes no messages for an open window; J goes there"
}

// IsOpen reports whether words can reach the session.
func (d *Door) IsOpen() bool { return d != nil && d.Hears != "" }

// String describes how words are delivered, or why they cannot reach the session; "" if unknown.
func (d *Door) String() string {
	if d.IsOpen() {
		return "is heard " + d.Hears
	} else if d != nil {
		return d.Shut
	}
	return ""
}

// Answerer answers live agents. An id names an ask, or the node of a session, which means its last turn, reviewed or
// not. All methods open files and must not be called from a loop that handles keys.
type Answerer interface {
	// Ask returns an ask whole. In a snapshot plans, messages, calls and previews are left out.
	Ask(ctx context.Context, id string) (*Ask, error)
	// Answer answers an ask and returns its new state, with an error if another answer was first. For a turn, the text
	// of [Answer.Text] is sent to the session; without text the turn is marked as reviewed.
	Answer(ctx context.Context, id string, a Answer) (*Ask, error)
	// Jump brings the pane of an ask or of a session into view, by the ID of its node. said describes the result, or
	// the reason for a failure; command is a shell command that leads there, "" without one.
	Jump(ctx context.Context, node string) (said, command string)
	// Diff returns the changes in the working tree of a session since it began, as a unified diff. The ID names
	// the node of the session or of one of its asks.
	Diff(ctx context.Context, node string) (string, error)
}

// SessionState is the state of a session of an agent's client.
type SessionState string

// The states.
const (
	SessionRunning     SessionState = "running"
	SessionRetrying    SessionState = "retrying" // the model's API fails, and the client tries again
	SessionWaiting     SessionState = "waiting"  // for an answer: a permission, a question or a plan
	SessionTurn        SessionState = "your turn"
	SessionIdle        SessionState = "idle"        // its turn is over, and its last words were looked at
	SessionInterrupted SessionState = "interrupted" // by its user
	SessionFailed      SessionState = "failed"      // its turn ended with an error of the API
	SessionCrashed     SessionState = "crashed"     // its process died
	SessionEnded       SessionState = "ended"
)

// IsRunning reports whether the session works.
func (s SessionState) IsRunning() bool { return s == SessionRunning || s == SessionRetrying }

// Status returns the canonical status of a session.
func (s SessionState) Status() Status {
	switch s {
	case SessionRunning:
		return Active
	case SessionRetrying:
		return Retrying
	case SessionWaiting, SessionTurn:
		return Waiting
	case SessionFailed, SessionCrashed:
		return Failed
	case SessionEnded:
		return Done
	case SessionIdle, SessionInterrupted:
		return Pending
	}
	return Unknown
}

// Session is a session of an agent's client. Fields that its client does not report are zero.
type Session struct {
	Node    string       `json:"node"`  // ID of its node, in the build of live agents that has it
	Agent   string       `json:"agent"` // name of its client: "claude"
	ID      string       `json:"id"`    // the client's own
	State   SessionState `json:"state"`
	Why     string       `json:"why,omitempty"`             // one sentence about the state: "API error 429: rate limit"
	Title   string       `json:"title,omitempty"`           // its name, else the last prompt of a human
	Waits   string       `json:"waits,omitempty"`           // the subject of the client's own prompt, if it waits: "Bash: make install"
	Project string       `json:"project"`                   // root of the project that it belongs to
	Dir     string       `json:"dir"`                       // working directory
	Branch  string       `json:"branch,omitempty"`          // the checked-out branch
	Pane    string       `json:"pane,omitempty"`            // of the terminal that it is seen in
	Kind    string       `json:"kind,omitempty"`            // "background" or "headless"; "" for one in a window
	Began   time.Time    `json:"began"`                     // it was first heard of
	Since   time.Time    `json:"since"`                     // it is in this state
	Turn    time.Time    `json:"turn_began,omitzero"`       // when the present or last turn began
	Tool    string       `json:"tool,omitempty"`            // the last call: "Bash: go test ./..."
	Words   string       `json:"words,omitempty"`           // its last words, one line
	Model   string       `json:"model,omitempty"`           // as the client calls it
	Context int          `json:"context_percent,omitempty"` // of the context window that is used, 0 to 100
	Tokens  int          `json:"tokens,omitempty"`          // in the context window
	Cost    float64      `json:"cost_usd,omitempty"`        // of the session, in US dollars
	Added   int          `json:"lines_added,omitempty"`     // in the working tree since it began
	Removed int          `json:"lines_removed,omitempty"`   // likewise
	Steps   []Step       `json:"steps,omitempty"`           // the last things that it did, the oldest first: at most 20
	Agents  []Subagent   `json:"agents,omitempty"`          // that run below it
	Door    *Door        `json:"reply,omitempty"`           // whether words of a human can reach it
}

// SubagentTask returns the task of a subagent by its ID; "" if unknown.
func (s *Session) SubagentTask(id string) string {
	for _, a := range s.Agents {
		if a.ID == id && id != "" {
			return cmp.Or(a.Task, a.Type)
		}
	}
	return ""
}

// Step is one thing that a session did.
type Step struct {
	At   time.Time `json:"at,omitzero"` // when it began
	Kind string    `json:"kind"`        // "prompt", "tool", "words" or "error"
	Text string    `json:"text"`        // one line: "Edit: cart.go"
}

// Subagent is an agent that a session has started.
type Subagent struct {
	ID    string    `json:"id"`             // the client's own
	Type  string    `json:"type,omitempty"` // "Explore"
	Task  string    `json:"task,omitempty"` // its task, in the session's words
	Began time.Time `json:"began,omitzero"` // when it was started
}

// AgentsBuild is the ID of the build that live agents are shown as, and its protocol.
const AgentsBuild = "agents"
