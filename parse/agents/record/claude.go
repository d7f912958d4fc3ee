package record

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/process"
)

const (
	statusLineDir = "statusline" // of the store: the JSON that Claude Code gives its status line, a file a session
	statusLineFor = 7 * 24 * time.Hour
	crashedFor    = 24 * time.Hour
	hostProcesses = "pid:[4026531836]" // the process space of a Linux host outside of containers
)

// registered is the file of one process in Claude Code's registry. JSON names are matched without regard to case.
type registered struct {
	PID                                       int
	SessionID, Cwd, ProcStart, PidDomain      string
	Kind, Entrypoint, Name, NameSource, JobID string
	Status, WaitingFor, MessagingSocketPath   string
	StartedAt, UpdatedAt, StatusUpdatedAt     int64 // milliseconds
}

// job is what Claude Code says about a background session.
type job struct{ Tempo, Needs, Intent string }

// subagent is what Claude Code notes when it starts a subagent, and again when the subagent ends.
type subagent struct {
	AgentType, Description string
	Finished               bool
}

// statusLine is what Claude Code gives to its status line.
type statusLine struct {
	Name  string `json:"session_name"`
	Model struct {
		Name string `json:"display_name"`
	}
	Cost struct {
		USD     float64 `json:"total_cost_usd"`
		Added   int     `json:"total_lines_added"`
		Removed int     `json:"total_lines_removed"`
	}
	Window struct {
		Used   float64 `json:"used_percentage"`
		Tokens int     `json:"total_input_tokens"`
	} `json:"context_window"`
	Worktree struct{ Branch string }
}

// readRegistry returns the sessions of running Claude Code processes, and sessions that crashed within the last day. If a headless process
// resumes a session that has a window, the window counts.
func (r *Reader) readRegistry() map[string]*Session {
	all := map[string]*Session{}
	dir := filepath.Join(r.claude, "sessions")
	peek.Entries(dir, nil, entryLimit, func(name string) {
		pid, ok := strings.CutSuffix(strings.Clone(name), ".json")
		if !ok || strings.Trim(pid, "0123456789") != "" {
			return // a key, or a file that is being written
		}
		g, _ := load[registered](r, filepath.Join(dir, pid+".json"))
		if g == nil || strconv.Itoa(g.PID) != pid || !isName(g.SessionID) || strings.HasPrefix(g.Kind, "daemon") {
			return
		}
		s := r.sessionOf(g)
		other := all["claude "+s.ID]
		switch {
		case !s.Alive && r.o.Now().Sub(s.Since) > crashedFor:
		case other == nil && len(all) < sessionLimit:
			all["claude "+s.ID] = s
		case other != nil && s.Alive && (!other.Alive || other.Kind == "headless" && s.Kind != "headless"):
			all["claude "+s.ID] = s
		}
	})
	return all
}

// sessionOf converts a file of the registry.
func (r *Reader) sessionOf(g *registered) *Session {
	s := &Session{Agent: "claude", ID: g.SessionID, Began: time.UnixMilli(g.StartedAt), Since: time.UnixMilli(cmp.Or(g.StatusUpdatedAt, g.UpdatedAt, g.StartedAt))}
	if filepath.IsAbs(g.Cwd) {
		s.Dir = filepath.Clean(g.Cwd)
	}
	if filepath.IsAbs(g.MessagingSocketPath) {
		s.Socket = g.MessagingSocketPath
	}
	if isName(g.JobID) {
		s.Job = g.JobID
	}
	if g.NameSource == "user" {
		s.Title = oneLine(g.Name)
	}
	if g.Kind == "bg" {
		s.Kind = "background"
	} else if g.Entrypoint == "sdk-cli" {
		s.Kind = "headless"
	}
	switch g.Status {
	case "busy":
		s.State = model.SessionRunning
	case "waiting":
		s.State, s.Waits = model.SessionWaiting, oneLine(g.WaitingFor)
	case "idle", "shell": // shell: a command goes on in the background
		s.State = model.SessionIdle
	}
	if r.findProcess(g, s); !s.Alive {
		s.State, s.Waits, s.Since = model.SessionCrashed, "", time.UnixMilli(g.UpdatedAt)
	}
	return s
}

// findProcess sets Process, Pane and Alive. A process in another container is invisible here and counts as alive for a day.
func (r *Reader) findProcess(g *registered, s *Session) {
	self := r.o.Table.Self()
	_, space, _ := strings.Cut(self.Host, " ")
	if i := strings.LastIndex(g.PidDomain, "pid:["); i >= 0 && g.PidDomain[i:] != cmp.Or(space, hostProcesses) {
		s.Alive = r.o.Now().Sub(time.UnixMilli(g.UpdatedAt)) < crashedFor
		return
	}
	s.Process = process.ID{PID: g.PID, Host: self.Host, Boot: self.Boot, Start: g.ProcStart}
	info, ok := r.o.Table.Look(g.PID)
	sameUnit := g.ProcStart != "" && info.Start != "" && strings.Trim(g.ProcStart+info.Start, "0123456789") == ""
	if ok && (!sameUnit || info.Start == g.ProcStart) {
		s.Alive, s.Process = true, info.ID
		if s.Kind != "background" { // its terminal is hidden
			s.Pane = pane.Pane{Terminal: info.Terminal}.Valid()
		}
	}
}

// addClaude adds transcript, job, status line and subagents to a session. It returns false if the session has no record at all.
func (r *Reader) addClaude(s *Session, path string) bool {
	registered := !s.Began.IsZero()
	path = r.findTranscript(s, path)
	t := r.follow(path, readClaudeLine)
	switch {
	case t != nil:
		s.Transcript = path
	case !registered:
		return false
	default:
		t = &transcript{}
	}
	s.addTranscript(t)
	stopped := t.State == model.SessionInterrupted || t.State == model.SessionFailed
	switch {
	case s.State == model.SessionRunning && t.attempts > 1:
		s.State, s.Why = model.SessionRetrying, "the model's API fails; attempt "+strconv.Itoa(t.attempts)
	case s.State == model.SessionIdle && stopped:
		s.State, s.Why = t.State, t.Why
	case s.State == model.SessionIdle && t.Message != "":
		s.State = model.SessionTurn
	case !registered && t.State != model.SessionRunning: // without its process, running would be a guess
		s.State, s.Since, s.Why = t.State, t.Since, t.Why
	}
	if j, _ := load[job](r, filepath.Join(r.claude, "jobs", s.Job, "state.json")); j != nil {
		s.Title = cmp.Or(s.Title, oneLine(j.Intent))
		if s.State == model.SessionWaiting && j.Tempo == "blocked" {
			s.Waits = cmp.Or(oneLine(j.Needs), s.Waits)
		}
	}
	r.addStatusLine(s)
	r.addSubagents(s)
	return true
}

// addTranscript copies everything but the state from a transcript.
func (s *Session) addTranscript(t *transcript) {
	s.Title = cmp.Or(s.Title, t.named, t.Title, t.lastPrompt)
	s.Message, s.MessageID, s.Turn, s.Steps = t.Message, t.MessageID, t.Turn, slices.Clone(t.Steps)
	s.Dir, s.Branch, s.Tool, s.Model = cmp.Or(s.Dir, t.Dir), t.Branch, t.Tool, t.Model
	s.Tokens, s.Cost = t.Tokens, t.Cost
	if t.window > 0 {
		s.Context = min(100, t.Tokens*100/t.window)
	}
}

// addStatusLine adds what Claude Code gave its status line last.
func (r *Reader) addStatusLine(s *Session) {
	l, written := load[statusLine](r, filepath.Join(r.o.Store, statusLineDir, waiting.Key("claude "+s.ID)+".json"))
	if l == nil || r.o.Now().Sub(written) > statusLineFor {
		return
	}
	s.Title, s.Model, s.Branch = cmp.Or(oneLine(l.Name), s.Title), cmp.Or(oneLine(l.Model.Name), s.Model), cmp.Or(oneLine(l.Worktree.Branch), s.Branch)
	s.Context, s.Tokens = int(max(0, min(100, l.Window.Used))), cmp.Or(s.Tokens, l.Window.Tokens)
	s.Cost, s.Added, s.Removed = cmp.Or(l.Cost.USD, s.Cost), l.Cost.Added, l.Cost.Removed
}

// addSubagents adds the subagents that this process of a session has started and that have not finished.
func (r *Reader) addSubagents(s *Session) {
	if !s.State.IsRunning() && s.State != model.SessionWaiting {
		return
	}
	dir := filepath.Join(strings.TrimSuffix(s.Transcript, ".jsonl"), "subagents")
	peek.Entries(dir, nil, entryLimit, func(name string) {
		id, ok := strings.CutSuffix(strings.Clone(name), ".meta.json")
		if !ok {
			return
		}
		a, started := load[subagent](r, filepath.Join(dir, id+".meta.json"))
		if a != nil && !a.Finished && !started.Before(s.Began) {
			s.Agents = append(s.Agents, model.Subagent{
				ID: oneLine(strings.TrimPrefix(id, "agent-")), Type: oneLine(a.AgentType), Task: oneLine(a.Description), Began: started,
			})
		}
	})
	slices.SortFunc(s.Agents, func(a, b model.Subagent) int { return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.ID, b.ID)) })
}

// findTranscript returns the path of the transcript of a session: the known one, else that of its directory, else the first of its name,
// which is searched for once.
func (r *Reader) findTranscript(s *Session, known string) string {
	projects, name := filepath.Join(r.claude, "projects"), s.ID+".jsonl"
	isFile := func(path string) bool {
		info, err := os.Lstat(path)
		return err == nil && info.Mode().IsRegular()
	}
	if filepath.IsAbs(known) && filepath.Base(known) == name && isFile(known) {
		return known
	}
	if path := filepath.Join(projects, notInSlug.ReplaceAllString(s.Dir, "-"), name); isFile(path) {
		return path
	}
	if _, searched := r.paths[s.ID]; !searched {
		r.paths[s.ID] = ""
		peek.Entries(projects, nil, entryLimit, func(project string) {
			if path := filepath.Join(projects, project, name); r.paths[s.ID] == "" && isFile(path) {
				r.paths[s.ID] = path
			}
		})
	}
	return r.paths[s.ID]
}

// notInSlug is what Claude Code replaces in the path of a directory, for the name of the directory with its transcripts.
var notInSlug = regexp.MustCompile(`[^a-zA-Z0-9]`)
