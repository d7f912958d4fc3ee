package ask

// Sessions of agents: who works where, since when, or waits for what.

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
)

// Activity is what a session does.
type Activity string

// The activities.
const (
	Working Activity = "working"
	Idle    Activity = "idle"    // its turn has ended: it waits for a prompt
	Blocked Activity = "blocked" // its client shows a prompt that can only be answered there: see Session.Waits
)

// Session is a session of an agent's client, as its hooks tell it. An ask of it that waits is not told here.
type Session struct {
	Agent    string   `json:"agent"`
	ID       string   `json:"id"`
	Activity Activity `json:"activity"`
	Doing    string   `json:"doing,omitempty"` // the prompt that it works on, or did last
	Waits    string   `json:"waits,omitempty"` // for what, in the client's words
	Project  string   `json:"project"`         // root, its real path
	Dir      string   `json:"dir"`
	// Began is when the session was first heard of, Since since when it does what it does.
	Began   time.Time  `json:"began"`
	Since   time.Time  `json:"since"`
	Heard   time.Time  `json:"heard"`            // when its client told of it last
	Process process.ID `json:"process,omitzero"` // of the client
	Pane    pane.Pane  `json:"pane,omitzero"`
	// Runs says, of one that [Store.Sessions] returns, that its process is seen to run.
	Runs bool `json:"-"`
}

const (
	sessionEnd = ".json"
	// keepSession is how long a session counts that nothing is heard of, and keepUnknown how long where it can't be told whether its
	// process runs.
	keepSession = 7 * 24 * time.Hour
	keepUnknown = 24 * time.Hour
)

// Becomes sets what a session does, and keeps since when where that is nothing new.
func (s *Session) Becomes(what Activity, waits string, now time.Time) {
	if s.Activity != what || s.Waits != waits {
		s.Activity, s.Waits, s.Since = what, waits, now
	}
}

// Sessions returns the sessions that run, as far as that can be told, those first that do something since the latest. An error comes
// beside what could be read.
func (s *Store) Sessions() ([]Session, error) {
	var all []Session
	err := s.Reader().each(sessionsDir, func(dir *os.Root, name string) {
		in, err := sessionIn(dir, name)
		if err != nil {
			return
		}
		if life := process.LifeOf(s.table, in.Process); life != process.Gone {
			in.Runs = life == process.Runs
			all = append(all, *in)
		}
	})
	slices.SortFunc(all, func(a, b Session) int { return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.ID, b.ID)) })
	return all, err
}

// sessionName returns the name of a session's file.
func sessionName(agent, id string) string { return sessionKey(agent, id) + sessionEnd }

func sessionIn(dir *os.Root, name string) (*Session, error) {
	if !strings.HasSuffix(name, sessionEnd) {
		return nil, fs.ErrNotExist
	}
	text, err := read(dir, name)
	if err != nil {
		return nil, err
	}
	in, err := decode[Session](text)
	if err == nil && sessionName(in.Agent, in.ID) != name {
		err = errors.New("it is not the session that its name says")
	}
	in.ID, in.Agent, in.Doing, in.Waits, in.Pane = one(in.ID, wordLimit), one(in.Agent, wordLimit), one(in.Doing, textLimit), one(in.Waits, textLimit), in.Pane.Valid()
	return &in, err
}

// UpdateSession changes what is kept of a session: change is given it as it is, or a new one, and reports whether there is anything
// to be written.
func (s *Store) UpdateSession(agent, id string, change func(*Session, time.Time) bool) error {
	dir, err := s.enter(sessionsDir, true)
	if err != nil {
		return err
	}
	defer dir.Close()
	name, now := sessionName(agent, id), s.now().UTC()
	in, err := sessionIn(dir, name)
	if err != nil {
		in = &Session{Agent: agent, ID: id, Began: now, Since: now, Activity: Idle}
	}
	if !change(in, now) {
		return nil
	}
	in.Doing, in.Waits, in.Heard = line.Clean(in.Doing), line.Clean(in.Waits), now
	text, err := encode(in)
	if err != nil {
		return err
	}
	f, err := s.put(dir, text, name, true)
	if err != nil {
		return s.fault(sessionsDir, err)
	}
	return f.Close()
}

// EndSession forgets a session.
func (s *Store) EndSession(agent, id string) {
	if dir, err := s.enter(sessionsDir, false); err == nil {
		dir.Remove(sessionName(agent, id))
		dir.Close()
	}
}

// sweepSession removes a session whose process is gone, or of which nothing was heard for long.
func (s *Store) sweepSession(dir *os.Root, name string) {
	s.sweepTemp(dir, name)
	in, err := sessionIn(dir, name)
	if err != nil {
		return
	}
	life := process.LifeOf(s.table, in.Process)
	if life == process.Gone || life == process.Unknown && s.old(in.Heard, keepUnknown) || s.old(in.Heard, keepSession) {
		dir.Remove(name)
	}
}

// WaitingOf returns the asks of a session that wait.
func (s *Store) WaitingOf(agent, id string) (asks []Ask) {
	key := sessionKey(agent, id)
	r := s.Reader()
	r.each(waiting.Dir, func(dir *os.Root, name string) {
		if n, ok := waiting.Parse(name); ok && n.Session == key {
			if a := r.ask(dir, name, n.ID); a.Ask != nil && a.Session == id && s.endOf(n.ID) == nil {
				asks = append(asks, *a.Ask)
			}
		}
	})
	return asks
}
