// Package agents shows live agents as one more protocol: their sessions are nodes of a build, and their asks are its
// gates.
//
//	hooks ──────────► store of asks and sessions (ask) ─┐
//	clients' records ─► record.Reader ──────────────────┼─► Reader.Read ─► Snapshot ─► In: a project with its agents
//	Codex app server ─► codex.Bridge ───────────────────┘                         └─► Others: projects that only have agents
//
// Hooks report a session's asks and words; the records of its client have its state, because some changes fire no hook.
// The newer of the two counts. Nothing of the build is read from the project, and asks are answered through the store.
package agents

import (
	"cmp"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/record"
	"gatehouse/parse/disk/process"
)

// Snapshot is the state of all live agents and their asks at one moment. It is immutable.
type Snapshot struct {
	Asks     []ask.Item    // open ones and those that ended within a day, newest first
	Sessions []ask.Session // newest state first
	Err      error         // why some of it could not be read
}

// Options are the parameters of [NewReader].
type Options struct {
	Store *ask.Store
	// Records reads the records of clients; nil for hooks alone.
	Records *record.Reader
	// More returns sessions from a client with another interface; nil for none.
	More func() []ask.Session
	// Project returns the root of the project of a directory, its real path.
	Project func(dir string) string
	// Branch returns the checked-out branch of a directory; nil if unknown.
	Branch func(dir string) string
	// Lines returns how many lines have changed in a directory since a commit, for a session that was active last at some time; nil if
	// unknown.
	Lines func(dir, base string, active time.Time) (added, removed int)
	// Door says whether words of a human can reach a session; nil if none can.
	Door func(*ask.Session) *model.Door
}

// Reader repeatedly reads the asks and states of live agents. It is for one goroutine.
type Reader struct {
	Options
	asks     *ask.Reader
	projects map[string]string // their roots by directory
	since    time.Time         // when the first of them was found
}

// projectTTL is how long the project of a directory is remembered: builds can appear in it.
const projectTTL = time.Minute

// NewReader returns a reader.
func NewReader(o Options) *Reader {
	return &Reader{Options: o, asks: o.Store.Reader(), projects: map[string]string{}}
}

// projectOf returns the root of the project of a directory.
func (r *Reader) projectOf(dir string) string {
	if now := r.Store.Now(); now.Sub(r.since).Abs() > projectTTL {
		r.since = now
		clear(r.projects)
	}
	if _, known := r.projects[dir]; !known {
		r.projects[dir] = r.Project(dir)
	}
	return r.projects[dir]
}

// Read returns the current asks and states of live agents. It ends finished turns of sessions that continued, and opens
// turns that no hook reported. A hook changes a session and its asks one after the other: if the sessions have changed
// meanwhile, all is read again, so that a session that got a prompt is never shown as idle.
func (r *Reader) Read() *Snapshot {
	for again := 2; ; again-- {
		stored, err := r.Store.Sessions()
		s := r.read(slices.Clone(stored), err)
		if now, _ := r.Store.Sessions(); again == 0 || reflect.DeepEqual(now, stored) {
			return s
		}
	}
}

// read returns the snapshot that belongs to the stored sessions.
func (r *Reader) read(stored []ask.Session, err error) *Snapshot {
	s := &Snapshot{}
	byKey, recorded := map[string]*ask.Session{}, map[string]ask.Session{}
	for i := range stored {
		byKey[ask.SessionKey(stored[i].Agent, stored[i].ID)] = &stored[i]
	}
	var all []ask.Session
	if r.Records != nil {
		all = r.Records.Read(stored)
	}
	if r.More != nil {
		all = append(all, r.More()...)
	}
	for _, rec := range all {
		recorded[ask.SessionKey(rec.Agent, rec.ID)] = rec
	}
	r.endReplaced(byKey, recorded)
	s.Asks, s.Err = r.asks.List(true)
	if r.followTurns(byKey, recorded, s.Asks) {
		s.Asks, s.Err = r.asks.List(true)
	}
	s.Err = cmp.Or(s.Err, err)
	open, ended := map[string][]*ask.Item{}, map[string]time.Time{}
	for i := range s.Asks {
		item := &s.Asks[i]
		k := ask.SessionKey(item.Agent, item.Session)
		if item.State == ask.Waiting {
			open[k] = append(open[k], item)
		} else if item.Kind != ask.Turn && item.End != nil {
			ended[k] = laterOf(ended[k], item.End.At)
		}
	}
	for k, st := range byKey {
		rec := recorded[k]
		delete(recorded, k)
		s.Sessions = append(s.Sessions, r.joinSession(st, r.withoutAnswered(rec, ended[k], st.Finished == ""), open[k]))
	}
	for k, rec := range recorded {
		s.Sessions = append(s.Sessions, r.joinSession(nil, r.withoutAnswered(rec, ended[k], false), open[k]))
	}
	slices.SortFunc(s.Sessions, func(a, b ask.Session) int { return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.ID, b.ID)) })
	return s
}

// endReplaced ends sessions whose process runs another session now, after /clear, if no hook reported their end.
func (r *Reader) endReplaced(stored map[string]*ask.Session, recorded map[string]ask.Session) {
	runs := map[process.ID]bool{}
	for _, rec := range recorded {
		runs[rec.Process] = rec.Alive && rec.Process.PID > 0
	}
	for k, st := range stored {
		if runs[st.Process] && recorded[k].Process.PID == 0 {
			r.Store.WithdrawTurns(st.Agent, st.ID, "its session has ended")
			r.Store.EndSession(st.Agent, st.ID)
			delete(stored, k)
			delete(recorded, k)
		}
	}
}

const (
	// settleAfter is how long a session must be idle before a turn without a hook event counts as finished, and how
	// long it must work before a finished turn counts as continued without a new prompt: hooks and records are late
	// under load.
	settleAfter = 2 * time.Second
	// promptAfter is how long a client's own prompt must be open before it counts as one that no hook reports.
	promptAfter = time.Second
)

// withoutAnswered returns a record without a prompt that no longer waits, or that a hook is about to report. The client
// records the answer to its prompt some time after it got it.
func (r *Reader) withoutAnswered(rec ask.Session, answered time.Time, hooks bool) ask.Session {
	switch {
	case rec.State != model.SessionWaiting:
	case rec.Since.Before(answered):
		rec.State, rec.Since, rec.Waits = model.SessionRunning, answered, ""
	case hooks && r.Store.Now().Sub(rec.Since) < promptAfter:
		rec.State = "" // the state from the hooks applies
	}
	return rec
}

// wentOn reports whether a session works again after it finished a turn. A client may record late that it worked before.
func (r *Reader) wentOn(rec *ask.Session, finished time.Time) bool {
	works := rec.State.IsRunning() || rec.State == model.SessionInterrupted
	return rec.Since.After(finished) && (rec.Turn.After(finished) || works && r.Store.Now().Sub(rec.Since) >= settleAfter)
}

// followTurns brings finished turns in line with the records. A session that works again has continued. An idle session
// with last words gets a finished turn if no hook reported the end, because it began before the hooks were installed. followTurns reports
// whether it has changed something.
func (r *Reader) followTurns(stored map[string]*ask.Session, recorded map[string]ask.Session, asks []ask.Item) (changed bool) {
	for k, rec := range recorded {
		st := stored[k]
		switch {
		case rec.State.IsRunning() || rec.State == model.SessionInterrupted || rec.State == model.SessionWaiting || rec.State == model.SessionFailed:
			for i := range asks {
				a := &asks[i]
				if a.Kind == ask.Turn && a.State == ask.Waiting && a.Agent == rec.Agent && a.Session == rec.ID && r.wentOn(&rec, a.Since) {
					r.Store.Withdraw(&a.Ask, ask.ReasonWentOn)
					changed = true
				}
			}
		case rec.State != model.SessionIdle && rec.State != model.SessionTurn || strings.TrimSpace(rec.Message) == "" || !rec.Alive:
		case st != nil && (st.Finished == rec.MessageID || hasEnded(st, rec.Turn) || !rec.Since.After(changedAt(st))):
		case rec.Since.Before(rec.Turn): // the turn belongs to another process: "claude --resume ID -p" while the window is open
		case r.Store.Now().Sub(rec.Since) < settleAfter:
		default:
			r.openTurn(rec)
			changed = true
		}
	}
	return changed
}

// hasEnded reports whether hooks reported the end of the turn that began at some time.
func hasEnded(s *ask.Session, began time.Time) bool {
	return !s.State.IsRunning() && s.State != model.SessionWaiting && !began.After(changedAt(s))
}

// openTurn opens the finished turn of a session that only its records show.
func (r *Reader) openTurn(rec ask.Session) {
	root := r.projectOf(rec.Dir)
	first := false
	r.Store.UpdateSession(rec.Agent, rec.ID, func(s *ask.Session, now time.Time) bool {
		if first = s.Finished != rec.MessageID; !first {
			return false
		}
		s.SetState(model.SessionIdle, "", now)
		s.Finished, s.Project, s.Dir, s.Title, s.Transcript = rec.MessageID, root, rec.Dir, cmp.Or(s.Title, rec.Title), rec.Transcript
		s.Process, s.Window, s.Kind = rec.Process, rec.Window, rec.Kind
		return true
	})
	if !first {
		return
	}
	turn, err := r.Store.Ask(ask.Ask{Ask: model.Ask{Kind: ask.Turn, Text: ask.LastLine(rec.Message), Message: rec.Message, Since: rec.Since.UTC(),
		Project: root, Dir: rec.Dir, Agent: rec.Agent, Session: rec.ID}, Window: rec.Window})
	if err == nil {
		turn.Close()
	}
}

// changedAt returns the time of the last change that hooks reported.
func changedAt(s *ask.Session) time.Time {
	return laterOf(s.Since, s.Turn)
}

// Within returns the part of the snapshot in some projects.
func (s *Snapshot) Within(has func(root string) bool) *Snapshot {
	return &Snapshot{
		Asks:     slices.DeleteFunc(slices.Clone(s.Asks), func(i ask.Item) bool { return !has(i.Project) }),
		Sessions: slices.DeleteFunc(slices.Clone(s.Sessions), func(x ask.Session) bool { return !has(x.Project) }), Err: s.Err,
	}
}

// HasOpen reports whether an ask or a finished turn waits.
func (s *Snapshot) HasOpen() bool {
	return slices.ContainsFunc(s.Asks, func(i ask.Item) bool { return i.State == ask.Waiting })
}

// Models returns the sessions for a snapshot of the model.
func (s *Snapshot) Models() (all []model.Session) {
	for i := range s.Sessions {
		all = append(all, s.Sessions[i].Session)
	}
	return all
}

// OwnPrompts returns the questions in the clients' own prompts, which can only be answered there. The IDs are the
// sessions' IDs.
func (s *Snapshot) OwnPrompts() (all []*model.Ask) {
	for i := range s.Sessions {
		if x := &s.Sessions[i]; isAtOwnPrompt(x) {
			all = append(all, &model.Ask{
				ID: x.ID, Kind: model.AskPermission, State: model.AskElsewhere, Text: ownPrompt(x), Agent: x.Agent, Session: x.ID,
				Project: x.Project, Dir: x.Dir, Pane: x.Pane, Since: x.Since,
			})
		}
	}
	return all
}

// Find returns the session of a node or of an ask of it, nil if it has ended.
func (s *Snapshot) Find(agent, session string) *ask.Session {
	for i := range s.Sessions {
		if s.Sessions[i].Agent == agent && s.Sessions[i].ID == session {
			return &s.Sessions[i]
		}
	}
	return nil
}

// SessionOf returns a copy of the session of an ask, with the ask if that is a finished turn that waits. If the session has ended, or asked
// without hooks, the copy has only the information in the ask.
func (s *Snapshot) SessionOf(item *ask.Item) *ask.Session {
	x := ask.Session{Window: item.Window, Session: model.Session{Agent: item.Agent, ID: item.Session, Project: item.Project, Dir: item.Dir}}
	if found := s.Find(item.Agent, item.Session); found != nil {
		x = *found
	}
	if item.Kind == ask.Turn && item.State == ask.Waiting {
		x.Open, x.Held = item.ID, item.Held
	}
	return &x
}

// dirIn returns a directory relative to its project, "" for the project's own.
func dirIn(project, dir string) string {
	if rel, err := filepath.Rel(project, dir); err == nil && rel != "." && filepath.IsLocal(rel) {
		return rel
	}
	if dir != project {
		return dir
	}
	return ""
}

// joinSession combines the stored hook data of a session, its client's record, and its open asks. stored is nil without hooks;
// the record is empty if the client keeps none.
func (r *Reader) joinSession(stored *ask.Session, rec ask.Session, open []*ask.Item) ask.Session {
	st := rec
	if st.Heard, st.State = rec.Since, ""; stored != nil {
		st = *stored
	}
	s := rec
	s.Agent, s.ID, s.Node, s.Base, s.Heard = st.Agent, st.ID, sessionPrefix+ask.SessionKey(st.Agent, st.ID), st.Base, st.Heard
	s.Title, s.Tool, s.Model, s.Words = cmp.Or(rec.Title, st.Title), cmp.Or(rec.Tool, st.Tool), cmp.Or(rec.Model, st.Model), st.Words
	s.Dir, s.Kind, s.Turn = cmp.Or(rec.Dir, st.Dir), cmp.Or(rec.Kind, st.Kind), laterOf(rec.Turn, st.Turn)
	if rec.Process.PID == 0 {
		s.Process, s.Alive = st.Process, st.Alive || rec.Alive
	}
	if st.Window.String() != "" {
		s.Window = st.Window
	}
	s.Pane = s.Window.String()
	if s.Project = st.Project; s.Project == "" || s.Dir != st.Dir {
		s.Project = r.projectOf(s.Dir)
	}
	if r.Branch != nil && s.Dir != "" {
		s.Branch = cmp.Or(line.Tidy(r.Branch(s.Dir)), rec.Branch)
	}
	if rec.Message != "" {
		s.Words = ask.LastLine(rec.Message)
	}
	if len(s.Steps) == 0 {
		s.Steps = st.Steps
	}
	if len(s.Agents) == 0 {
		s.Agents = st.Agents
	}
	if s.Began.IsZero() || !st.Began.IsZero() && st.Began.Before(s.Began) {
		s.Began = st.Began
	}
	for _, item := range open {
		if item.Kind == ask.Turn && rec.State.IsRunning() && !r.wentOn(&rec, item.Since) {
			rec.State = "" // it worked before the turn was finished
		}
	}
	setState(&s, &st, &rec, open)
	if r.Lines != nil && s.Base != "" {
		active := s.Since
		if s.State.IsRunning() {
			active = r.Store.Now()
		}
		if added, removed := r.Lines(s.Dir, s.Base, active); added+removed > 0 {
			s.Added, s.Removed = added, removed
		}
	}
	if r.Door != nil {
		s.Door = r.Door(&s)
	}
	return s
}

// setState decides the state of a session. An open ask makes it wait. Otherwise the newer of hooks and records counts, except that only
// records show a crash and a prompt that stays open while other calls end.
func setState(s, st, rec *ask.Session, open []*ask.Item) {
	s.State, s.Since, s.Why, s.Waits = st.State, st.Since, st.Why, st.Waits
	certain := rec.State == model.SessionCrashed || rec.State == model.SessionWaiting && rec.Alive && s.State == model.SessionRunning
	newer := rec.State != "" && (s.State == "" || certain || rec.Since.After(changedAt(st)))
	if newer && !(s.State == model.SessionFailed && rec.State == model.SessionIdle) {
		if s.State != model.SessionWaiting || rec.State != model.SessionWaiting {
			s.Waits = rec.Waits
		}
		s.State, s.Since, s.Why = rec.State, rec.Since, rec.Why
	}
	switch s.State {
	case "", model.SessionTurn: // finished turns are in the store
		s.State = model.SessionIdle
	}
	for _, item := range open {
		switch {
		case item.Kind != ask.Turn:
			s.State, s.Since, s.Waits, s.Why, s.Asks = model.SessionWaiting, item.Since, "", "", true
			return
		case s.State == model.SessionIdle:
			s.State, s.Since = model.SessionTurn, item.Since
			fallthrough
		default:
			s.Open, s.Held = item.ID, item.Held
		}
	}
}

// laterOf returns the later of two times.
func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// stateSentences are the states of sessions in a sentence.
var stateSentences = map[model.SessionState]string{
	model.SessionRunning:     "it works on its prompt",
	model.SessionRetrying:    "the API fails, and its client tries again",
	model.SessionWaiting:     "it waits for an answer",
	model.SessionTurn:        "it has finished its turn",
	model.SessionIdle:        "it waits for a prompt",
	model.SessionInterrupted: "its user interrupted it",
	model.SessionFailed:      "its turn ended with an error",
	model.SessionCrashed:     "its process died",
}

// ownPrompt returns the content of the client's own prompt, as a line.
func ownPrompt(s *ask.Session) string {
	return strings.TrimSuffix(s.Agent+" asks in its own prompt: "+s.Waits, ": ")
}

// isAtOwnPrompt reports whether a session waits for an answer that only its client's own prompt takes.
func isAtOwnPrompt(s *ask.Session) bool { return s.State == model.SessionWaiting && !s.Asks }
