// Package ask stores what live agents ask their user, the last words of the turns they have finished, and their sessions.
//
// # The store
//
// The store is a directory of the user (0700, files 0600), by default ~/.local/state/gatehouse/agents:
//
//	waiting/PROJECT.SESSION.ID.held   an open ask, JSON (Ask); the process that asked holds a lock on the file (flock)
//	waiting/PROJECT.SESSION.ID.kept   an open ask without such a process: the answer is fetched by ID
//	waiting/PROJECT.SESSION.ID.turn   a finished turn; a process that can hand over a reply may hold the lock
//	ended/ID.end                      how the ask ended, JSON (End)
//	ended/ID.ask                      the file of the ask, moved here
//	ended/ID.told                     empty: the asker has printed the answer
//	sessions/KEY.json                 a session (Session)
//	statusline/KEY.json               what the client told its status line (written by statusline, read by package record)
//	dashboards/RANDOM.held            a dashboard that shows asks and holds this lock
//
// Each file begins with {"schema":1,…}. Readers ignore files of another schema and unknown fields. A file is written under a temporary
// name and linked into place, so it is complete when it appears. Only session files are ever replaced. Package waiting defines the
// names, because the prompt counts by them alone.
//
// # How an ask ends
//
//	              ┌─ Answer ───► answered ─ the asker prints it ─► answered, delivered
//	Ask ► waiting ┼─ Withdraw ─► withdrawn   by the asker, its session or its client's own prompt, or because the asker died
//	              └─ time ─────► expired
//
// Ending an ask means creating ID.end, which fails if it exists: the first one wins and all others learn who was first ([Taken]).
// Moving the file of the ask afterwards only tidies up; every reader that finds an open ask with an end moves it. An asker that dies
// between the answer and its output leaves no ID.told: the answer was given but not delivered ([Item.Delivered]).
//
// The lock on the file proves that the asker lives, not its process ID: the kernel releases it however the process ends.
// [Store.Sweep] withdraws asks that lost their holder.
//
// # Trust
//
// Any program of the same user can write here, so everything read is bounded and cleaned. Agents may not answer their own asks
// ([Store.Refuses]): processes below the asker, or with its session in their environment, are refused. This keeps an agent from
// approving itself in passing. It does not stop a malicious program of the same user, which could write any file here.
package ask

import (
	"encoding/json"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/disk/process"
)

// schema is the version of the files. It grows when a field changes its meaning or disappears.
const schema = 1

// Aliases of the types that the dashboard shares.
type (
	Kind    = model.AskKind
	State   = model.AskState
	Queried = model.Question
	Option  = model.Option
	Call    = model.Call
	Danger  = model.Danger
	Answer  = model.Answer
	Reply   = model.Reply
)

// The kinds and states; see package model.
const (
	Question   = model.AskQuestion
	Plan       = model.AskPlan
	Permission = model.AskPermission
	Turn       = model.AskTurn

	Waiting   = model.AskWaiting
	Answered  = model.AskAnswered
	Withdrawn = model.AskWithdrawn
	Expired   = model.AskExpired
)

// Ask is what an agent asks, or the finished turn of a session. Texts have one line unless noted.
type Ask struct {
	ID        string     `json:"id"`
	Kind      Kind       `json:"kind"`
	Text      string     `json:"text"` // short: the first question, "Bash: rm -rf build", the first line of the last words
	Questions []Queried  `json:"questions,omitempty"`
	Plan      string     `json:"plan,omitempty"`    // of a plan: Markdown, many lines
	File      string     `json:"file,omitempty"`    // of a plan: where its client keeps it
	Message   string     `json:"message,omitempty"` // of a turn: the last words, Markdown, many lines
	Call      *Call      `json:"call,omitempty"`    // of a permission
	Project   string     `json:"project"`           // root of the project, its real path
	Dir       string     `json:"dir"`               // where the agent works
	Agent     string     `json:"agent"`             // name of its client: "claude"; "script" if unknown
	Session   string     `json:"session,omitempty"`
	Subagent  string     `json:"subagent,omitempty"` // the client's ID of an agent below the session
	Since     time.Time  `json:"since"`
	Until     time.Time  `json:"until,omitzero"` // it expires then; zero: never
	Then      string     `json:"then,omitempty"` // what happens at Until
	Kept      bool       `json:"kept,omitempty"` // no process holds it: the answer is fetched by ID
	Pane      pane.Pane  `json:"pane,omitzero"`
	Use       string     `json:"use,omitempty"`  // identifies the call of the session that it is about
	Asker     process.ID `json:"asker,omitzero"` // the process that waits for the answer
	Owner     process.ID `json:"owner,omitzero"` // the agent's client if known: nothing below it may answer
	// Marks are environment variables that everything run in the agent's session has.
	Marks map[string]string `json:"marks,omitempty"`
}

// End is how an ask ended.
type End struct {
	ID     string    `json:"id"`
	State  State     `json:"state"` // any but Waiting
	At     time.Time `json:"at"`
	Who    string    `json:"who,omitempty"`    // login name of the human who answered
	By     string    `json:"by,omitempty"`     // ByCommand, ByDashboard or ByTerminal
	Reason string    `json:"reason,omitempty"` // why it was withdrawn
	Answer *Answer   `json:"answer,omitempty"` // also if it was given in the client's own prompt
}

// The values of [End.By], also used in the journal.
const (
	ByCommand   = "command"
	ByDashboard = "dashboard"
	ByTerminal  = "terminal" // the client's own prompt
)

// Item is an ask and its current state.
type Item struct {
	Ask
	State State
	// End is how it ended, nil while it waits.
	End *End
	// Delivered reports that the asker has printed the answer.
	Delivered bool
	// Held reports that a process waits for the answer. Of a turn: a reply can be handed over.
	Held bool
	// Brief reports that Plan, Message, Call.Input, Call.Diff and previews were left out; [Store.Get] has them.
	Brief bool
}

// replyLabels returns a reply in words: the labels of the picked options, then the user's own words.
func replyLabels(q *Queried, r Reply) []string {
	var words []string
	for _, i := range r.Picks {
		if i >= 0 && i < len(q.Options) {
			words = append(words, q.Options[i].Label)
		}
	}
	if r.Text != "" {
		words = append(words, r.Text)
	}
	return words
}

// Said returns the words of an answer, one line for each label and text.
func (a *Ask) Said(answer *Answer) []string {
	var said []string
	for i, r := range answer.Replies {
		if i < len(a.Questions) {
			said = append(said, replyLabels(&a.Questions[i], r)...)
		}
	}
	if answer.Text != "" {
		said = append(said, answer.Text)
	}
	return said
}

// document is a value with the schema number in front.
type document[T any] struct{ Value T }

// MarshalJSON puts the schema number in front of the members of the value.
func (d document[T]) MarshalJSON() ([]byte, error) {
	value, err := json.Marshal(d.Value)
	if err != nil {
		return nil, err
	}
	return append([]byte(`{"schema":1,`), value[1:]...), nil
}
