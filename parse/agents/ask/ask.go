// Package ask stores live agents' asks of their user, the last words of finished turns, and sessions.
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
//	statusline/KEY.json               input of the client's status line (written by statusline, read by package record)
//	dashboards/RANDOM.held            a dashboard that shows asks and holds this lock
//
// Each file begins with {"schema":1,…}. Readers ignore files of another schema and unknown fields. A file is written
// under a temporary name and linked into place, so it is complete when it appears. Only session files are ever
// replaced. Package waiting defines the names, because the prompt counts by them alone.
//
// # How an ask ends
//
// An ask is answered, withdrawn (by its asker, its session or its client's own prompt, or because the asker died), or
// expires. Ending it means creating ID.end, which fails if it exists: the first one wins and all others learn who was
// first ([Taken]). Moving the file of the ask afterwards only tidies up. The kernel releases the lock of an asker
// however it ends, and [Store.Sweep] withdraws its ask.
//
// # Trust
//
// Any program of the same user can write here, so everything read is bounded and cleaned. [Store.Refuses] keeps an
// agent from approving itself in passing; package caller keeps agents from deciding at all. It does not stop a
// malicious program of the same user, which could write any file here.
package ask

import (
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
)

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

// Ask is an agent's question, or the finished turn of a session. Its file has everything but its end.
type Ask struct {
	model.Ask
	Window pane.Pane  `json:"pane,omitzero"`
	Kept   bool       `json:"kept,omitempty"` // no process holds it: the answer is fetched by ID
	Use    string     `json:"use,omitempty"`  // identifies the call of the session that it is about
	Asker  process.ID `json:"asker,omitzero"` // the process that waits for the answer
	Owner  process.ID `json:"owner,omitzero"` // the agent's client if known: nothing below it may answer
	// Runner is the program that ran the asking command, if it is not a known client: programs that it starts may not
	// answer either.
	Runner process.ID `json:"runner,omitzero"`
	// Marks are environment variables that everything run in the agent's session has.
	Marks map[string]string `json:"marks,omitempty"`
}

// fileName returns the name of the file of an open ask.
func (a *Ask) fileName() waiting.Name {
	n := waiting.Name{Project: waiting.Key(a.Project), Session: SessionKey(a.Agent, a.Session), ID: a.ID, Kind: waiting.Held}
	if a.Kind == Turn {
		n.Kind = waiting.Turn
	} else if a.Kept {
		n.Kind = waiting.Kept
	}
	return n
}

// Said returns the words of an answer: the labels of the picked options and the user's own words.
func (a *Ask) Said(answer *Answer) (said []string) {
	for i, r := range answer.Replies[:min(len(answer.Replies), len(a.Questions))] {
		for _, pick := range r.Picks {
			if options := a.Questions[i].Options; pick >= 0 && pick < len(options) {
				said = append(said, options[pick].Label)
			}
		}
		if r.Text != "" {
			said = append(said, r.Text)
		}
	}
	if answer.Text != "" {
		said = append(said, answer.Text)
	}
	return said
}

// End is how an ask ended.
type End struct {
	ID     string    `json:"id"`
	State  State     `json:"state"` // any but Waiting
	At     time.Time `json:"at"`
	Who    string    `json:"who,omitempty"`    // login name of the human who answered
	By     string    `json:"by,omitempty"`     // ByCommand or ByDashboard
	Reason string    `json:"reason,omitempty"` // why it was withdrawn
	Answer *Answer   `json:"answer,omitempty"`
}

// The values of [End.By], also used in the journal.
const (
	ByCommand   = "command"
	ByDashboard = "dashboard"
)

// Item is an ask and its current state.
type Item struct {
	Ask
	End  *End // nil while it waits
	Held bool // of an open ask: a process waits for the answer
}
