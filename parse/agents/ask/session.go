package ask

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
)

// Session is a session of an agent's client. Zero fields are unknown, and one-line texts are clean. The store has what hooks report:
// one of the states running, waiting in its own prompt, idle, interrupted, failed or retrying. The client's own records often have more
// (package record).
type Session struct {
	model.Session
	Transcript string     `json:"transcript,omitempty"` // path
	Process    process.ID `json:"process,omitzero"`     // of the client
	Window     pane.Pane  `json:"pane,omitzero"`

	// From hooks alone.
	Base       string    `json:"base,omitempty"`        // commit of its directory when it began
	Finished   string    `json:"turn,omitempty"`        // the last finished turn that was taken from the records; "" if hooks report it
	ReportsEnd bool      `json:"reports_end,omitempty"` // its client reports the end of sessions
	Asker      string    `json:"asker,omitempty"`       // ID of the agent below it whose prompt is open
	Heard      time.Time `json:"heard"`                 // last event

	// Not stored.
	Alive     bool   `json:"-"` // its process runs; false in a record with a Process: it crashed
	Message   string `json:"-"` // the last words of its last turn, whole and as the client wrote them (Markdown)
	MessageID string `json:"-"`
	Job       string `json:"-"` // of a background session of Claude Code: the ID for claude attach
	Socket    string `json:"-"` // inbox of a session of Claude Code
	Open      string `json:"-"` // ID of its finished turn that waits
	Held      bool   `json:"-"` // a hook hands over a reply to that turn
	Asks      bool   `json:"-"` // it waits for something that can be answered here
}

const (
	sessionLock = "lock"
	// keepSession is how long a session without events counts, keepUnknown if its process can't be seen either.
	keepSession = 7 * 24 * time.Hour
	keepUnknown = 24 * time.Hour
	// lockTries and lockPause bound the wait for the lock of the session files. A stopped process must not stop all hooks.
	lockTries = 50
	lockPause = 2 * time.Millisecond
	// maxSteps is how many steps and subagents a session keeps.
	maxSteps = 20
)

// SetState sets the state of a session, and since when if it differs.
func (s *Session) SetState(state model.SessionState, waits string, now time.Time) {
	if s.State != state || s.Waits != waits {
		s.State, s.Waits, s.Since = state, waits, now
	}
}

// AddStep appends a step and drops the oldest ones.
func (s *Session) AddStep(kind, text string, now time.Time) {
	s.Steps = append(s.Steps, model.Step{At: now, Kind: kind, Text: text})
	s.Steps = s.Steps[max(0, len(s.Steps)-maxSteps):]
}

// cleanFields cleans and bounds the texts of a session.
func (s *Session) cleanFields() {
	var c cleaner
	c.cleanLines(&s.Agent, &s.ID, &s.Kind, &s.Base, &s.Finished, &s.Asker, &s.Transcript, &s.Model, &s.Title, &s.Waits, &s.Why, &s.Words, &s.Tool)
	for _, text := range []*string{&s.Model, &s.Title, &s.Waits, &s.Why, &s.Words, &s.Tool} {
		*text = line.Tidy(*text)
	}
	s.Agents, s.Steps = s.Agents[:min(len(s.Agents), maxSteps)], s.Steps[:min(len(s.Steps), maxSteps)]
	for i := range s.Agents {
		c.cleanLines(&s.Agents[i].ID, &s.Agents[i].Type, &s.Agents[i].Task)
	}
	for i := range s.Steps {
		c.cleanLines(&s.Steps[i].Kind, &s.Steps[i].Text)
	}
	s.Window = s.Window.Valid()
}

// SessionKey returns the key of a session in the names of files and nodes.
func SessionKey(agent, session string) string { return waiting.Key(agent + " " + session) }

// sessionName returns the file name of a session.
func sessionName(agent, id string) string { return SessionKey(agent, id) + ".json" }

// readSession reads a session file.
func readSession(dir *statefile.Directory, name string) (*Session, error) {
	in, err := readValue[Session](dir, name)
	if err == nil && sessionName(in.Agent, in.ID) != name {
		err = errors.New("not the session that its name says")
	}
	in.cleanFields()
	return &in, err
}

// Session returns one session, nil if it is not stored.
func (s *Store) Session(agent, id string) *Session {
	dir, err := s.openDir(sessionsDir, false)
	if err != nil {
		return nil
	}
	defer dir.Close()
	if in, err := readSession(dir, sessionName(agent, id)); err == nil {
		return in
	}
	return nil
}

// Sessions returns the sessions whose process is not known to be gone, newest state first. An error may come with a
// partial result.
func (s *Store) Sessions() ([]Session, error) {
	var all []Session
	err := s.eachName(sessionsDir, func(dir *statefile.Directory, name string) {
		in, err := readSession(dir, name)
		if err != nil {
			return
		}
		if life := process.LifeOf(s.Table, in.Process); life != process.Gone {
			in.Alive = life == process.Runs
			all = append(all, *in)
		}
	})
	slices.SortFunc(all, func(a, b Session) int { return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.ID, b.ID)) })
	return all, err
}

// UpdateSession changes a session. change gets the stored session, or a new one, and reports whether to write it.
func (s *Store) UpdateSession(agent, id string, change func(*Session, time.Time) bool) error {
	dir, err := s.openDir(sessionsDir, true)
	if err != nil {
		return err
	}
	defer dir.Close()
	// Without the lock in time, continue unlocked: one event may be lost then, but no hook hangs.
	if f, err := dir.OpenFile(sessionLock, os.O_RDWR|os.O_CREATE, 0o600); err == nil {
		defer f.Close()
		for try := 0; f.TryLock() != nil && try < lockTries; try++ {
			time.Sleep(lockPause)
		}
	}
	name, now := sessionName(agent, id), s.Now().UTC()
	in, err := readSession(dir, name)
	if err != nil {
		in = &Session{Session: model.Session{Agent: agent, ID: id, Began: now, Since: now, State: model.SessionIdle}}
	}
	if !change(in, now) {
		return nil
	}
	in.cleanFields()
	in.Heard = now
	f, err := s.writeFile(sessionsDir, name, in, true)
	if err != nil {
		return err
	}
	return f.Close()
}

// EndSession removes a session.
func (s *Store) EndSession(agent, id string) { s.removeFile(sessionsDir, sessionName(agent, id)) }

// WaitingOf returns the open asks of a session, finished turns included, without their long texts.
func (s *Store) WaitingOf(agent, id string) (asks []Ask) {
	items, _ := s.List(false)
	for i := range items {
		if items[i].Agent == agent && items[i].Session == id {
			asks = append(asks, items[i].Ask)
		}
	}
	return asks
}
