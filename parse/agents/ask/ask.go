// Package ask keeps what live agents ask a human, until it is answered: questions, plans and permissions, and the sessions of
// the agents that ask them. Commands, the hooks of agents' clients and the dashboard meet here, and nowhere else.
//
// # The store
//
// A directory of the user's own (0700, files 0600), by default ~/.local/state/gatehouse/agents:
//
//	waiting/PROJECT.SESSION.ID.held   an ask that waits, JSON (Ask); its asker holds the lock of the file (flock)
//	waiting/PROJECT.SESSION.ID.kept   the same, of an asker that does not stay: the answer is asked for by the ID
//	ended/ID.end                      how it has ended, JSON (End)
//	ended/ID.ask                      the ask's own file, moved here
//	ended/ID.told                     empty: the asker has printed the answer
//	sessions/SESSION.json             a session of an agent's client (Session)
//	dashboards/RANDOM.held            a dashboard that shows asks, and holds this lock
//
// Each file begins {"schema":1,…}. A reader leaves alone what has another number, and takes unknown fields as not there. A file
// is made beside its place under a name that begins with a dot, and linked to it, so it is there whole from its first moment;
// none is changed after that, but sessions are replaced. Names are those of package waiting, from which the prompt counts.
//
// # How an ask ends
//
//	              ┌─ Answer ───► answered ─ the asker has printed it ─► answered, delivered
//	Ask ► waiting ┼─ Withdraw ─► withdrawn   by the asker, its session, its client's own prompt, or because the asker is gone
//	              └─ time ─────► expired
//
// Whoever ends an ask makes ID.end, which fails where there is one: the first wins, everybody else is told who was first
// ([Taken]). There is no way out of an end. Moving the ask's file comes after it and only tidies: whoever finds a waiting file
// beside an end moves it. An asker that dies between the answer and its output leaves no ID.told: the answer was given, and
// nobody is known to have heard it ([Item.Delivered]).
//
// That an asker still runs is told by the lock that it holds, not by its number: the system gives the lock back however the
// process ends, numbers are used again, and a lock counts across containers. [Store.Sweep] withdraws what nobody holds.
//
// # Trust
//
// Everything in the store may have been written by another program of the same user, so all of it is bounded and cleaned when
// it is read. An agent may not answer its own asks ([Store.Refuses]): what runs below the process that asked, or says in its
// environment that it is of the same session, is refused. That keeps an agent from approving itself in passing; it is no wall
// against a program that sets out to deceive its own user, which could write any file here.
package ask

import (
	"encoding/json"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/disk/process"
)

// schema is the version of the files. It grows when a field changes its meaning or goes.
const schema = 1

// What the dashboard knows of an ask, too, is said in package model.
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

// The kinds and the states.
const (
	Question   = model.AskQuestion
	Plan       = model.AskPlan
	Permission = model.AskPermission

	Waiting   = model.AskWaiting
	Answered  = model.AskAnswered
	Withdrawn = model.AskWithdrawn
	Expired   = model.AskExpired
)

// Ask is what an agent asks. Its texts are of one line where nothing else is said.
type Ask struct {
	ID        string     `json:"id"`
	Kind      Kind       `json:"kind"`
	Text      string     `json:"text"` // what is asked, in short: the first question, "Bash: rm -rf build"
	Questions []Queried  `json:"questions,omitempty"`
	Plan      string     `json:"plan,omitempty"` // of a plan: Markdown, of many lines
	File      string     `json:"file,omitempty"` // of a plan: where its client keeps it
	Call      *Call      `json:"call,omitempty"` // of a permission
	Project   string     `json:"project"`        // root of the project that it belongs to, its real path
	Dir       string     `json:"dir"`            // where the agent works
	Agent     string     `json:"agent"`          // name of its client: "claude"; "script" where none is known
	Session   string     `json:"session,omitempty"`
	Subagent  string     `json:"subagent,omitempty"` // the session's own name for an agent below it
	Since     time.Time  `json:"since"`
	Until     time.Time  `json:"until,omitzero"` // it expires then; zero: never
	Kept      bool       `json:"kept,omitempty"` // nobody holds it: the answer is asked for by the ID
	Pane      pane.Pane  `json:"pane,omitzero"`
	Use       string     `json:"use,omitempty"`  // which call of the session it is about, as its client's hook tells it apart
	Asker     process.ID `json:"asker,omitzero"` // the process that waits for the answer
	Owner     process.ID `json:"owner,omitzero"` // of the agent's client, where it is known: nothing below it may answer
	// Marks are variables of the environment that everything has which runs in the agent's session.
	Marks map[string]string `json:"marks,omitempty"`
}

// End is how an ask has ended.
type End struct {
	ID     string    `json:"id"`
	State  State     `json:"state"` // any but Waiting
	At     time.Time `json:"at"`
	Who    string    `json:"who,omitempty"`    // login name of the human who answered
	By     string    `json:"by,omitempty"`     // through what: one of the ways below
	Reason string    `json:"reason,omitempty"` // why it was withdrawn
	Answer *Answer   `json:"answer,omitempty"` // where it was answered, or its client's own prompt was
}

// The ways in which an ask can be answered, for [End.By] and the journal.
const (
	ByCommand   = "command"
	ByDashboard = "dashboard"
	ByTerminal  = "terminal" // in the client's own prompt
)

// Item is an ask with what became of it.
type Item struct {
	Ask
	State State
	// End is how it ended; nil while it waits.
	End *End
	// Delivered says that the asker has printed the answer.
	Delivered bool
	// Brief says that Plan, Call.Input and previews are left out, to be had from [Store.Get].
	Brief bool
}

// labels returns what a reply says, the labels of the picked options and then the words of one's own.
func labels(q *Queried, r Reply) []string {
	var said []string
	for _, i := range r.Picks {
		if i >= 0 && i < len(q.Options) {
			said = append(said, q.Options[i].Label)
		}
	}
	if r.Text != "" {
		said = append(said, r.Text)
	}
	return said
}

// Said returns an answer's words, a line each: the labels and own words of each question, or why not.
func (a *Ask) Said(answer *Answer) []string {
	var said []string
	for i, r := range answer.Replies {
		if i < len(a.Questions) {
			said = append(said, labels(&a.Questions[i], r)...)
		}
	}
	if answer.Text != "" {
		said = append(said, answer.Text)
	}
	return said
}

// written is an ask or an end as a file has it.
type written[T any] struct {
	Schema int `json:"schema"`
	Value  T
}

// MarshalJSON puts the version in front of the value's own members.
func (w written[T]) MarshalJSON() ([]byte, error) {
	value, err := json.Marshal(w.Value)
	if err != nil {
		return nil, err
	}
	return append([]byte(`{"schema":1,`), value[1:]...), nil
}
