package model

// What a live agent asks, as the dashboard shows and answers it. How asks are kept and end is parse/ask's.

import (
	"context"
	"time"
)

// AskKind is what an ask wants.
type AskKind string

// The kinds.
const (
	AskQuestion   AskKind = "question"   // answers to one or several questions
	AskPlan       AskKind = "plan"       // that a plan is approved, or changed
	AskPermission AskKind = "permission" // that something may be done
)

// AskState is where an ask stands.
type AskState string

// The states.
const (
	AskWaiting   AskState = "waiting"
	AskAnswered  AskState = "answered"
	AskWithdrawn AskState = "withdrawn"
	AskExpired   AskState = "expired"
)

// Ask is what a live agent asks. Its texts are clean, and of one line where nothing else is said.
type Ask struct {
	ID        string     `json:"id"` // by which gatehouse answer knows it
	Kind      AskKind    `json:"kind"`
	State     AskState   `json:"state"`
	Text      string     `json:"text"`                // what is asked, in short
	Questions []Question `json:"questions,omitempty"` // of a question
	Plan      string     `json:"-"`                   // Markdown, of many lines; "" also where it was left out, see [Answerer]
	File      string     `json:"file,omitempty"`      // where its client keeps the plan
	Call      *Call      `json:"call,omitempty"`      // of a permission
	Agent     string     `json:"agent"`               // name of its client: "claude"
	Session   string     `json:"session,omitempty"`   // of the agent's client
	Subagent  string     `json:"subagent,omitempty"`  // the session's own name for an agent below it
	Project   string     `json:"project"`             // root of the project that it belongs to
	Dir       string     `json:"dir"`                 // where the agent works
	Pane      string     `json:"pane,omitempty"`      // of the terminal that the agent is seen in
	Since     time.Time  `json:"since"`               // when it was asked
	Until     time.Time  `json:"until,omitzero"`      // it expires then
	// Fate says in words how it has ended, and by whom; "" while it waits. Delivered says that the agent was told the answer.
	Fate      string `json:"-"`
	Delivered bool   `json:"-"`
}

// Asks returns what live agents ask in a build.
func (b *Build) Asks() (all []*Ask) {
	for _, n := range Walk(b.Nodes) {
		if n.Gate != nil && n.Gate.Ask != nil {
			all = append(all, n.Gate.Ask)
		}
	}
	return all
}

// Question is one question of an ask.
type Question struct {
	Text    string   `json:"text"`             // what is asked
	Header  string   `json:"header,omitempty"` // a word or two about it
	Options []Option `json:"options"`          // to choose from
	Multi   bool     `json:"multi"`            // several options may be picked
	Own     bool     `json:"own"`              // words of one's own are an answer
}

// Option is one answer to choose.
type Option struct {
	Label       string `json:"label"`             // what is picked
	Description string `json:"description"`       // a sentence about it
	Preview     string `json:"preview,omitempty"` // what it would look like, of many lines
}

// Call is the use of a tool that permission is asked for.
type Call struct {
	Tool   string `json:"tool"`             // its name: "Bash"
	Input  string `json:"input"`            // whole, of many lines: a command as it is, else JSON, indented
	Reason string `json:"reason,omitempty"` // why, in the agent's words
	// Dangers are parts of the input that destroy, reach out or change what is not the project's, those that matter most first.
	Dangers []Danger `json:"dangers,omitempty"`
}

// Danger is a part of a call that deserves a look.
type Danger struct {
	Part string `json:"part"` // "rm -rf build"
	Why  string `json:"why"`  // "deletes without asking"
}

// Answer is what a human has decided about an ask.
type Answer struct {
	// Allow says yes: to a plan, a call, or, with Replies, that a question is answered.
	Allow bool `json:"allow"`
	// Text is why not, or what is to be changed, of many lines.
	Text    string  `json:"text,omitempty"`
	Replies []Reply `json:"replies,omitempty"` // to a question, one for each
}

// Reply is the answer to one question.
type Reply struct {
	Picks []int  `json:"picks,omitempty"` // indexes of options, from 0, in rising order
	Text  string `json:"text,omitempty"`  // own words, of many lines
}

// Answerer answers what live agents ask, by the IDs of asks. All its methods open files and belong into no loop that answers
// keys.
type Answerer interface {
	// Ask returns an ask whole. In a snapshot plans, calls and previews are left out.
	Ask(ctx context.Context, id string) (*Ask, error)
	// Answer answers it, and returns it as it is then; beside an error that says who was faster, where somebody was.
	Answer(ctx context.Context, id string, a Answer) (*Ask, error)
	// Jump brings the pane of an ask or of a session into view, by the ID of its node. said is what was done, or why nothing was; command leads there
	// when it is typed, "" without one.
	Jump(ctx context.Context, node string) (said, command string)
}

// Session is a session of an agent's client that runs.
type Session struct {
	Node     string    `json:"node"` // ID of its node, in the build of live agents that has it
	Agent    string    `json:"agent"`
	ID       string    `json:"id"`
	Activity string    `json:"activity"`        // "working", "idle", "blocked": its own prompt is open
	Doing    string    `json:"doing,omitempty"` // the prompt that it works on, or did last
	Waits    string    `json:"waits,omitempty"` // for what, where it is blocked
	Project  string    `json:"project"`
	Dir      string    `json:"dir"`
	Pane     string    `json:"pane,omitempty"`
	Began    time.Time `json:"began"`
	Since    time.Time `json:"since"` // it does what it does
}

// AgentsBuild is the ID of the build that live agents are shown as, and its protocol.
const AgentsBuild = "agents"
